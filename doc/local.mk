# doc: what this folder builds.

dist_doc_DATA += doc/profile-format.md
