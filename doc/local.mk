# doc: what this folder builds.
