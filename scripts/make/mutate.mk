# mutate.mk - mutation testing: small mistakes in the code, to see how good the tests are.

# Makes COUNT small mistakes, chosen by SEED in the files and folders PLACE, to see how good the tests are.
# A coverage build shows first which test suites reach which lines.

.PHONY: mutate mutate-check reach
COUNT ?= 100
PLACE ?= api db engine rules
# The fastest first. The tests of faults take too long.
MUTATE_SUITES = $(filter-out fault,$(SUITES))
MUTATE = $(ALONE) KINDS='$(MUTATE_SUITES)' tests/mutate
MUTATED = build/mutate-tool build/release/plyd $(GAMES) $(MUTATE_SUITES:%=build/release/test-%)
mutate: $(MUTATED) ## make small mistakes in the code, and print those that no test notices
	+@$(MAKE) FLAVOUR=cover reach
	$(Q)$(MUTATE)/run.sh build/mutate $(COUNT) $(SEED) $(shell nproc) $(PLACE)

mutate-check: $(MUTATED) ## check that `make mutate` works: eight mistakes, of which a test of each kind notices one
	$(say) CHECK mutate
	$(Q)$(MUTATE)/check.sh $(shell nproc)

reach: $(MUTATE_SUITES:%=build/mutate/reach.%)
build/mutate/reach.terminal build/mutate/reach.http: build/cover/plyd
build/mutate/reach.%: build/cover/test-%
	$(say) REACH $*
	$(Q)mkdir -p $(@D) && PLYD_TEST_FSYNC=off $(ALONE) $(WITH.$*) tests/mutate/reach.sh $* $^ > $@.new && mv $@.new $@

build/mutate-tool: tests/mutate/mutate.c
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 $(WARNINGS) $(WERROR) -o $@ $<
