# tests: what this folder builds.
