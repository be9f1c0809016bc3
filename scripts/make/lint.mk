# lint.mk - what is checked of the code without running it.

.PHONY: lint lint-clang lint-layering lint-names lint-migrations lint-interface lint-threats lint-format lint-headers lint-code lint-scripts format interface
lint: packages-lint ## run lint-layering, lint-names, lint-migrations, lint-interface, lint-threats, lint-format, lint-headers, lint-code and lint-scripts
	+@$(call in_turn,release,lint-layering lint-names lint-migrations lint-interface lint-threats lint-format lint-headers lint-code lint-scripts)

lint-layering: $(RULES) $(ENGINE) $(DB) $(API) $(BUILD)/api/main.o ## check which folder may use which, what is pure, and that nothing is a circle
	$(say) LINT layering
	$(Q)tests/lint/layering.sh $(API_FOLDERS)
	$(Q)$(if $(filter release,$(FLAVOUR)),$(lint_objects))

.PHONY: lists
lists: ## write the lists of files in the READMEs, from what the first line of each file says
	$(Q)scripts/lists.sh

lint-names: ## check that names of static functions tell where they are, and that comments name what is there
	$(say) LINT names
	$(Q)tests/lint/names.sh

lint-migrations: ## check that migrations which let older programs run take nothing away from them
	$(say) LINT migrations
	$(Q)tests/lint/migrations.sh migrations/*.sql tests/next/*.sql

lint-interface: ## check that modules of games which were compiled before are understood, or are refused by the number of the interface
	$(say) LINT interface
	$(Q)tests/lint/interface.sh

interface: ## write anew what modules are compiled with (tests/lint/interface.txt); then read the difference
	$(Q)tests/lint/interface.sh write

lint-threats: ## check that docs/threats.md has every header that is read and all that a caller can fill, and names tests that there are
	$(say) LINT threats
	$(Q)tests/lint/threats.sh
	$(Q)tests/lint/fills.sh

# Checks of the compiled objects, each library by itself.
define lint_objects
tests/lint/symbols.sh $(RULES) && \
    tests/lint/symbols.sh $(ENGINE) $(RULES) && \
    tests/lint/circles.sh $(call objects,$(RULES_FOLDERS)) && \
    tests/lint/circles.sh $(call objects,engine) && \
    tests/lint/circles.sh $(call objects,db) && \
    tests/lint/circles.sh $(call objects,$(API_PATHS)) && \
    tests/lint/pure.sh $(RULES) $(ENGINE) $(call objects,$(PURE_FOLDERS:%=api/%))
endef

# In a folder of its own, so that clang and gcc do not build everything anew in turns. Without optimisation
# more symbols are left to be linked, and with coverage its library is.
lint-clang: ## build everything with clang, for coverage: warnings are errors, and all programs link
	+@$(MAKE) FLAVOUR=cover BUILD=build/clang CC=clang WERROR=-Werror build/clang/plyd tests

lint-format: ## check whether `make format` would change anything
	$(say) LINT format
	$(Q)clang-format --dry-run -Werror $(C_FILES) $(HEADERS)

lint-headers: $(HEADERS:%=build/lint/%) ## check that every header compiles alone
lint-code: $(C_FILES:%=build/lint/%) ## check with clang and clang-tidy

lint-scripts: ## check with shellcheck
	$(say) LINT scripts
	$(Q)shellcheck --severity=warning $(SCRIPTS)

# Tables that macros compute: clang-tidy would take minutes.
UNTIDY = rules/shogi/lines.c
LINT = clang $(ALL_CPPFLAGS) -std=c11 $(WARNINGS) -Werror -fsyntax-only
build/lint/%.h: %.h | $(EMBEDS)
	$(say) LINT $<
	$(Q)mkdir -p $(@D) && echo '#include "$<"' | $(LINT) -MMD -MP -MF $@.d -MT $@ -x c - && touch $@

build/lint/%.c: %.c .clang-tidy | $(EMBEDS)
	$(say) LINT $<
	$(Q)mkdir -p $(@D) && $(LINT) -Ibuild/embed/$(<D) -MMD -MP -MF $@.d -MT $@ $<
	$(Q)$(if $(filter $<,$(UNTIDY)),,clang-tidy --quiet --warnings-as-errors='*' $< -- \
	    $(ALL_CPPFLAGS) -Ibuild/embed/$(<D) -std=c11 2>/dev/null)
	@touch $@

format: ## format every C file
	$(Q)clang-format -i $(C_FILES) $(HEADERS)
