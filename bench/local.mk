# bench: what this folder builds.
