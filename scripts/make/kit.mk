# kit.mk - what games of one's own are compiled with (docs/games.md), and the examples that are.

# What games use of rules/ is a library of its own, which becomes a part of each module: so a module needs no symbol of
# the program, and the program exports none.
KIT_HEADERS = $(wildcard rules/*.h) rules/draw/art.h $(addprefix rules/,codes.def reasons.def roles.def) \
    $(addprefix engine/,engine.h game.h)
KIT_LIBRARY = $(BUILD)/kit/libplyd-game.a
KIT = $(KIT_LIBRARY) build/plyd.pc contrib/kit/game.mk

$(BUILD)/kit/%.o: %.c $(BUILD)/flags
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(RULES_FLAGS.$(FLAVOUR)) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(KIT_LIBRARY): $(addprefix $(BUILD)/kit/rules/,rules.o symmetry.o)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The examples as modules, for tests: $(BUILD)/games/NAME.so.
EXAMPLE_GAMES = $(patsubst examples/%/module.c,%,$(wildcard examples/*/module.c))
GAMES = $(patsubst %,$(BUILD)/games/%.so,$(EXAMPLE_GAMES) broken/broken honeycomb)
define example_game
$(BUILD)/games/$(1).so: $(patsubst %.c,$(BUILD)/games/%.o,$(wildcard examples/$(1)/*.c))
endef
$(foreach game,$(EXAMPLE_GAMES),$(eval $(call example_game,$(game))))
$(BUILD)/games/broken/broken.so: $(patsubst %,$(BUILD)/games/%.o,tests/games/broken/module examples/hex/hex examples/hex/art)
$(BUILD)/games/honeycomb.so: $(BUILD)/games/tests/games/honeycomb/module.o
$(BUILD)/games/%.so: $(KIT_LIBRARY)
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_LDFLAGS) -shared -Wl,--exclude-libs,ALL -o $@ $(filter %.o,$^) $(KIT_LIBRARY)

$(BUILD)/games/%.o: %.c $(BUILD)/flags | $(EMBEDS)
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CPPFLAGS) -Ibuild/embed/$(<D) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

build/plyd.pc: contrib/kit/plyd.pc.in FORCE
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
	    -e "s|@INTERFACE@|$$(sed -n 's/^ *RULES_INTERFACE = \([0-9]*\),$$/\1/p' rules/module.h)|" $< > $@

.PHONY: install-kit
install-kit: $(KIT) ## install what games are compiled with under PREFIX: headers, a library, plyd.pc
	for file in $(KIT_HEADERS); do \
	    install -D -m 644 $$file $(DESTDIR)$(PREFIX)/include/plyd/$$file || exit 1; \
	done
	install -D -m 644 $(KIT_LIBRARY) $(DESTDIR)$(LIBDIR)/libplyd-game.a
	install -D -m 644 build/plyd.pc $(DESTDIR)$(LIBDIR)/pkgconfig/plyd.pc
	install -D -m 644 contrib/kit/game.mk $(DESTDIR)$(PREFIX)/share/plyd/game.mk

.PHONY: check-kit
check-kit: all $(KIT) ## what a stranger does with what `make install` brings: games compiled with nothing but that
	$(say) CHECK kit
	$(Q)$(ALONE) tests/kit/run.sh build/checks/kit $(MAKE)
