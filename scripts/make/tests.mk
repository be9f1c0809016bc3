# tests.mk - the tests: suites in C, checks by scripts, sanitizers, coverage. HACKING.md says which is for what.

.PHONY: test test-long tests check
# The longest first. Those that mostly wait run beside those that compute. ALSO names further checks.
CHECKS = check-http check-browser fuzz-regress check-fault check-rules check-db check-engine check-setup \
    check-unit check-terminal check-kit check-sql lint-layering lint-names lint-migrations lint-interface lint-threats
TEST_PACKAGES = build server test confine browser
test: ## install what is missing, build, and run every test in its short form; QUICK=1: only what your change can break
	@scripts/packages.sh install $(TEST_PACKAGES)
	+@MAKE='$(MAKE)' $(if $(QUICK),tests/quick.sh $(BUILD),tests/run.sh $(CHECKS) $(ALSO))

# What is long by nature: stories of a year, walks, kills, random games, whole games on the board, and the
# checks with a second browser and with other people's readers.
test-long: export PLYD_TEST_LONG = 1
test-long: export PLYD_ORACLE_POSITIONS ?= 30000
test-long: ## the same at length, with Firefox, backups and other people's clients: before a release
	+@$(MAKE) test TEST_PACKAGES='$(TEST_PACKAGES) browsers clients' \
	    CHECKS='$(CHECKS:check-browser=check-browsers)' ALSO='check-back check-stable check-backup check-clients check-records $(ALSO)'

# The settings and the database that the caller's shell has for a daemon are hidden from tests. Memory is
# filled with rubbish before it is used and after it is freed (by glibc), so that reading it is noticed.
SETTINGS = $(filter-out PLYD_TEST_% PLYD_ORACLE_%,$(filter PLYD_% DATABASE_URL,$(.VARIABLES)))
ALONE = env $(SETTINGS:%=-u %) MALLOC_PERTURB_=90 PLYD_PROGRAM=$(PROGRAM) PLYD_NEXT=$(NEXT) \
    PLYD_TEST_GAMES=$(abspath $(BUILD)/games) \
    $(LOOPS:%=PLYD_LOOPS=%)

# When a test is taken for hung, in seconds, on any machine: no test measures by it.
PATIENCE_S = $(if $(PLYD_TEST_LONG),7200,1800)

# A test suite is one program: all tests in its folders, and the code that they test. suite(NAME,FOLDERS,CODE) makes
# it and check-NAME, which runs it. With a fourth argument it has a PostgreSQL of its own; the fifth is for tests that
# wait more than they work.
SUITES =
define suite
SUITES += $(1)
TESTED.$(1) = $(3)
WITH.$(1) = $(4)
.PHONY: check-$(1)
$(BUILD)/test-$(1): $(call objects,tests/criterion $(2)) $(3) | packages-test
	$$(say) LINK $$@
	$$(Q)$$(CC) $$(ALL_LDFLAGS) $$(LDFLAGS.$(1)) -o $$@ $$^ $$(ALL_LIBS) -lcriterion

check-$(1): $(BUILD)/test-$(1)
	$$(say) CHECK $(1)
	$$(Q)mkdir -p build/checks && $$(ALONE) $(4) $$< $(5) --timeout $$(PATIENCE_S) --filter '$$(FILTER)' --tap=build/checks/$(1).tap
	$$(Q)grep '^\(not \)\?ok ' build/checks/$(1).tap | grep -qv '# SKIP test was skipped$$$$' || \
	    { echo "plyd: no test of check-$(1) matches FILTER=$$(FILTER)" >&2; exit 1; }
endef
SERVER = scripts/postgres.sh with
WHOLE = $(API) $(DB) $(CONTRACT) $(ENGINE) $(RULES)

check-unit: ## test functions of api/ that need no server
$(eval $(call suite,unit,tests/unit tests/unit/*,$(SUPPORT) $(WHOLE)))
# Tests put themselves between libmicrohttpd and what it calls (tests/unit/net/test_habits.c), and answer in place
# of the database.
WRAPPED = tap_recv close send MHD_suspend_connection MHD_resume_connection \
    db_now db_ready db_claim_due db_forget_answers db_renew_positions db_get_player db_set_player
LDFLAGS.unit = $(addprefix -Wl$(comma)--wrap=,$(WRAPPED))
comma = ,

check-rules: ## test the games: contract, perft, a second implementation
EXAMPLE_CODE = $(filter-out %_demo.o,$(call objects,examples))
$(eval $(call suite,rules,tests/rules tests/reference tests/examples,$(EXAMPLE_CODE) $(CONTRACT) $(RULES)))

check-engine: ## test the engine: wins that it must find, determinism, legal moves only
$(eval $(call suite,engine,tests/engine,$(CONTRACT) $(ENGINE) $(RULES)))

check-terminal: $(PROGRAM) $(GAMES) ## test `plyd play`: whole sessions, keys, kills
$(eval $(call suite,terminal,tests/terminal,$(SUPPORT)))

check-db: $(PROGRAM) ## test the SQL statements, on a private PostgreSQL
$(eval $(call suite,db,tests/db,$(SUPPORT) $(DB),$(SERVER),--jobs 4))

check-http: $(PROGRAM) $(GAMES) ## test the daemon from outside, on a private PostgreSQL
$(eval $(call suite,http,tests/http tests/http/* tests/walk,$(SUPPORT) $(WHOLE),$(SERVER),--jobs 8))
$(BUILD)/test-http: | $(STILL)

check-fault: $(PROGRAM) $(NEXT) ## test with kill -9, freezes, cuts, a full disk, races
$(eval $(call suite,fault,tests/fault,$(SUPPORT) $(WHOLE),$(SERVER),--jobs 4))

tests: $(SUITES:%=$(BUILD)/test-%) ## build the test programs, build/FLAVOUR/test-SUITE

check: lint-layering check-unit check-rules check-engine check-terminal ## run the tests that need no PostgreSQL, in a minute

.PHONY: check-setup
check-setup: ## test scripts/: crashes, long paths, two at once, root and not
	$(say) CHECK setup
	$(Q)tests/setup/run.sh

.PHONY: check-sql
check-sql: $(PROGRAM) ## prepare every statement of db/sql/ by psql, in both forms, and compare it with the program's
	$(say) CHECK sql
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) scripts/postgres.sh with tests/sql/run.sh

.PHONY: check-back
check-back: $(PROGRAM) $(NEXT) $(BUILD)/test-fault ## the release before, built from git, serves on this one's schema: forward and back under load
	$(say) CHECK back
	$(Q)mkdir -p build/checks && previous=$$(tests/back/previous.sh) && \
	    $(ALONE) PLYD_TEST_PREVIOUS=$$previous $(SERVER) $(BUILD)/test-fault --timeout $(PATIENCE_S) --filter 'back/*' --tap=build/checks/back.tap

# The requests and the contract of the release before come from git, so this is no suite of `make tests`.
.PHONY: check-stable
check-stable: $(BUILD)/test-stable $(PROGRAM) $(STILL) ## the release before, from git: its requests are answered by its contract, and nothing that it promised is gone
	$(say) CHECK stable
	$(Q)mkdir -p build/checks && $(ALONE) $(SERVER) $< --timeout $(PATIENCE_S) --tap=build/checks/stable.tap

build/previous/steps.c: migrations/PREVIOUS tests/before/previous.sh
	$(Q)tests/before/previous.sh
build/previous/openapi.json: build/previous/steps.c build/contract
	$(Q)build/contract json build/previous/openapi.yaml > $@.new && mv $@.new $@
$(BUILD)/previous/steps.o: build/previous/steps.c $(BUILD)/flags
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
HOUSE = $(filter-out $(BUILD)/tests/http/test_%,$(call objects,tests/http))
$(BUILD)/test-stable: $(call objects,tests/criterion tests/before) $(BUILD)/previous/steps.o $(HOUSE) $(SUPPORT) $(WHOLE) | packages-test build/previous/openapi.json
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcriterion

.PHONY: check-backup
check-backup: $(PROGRAM) ## run the commands of docs/backup.md: dumps, base backups, going back to a moment
	$(say) CHECK backup
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) tests/backup/run.sh

.PHONY: oracle
oracle: export PLYD_ORACLE_POSITIONS ?= 100000
oracle: FILTER = oracle*/*
oracle: check-rules ## compare the games with the second implementation, at length

.PHONY: walk
walk: export PLYD_TEST_WALK_SEED = $(SEED)
walk: export PLYD_TEST_WALK_STEPS = $(STEPS)
walk: FILTER = walk/*
walk: PATIENCE_S = 7200
walk: check-http ## a random walk of several clients against a model: make walk SEED=1 STEPS=20000

.PHONY: playthroughs
playthroughs: $(BUILD)/test-rules ## rewrite the golden games; then read the difference
	$(Q)PLAYTHROUGHS=write $(BUILD)/test-rules --filter 'playthrough/*'

.PHONY: pictures
pictures: $(BUILD)/test-rules ## redraw the pictures of the README; then look at them
	$(Q)mkdir -p docs/pictures && PICTURES=write $(BUILD)/test-rules --filter 'pictures/*'

# A place of the stack that is used after its function has returned is found only if that is asked for.
.PHONY: asan tsan cover
asan: export ASAN_OPTIONS ?= detect_stack_use_after_return=1
asan: ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	+@$(call in_turn,asan,check check-db check-http check-fault fuzz-regress)

# ThreadSanitizer is used in the daemon, and in a program that searches in two threads. Both stop at the first race.
tsan tsan-engine: export TSAN_OPTIONS = halt_on_error=1
tsan: tsan-engine ## test the engine and the daemon with two loops under ThreadSanitizer
	+@$(MAKE) FLAVOUR=tsan build/tsan/plyd build/tsan/plyd-still
	+@$(call in_turn,release PROGRAM=build/tsan/plyd LOOPS=2,check-http check-fault)

.PHONY: tsan-engine
tsan-engine: ## search in two threads under ThreadSanitizer
	+@$(MAKE) FLAVOUR=tsan build/tsan/race-engine
	$(Q)build/tsan/race-engine

$(BUILD)/race-engine: $(BUILD)/tests/race/engine.o $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

cover: packages-cover ## measure the lines that tests reach; fails below COVER_FLOOR percent
	@find build/cover -name '*.gcda' -delete 2>/dev/null || true
	+@$(call in_turn,cover,check check-db check-http check-fault)
	$(Q)gcovr --root . --object-directory build/cover --filter '(api|db|engine|rules)/' \
	    --fail-under-line $(COVER_FLOOR)
