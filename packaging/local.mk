# SPDX-License-Identifier: BSD-3-Clause
# packaging: what those who run machines need.

bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
# bash-completion finds a command's file by the command's name.
nodist_bashcompletion_DATA = packaging/completions/ompcount
packaging/completions/ompcount: packaging/completions/ompcount.bash
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $(srcdir)/packaging/completions/ompcount.bash $@
dist_zshcompletion_DATA = packaging/completions/_ompcount
dist_fishcompletion_DATA = packaging/completions/ompcount.fish
EXTRA_DIST += packaging/completions/ompcount.bash

# `module use $(modulesdir)'; Lmod takes the one that ends with .lua.
modulesdir = $(pkgdatadir)/modulefiles
modulefiledir = $(modulesdir)/omphwc
nodist_modulefile_DATA = packaging/modulefiles/$(VERSION) packaging/modulefiles/$(VERSION).lua
placed = $(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e 's|@VERSION[@]|$(VERSION)|g' \
	-e 's|@libdir[@]|$(libdir)|g' -e 's|@bindir[@]|$(bindir)|g'
packaging/modulefiles/$(VERSION): packaging/modulefiles/omphwc.in
	$(placed) $(srcdir)/packaging/modulefiles/omphwc.in >$@
packaging/modulefiles/$(VERSION).lua: packaging/modulefiles/omphwc.lua.in
	$(placed) $(srcdir)/packaging/modulefiles/omphwc.lua.in >$@
EXTRA_DIST += packaging/modulefiles/omphwc.in packaging/modulefiles/omphwc.lua.in
CLEANFILES += $(nodist_bashcompletion_DATA) $(nodist_modulefile_DATA)

examplesdir = $(docdir)/examples
dist_examples_DATA = packaging/batch/slurm.sh packaging/batch/pbs.sh packaging/batch/flux.sh
cidir = $(examplesdir)/ci
dist_ci_DATA = packaging/ci/github.yml packaging/ci/gitlab.yml
# Those of tutorial.md.
dist_examples_DATA += bench/demo/heat.c bench/demo/step-1.patch bench/demo/step-2.patch \
	bench/demo/step-3.patch

# The spec lies at the top of the tarball, where `rpmbuild -ta' finds it.
EXTRA_DIST += packaging/spack/package.py packaging/easybuild/omphwc.eb packaging/container/Containerfile packaging/rpm/omphwc.spec.in
dist-hook:
	sed 's|@PACKAGE_VERSION[@]|$(VERSION)|' $(srcdir)/packaging/rpm/omphwc.spec.in >$(distdir)/omphwc.spec
	@d=$$(cd '$(distdir)' && pwd) && cd '$(srcdir)' && \
	{ git ls-files 2>/dev/null | grep -vxE '\.ci/.*|\.gitignore|m4/\.keep' || :; } | \
	while read -r f; do \
		test -e "$$d/$$f" || { echo "$$f: in the repository, not in EXTRA_DIST" >&2; exit 1; }; \
	done

debian_files = changelog.in control copyright libomphwc.install libomphwc.lintian-overrides \
	libomphwc.manpages libomphwc.triggers libomphwc-dev.install ompcount.install omphwc-doc.install \
	omphwc-doc.lintian-overrides rules source/format
EXTRA_DIST += $(debian_files:%=packaging/debian/%)

# Packages of what `make dist' packs, in the folder deb.  Needs debhelper and dpkg-dev.
deb: dist-xz
	rm -rf deb && $(MKDIR_P) deb
	mv $(distdir).tar.xz deb/$(PACKAGE)_$(VERSION).orig.tar.xz
	cd deb && tar -xf $(PACKAGE)_$(VERSION).orig.tar.xz && cd $(distdir) && cp -R packaging/debian . && \
	sed -e 's|@PACKAGE_VERSION[@]|$(VERSION)|' -e "s|@CHANGED[@]|$$(date -R)|" debian/changelog.in >debian/changelog && \
	rm debian/changelog.in && \
	{ dpkg-buildpackage -us -uc >../deb.log 2>&1 || { tail -n 20 ../deb.log; exit 1; }; } && \
	cd .. && rm -rf $(distdir) && ls *.deb
clean-local: clean-deb
clean-deb:
	rm -rf deb
.PHONY: deb clean-deb
