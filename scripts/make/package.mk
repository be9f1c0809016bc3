# package.mk - installing, and the Debian package.

.PHONY: install
install: all build/plyd.1 build/plyd.service install-kit ## install under PREFIX (/usr/local), inside DESTDIR if that is given
	install -D build/release/plyd $(DESTDIR)$(PREFIX)/bin/plyd
	install -D -m 644 build/plyd.1 $(DESTDIR)$(PREFIX)/share/man/man1/plyd.1
	install -D -m 644 build/plyd.service $(DESTDIR)$(PREFIX)/lib/systemd/system/plyd.service

# The package is built from a copy of the tree, with contrib/debian/ where Debian's tools want it.
.PHONY: deb check-deb
DEB = build/deb
deb: ## install what is missing, and build a Debian package in build/deb/ that lintian likes
	@scripts/packages.sh install build test deb
	$(Q)rm -rf $(DEB) && mkdir -p $(DEB)/plyd
	$(Q)tar -c --exclude=./build --exclude=./var --exclude=./.git . | tar -x -C $(DEB)/plyd
	$(Q)cp -r contrib/debian $(DEB)/plyd
	$(Q)scripts/changelog.sh > $(DEB)/plyd/debian/changelog
	$(say) DEB $(DEB)
	$(Q)cd $(DEB)/plyd && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CI \
	    dpkg-buildpackage -b -us -uc >../build.log 2>&1 || { tail -n 40 ../build.log; exit 1; }
	$(Q)lintian --fail-on warning --tag-display-limit 0 $(DEB)/*.changes
	@ls $(DEB)/*.deb

# With `make deb check-deb` the package that is tested is the new one.
check-deb: $(filter deb,$(MAKECMDGOALS)) ## (root, debootstrap) install, upgrade, put back and purge the package of `make deb` in an empty Debian
	$(say) CHECK deb
	$(Q)tests/package/run.sh $(DEB)/plyd_*.deb

RELEASE ?= trixie
.PHONY: check-debian
check-debian: ## (root, debootstrap) build, run every test, and check-deb in an empty Debian: make check-debian RELEASE=trixie
	@scripts/packages.sh install deb
	$(say) CHECK debian $(RELEASE)
	$(Q)tests/package/debian.sh $(RELEASE)

build/plyd.service: contrib/plyd.service FORCE
	@sed 's|/usr/local/|$(PREFIX)/|' $< > $@

# The manual takes its settings from --help: a line with the flag and its meaning, then one more line.
build/plyd.1: contrib/plyd.1.in build/release/plyd
	$(say) MAN $@
	$(Q)build/release/plyd --help | sed -n 's/-/\\-/g; s/^  \(\\-[^ ]* [^ ]*\) */.TP\n.B \1\n/p; s/^   *\[/.br\n[/p' \
	    > $@.settings
	$(Q)sed -e '/@SETTINGS@/{r $@.settings' -e 'd}' \
	    -e 's/@VERSION@/$(VERSION)/' $< > $@

# What docs/releasing.md demands of a release.
.PHONY: check-release check-bytes
CHECKS_OF_RELEASE = check-bytes test-long lint check-clients check-records check-back check-stable drills
check-release: ## (hours) everything that must hold before a release: its notes, two builds alike, and all that takes long
	$(say) CHECK release
	$(Q)tests/release/notes.sh
	+@$(call in_turn,release,$(CHECKS_OF_RELEASE))

check-bytes: packages-build ## build this commit twice in different folders: both programs have the same bytes
	$(say) CHECK bytes
	$(Q)tests/release/bytes.sh
