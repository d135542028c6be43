# doc: what this folder builds.

dist_doc_DATA += doc/profile-format.md

dist_man_MANS += doc/ompcount.1 doc/omphwc.7
