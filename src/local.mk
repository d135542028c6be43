# src: what this folder builds.
