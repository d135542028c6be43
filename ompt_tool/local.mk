# ompt_tool: what this folder builds.
