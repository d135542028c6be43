# SPDX-License-Identifier: BSD-3-Clause
# doc: what this folder builds.

dist_doc_DATA += doc/design.md doc/profile-format.md doc/interfaces.md
dist_doc_DATA += doc/report.schema.json doc/diff.schema.json doc/history.schema.json doc/scale.schema.json doc/stack.schema.json doc/try.schema.json
dist_doc_DATA += doc/conformance.md doc/reliability.md doc/user-model.md
decisionsdir = $(docdir)/decisions
dist_decisions_DATA = \
	doc/decisions/001-a-sample.md \
	doc/decisions/002-wall-time.md \
	doc/decisions/003-code-without-rules.md \
	doc/decisions/004-sharing-with-the-program.md \
	doc/decisions/005-runtimes.md \
	doc/decisions/006-counting.md \
	doc/decisions/007-timelines.md \
	doc/decisions/008-heap-blocks.md \
	doc/decisions/009-libgomp.md \
	doc/decisions/010-user-model.md \
	doc/decisions/011-comparing-runs.md \
	doc/decisions/012-jobs.md \
	doc/decisions/013-html-page.md \
	doc/decisions/014-profile-file.md \
	doc/decisions/015-merged-files.md \
	doc/decisions/016-events.md \
	doc/decisions/017-in-the-program.md \
	doc/decisions/018-openmp.md \
	doc/decisions/019-code.md \
	doc/decisions/020-loading.md \
	doc/decisions/021-command.md
dist_doc_DATA += doc/clusters.md doc/efficiency.md doc/pitfalls.md doc/tutorial.md

dist_man_MANS += doc/ompcount.1 doc/omphwc.7 \
	doc/ompcount-check.1 \
	doc/ompcount-diff.1 \
	doc/ompcount-history.1 \
	doc/ompcount-list.1 \
	doc/ompcount-merge.1 \
	doc/ompcount-report.1 \
	doc/ompcount-collect.1 \
	doc/ompcount-resolve.1 \
	doc/ompcount-run.1 \
	doc/ompcount-scale.1 \
	doc/ompcount-stack.1 \
	doc/ompcount-top.1 \
	doc/ompcount-try.1 \
	doc/ompcount-view.1

EXTRA_DIST += doc/HACKING.md
dist_doc_DATA += doc/page-summary.png doc/page-regions.png doc/page-dark.png
EXTRA_DIST += doc/screenshots

# In the source README.md lies above the documents, installed beside them.
install-data-hook:
	sed -e '/(doc\/HACKING.md)/d' -e 's|](doc/|](|g' $(srcdir)/README.md >'$(DESTDIR)$(docdir)/README.md'
