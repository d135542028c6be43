# pmu: what this folder builds.
