# doc: what this folder builds.

dist_doc_DATA += doc/design.md doc/profile-format.md doc/interfaces.md
dist_doc_DATA += doc/report.schema.json doc/diff.schema.json doc/scale.schema.json doc/try.schema.json
dist_doc_DATA += doc/user-model.md
dist_doc_DATA += doc/clusters.md doc/efficiency.md doc/pitfalls.md doc/tutorial.md

dist_man_MANS += doc/ompcount.1 doc/omphwc.7 \
	doc/ompcount-annotate.1 \
	doc/ompcount-check.1 \
	doc/ompcount-diff.1 \
	doc/ompcount-list.1 \
	doc/ompcount-merge.1 \
	doc/ompcount-report.1 \
	doc/ompcount-collect.1 \
	doc/ompcount-resolve.1 \
	doc/ompcount-run.1 \
	doc/ompcount-scale.1 \
	doc/ompcount-top.1 \
	doc/ompcount-try.1 \
	doc/ompcount-view.1

EXTRA_DIST += doc/HACKING.md
dist_doc_DATA += doc/page-summary.png doc/page-regions.png doc/page-dark.png
EXTRA_DIST += doc/screenshots

# In the source README.md lies above the documents, installed beside them.
install-data-hook:
	sed -e '/(doc\/HACKING.md)/d' -e 's|](doc/|](|g' $(srcdir)/README.md >'$(DESTDIR)$(docdir)/README.md'
