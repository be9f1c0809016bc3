# plyd - `make help` lists the targets. Start with `make run` and `make test`.
#
# Settings, as `make NAME=value`:
#   FLAVOUR  release (default), debug, asan, tsan, cover, fuzz: each builds in build/FLAVOUR/
#   CC       gcc (default) or clang
#   CFLAGS   further flags for the compiler, and LDFLAGS for the linker
#   WERROR   -Werror makes warnings errors (the default of FLAVOUR=debug, and of release in CI)
#   ARGS     further arguments of the daemon: make run ARGS="--listen 127.0.0.1:9000"
#   FILTER   the tests to run: make check-rules FILTER='jungle/*'
#   SEED     where `make walk` goes in STEPS steps, and which mistakes `make mutate` makes
#   FUZZ     the fuzzer to run, for SECS seconds
#   BENCH    the benchmarks that `make bench` runs (http perft keys; engine flood import worst waits streams db_append
#            size migrate);
#            ARGS goes to them: ARGS=--quick
#   RELEASE  the Debian in which `make check-debian` tests: bookworm, trixie (default)
#   GAME     the game whose weights `make fit` fits, to games of SECS seconds: make fit GAME=shogi SECS=3600
#   V        1 shows the commands

FLAVOUR = release
ifeq ($(origin CC),default)
CC = gcc
endif
FILTER = *
SECS = 60
SEED = 1
STEPS = 20000
BENCH = http perft keys
GAME = shogi
COVER_FLOOR = 92
PREFIX = /usr/local

# ---- flags ---------------------------------------------------------------------------------------

PACKAGES = libcjson libpq libsodium libcurl zlib gnutls
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PACKAGE_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)

# Not with sanitizers: gcc warns about the code that they add.
WERROR = $(if $(filter debug,$(FLAVOUR))$(and $(CI),$(filter release,$(FLAVOUR))),-Werror)
WARNINGS = -Wall -Wextra -Wshadow -Wconversion
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

FLAGS.release = -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS.debug = -O0 -g3 -DPLYD_FAULTS
FLAGS.asan = -O1 -g $(SANITIZE) -DPLYD_FAULTS
FLAGS.tsan = -O1 -g -DPLYD_FAULTS -fsanitize=thread -fno-omit-frame-pointer
FLAGS.cover = -O0 -g --coverage -DPLYD_FAULTS
FLAGS.fuzz = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
RULES_FLAGS.release = -O3
LINK.release = -Wl,-z,relro,-z,now

ALL_CPPFLAGS = -D_GNU_SOURCE -I. -Ibuild $(PACKAGE_CFLAGS) $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -pthread $(WARNINGS) $(WERROR) $(FLAGS.$(FLAVOUR)) $(CFLAGS)
ALL_LDFLAGS = $(FLAGS.$(FLAVOUR)) $(LINK.$(FLAVOUR)) $(LDFLAGS)
ALL_LIBS = $(PACKAGE_LIBS) -pthread -lm $(LDLIBS)

ifeq ($(FLAGS.$(FLAVOUR)),)
$(error FLAVOUR=$(FLAVOUR) is none of release, debug, asan, tsan, cover, fuzz)
endif
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc) --no-builtin-rules --no-print-directory
endif
Q = $(if $(V),,@)
say = @$(if $(V),:,printf '  %-7s %s\n')

# Makes the targets $(2) with FLAVOUR=$(1) one after the other. Goes on if one fails, and fails at the end.
in_turn = failed=; \
    for target in $(2); do $(MAKE) FLAVOUR=$(1) $$target || failed="$$failed $$target"; done; \
    [ -z "$$failed" ] || { echo "plyd: failed:$$failed" >&2; exit 1; }

# ---- libraries, rooms and test suites ------------------------------------------------------------

BUILD = build/$(FLAVOUR)
PLYD = $(BUILD)/plyd
PROGRAM = $(PLYD)
RULES = $(BUILD)/librules.a
ENGINE = $(BUILD)/libengine.a
DB = $(BUILD)/libdb.a
API = $(BUILD)/libapi.a
SUPPORT = $(BUILD)/libsupport.a

# The rooms of api/, each of which uses only those before it (ARCHITECTURE.md).
API_ROOMS = text record game view http loop net table hooks play handle tool terminal
API_FOLDERS = $(API_ROOMS:%=api/%) api
PURE_ROOMS = text record game view http

# rules/ has the code that all games share, draw/ their boards as texts and pictures. Each other folder is
# one game.
RULES_FOLDERS = rules $(addprefix rules/,draw shogi stackchess jungle draughts tictactoe)

# The object of every C file in the folders $(1).
objects = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard $(addsuffix /*.c,$(1)))))

# A test suite is one program: all tests in its folders, and the code that they test.
SUITES = unit rules engine terminal db http fault
FOLDERS.unit = tests/unit
FOLDERS.rules = tests/rules tests/reference tests/examples
FOLDERS.engine = tests/engine
FOLDERS.terminal = tests/terminal
FOLDERS.db = tests/db
FOLDERS.http = tests/http tests/walk
FOLDERS.fault = tests/fault
TESTED.unit = $(API) $(DB) $(ENGINE) $(RULES)
TESTED.rules = $(filter-out %_demo.o,$(call objects,examples)) $(RULES)
TESTED.engine = $(BUILD)/tests/rules/walk.o $(ENGINE) $(RULES)
TESTED.terminal = $(SUPPORT)
TESTED.db = $(SUPPORT) $(DB)
TESTED.http = $(SUPPORT) $(API) $(DB) $(ENGINE) $(RULES)
TESTED.fault = $(SUPPORT) $(API) $(DB) $(ENGINE) $(RULES)
# Tests put themselves between libmicrohttpd and what it calls (tests/unit/test_habits.c).
LDFLAGS.unit = $(addprefix -Wl$(comma)--wrap=,tap_recv close send MHD_suspend_connection MHD_resume_connection)
comma = ,
# Tests of these wait more than they work.
JOBS.db = --jobs 4
JOBS.http = --jobs 8
JOBS.fault = --jobs 4
WITH.db = scripts/postgres.sh with
WITH.http = scripts/postgres.sh with
WITH.fault = scripts/postgres.sh with

FUZZERS = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

# The texts inside the program: `#include "embed/PATH.inc"` is the file PATH as a C string. PATH may
# itself be made in build/embed/.
EMBEDDED = $(wildcard $(RULES_FOLDERS:%=%/*.md) api/pages/*.html)
# The statements of db/sql/ as C (scripts/sql.awk): all of them, and apart what several files of db/ look at.
STATEMENTS = $(addprefix build/embed/db/,statements.def kinds.def functions.def numbers.def scan.def inspect.def)
EMBEDS = build/embed/migrations.def build/embed/files.def $(STATEMENTS) $(EMBEDDED:%=build/embed/%.inc)

# The files that the program serves as they are (api/http/files.h), and their types.
# What others may load keeps its comments; what pages load is made from it in build/embed/pages/.
PAGES = $(patsubst api/%,build/embed/%,$(wildcard $(addprefix api/pages/*.,js css svg)))
OPEN_FILES = $(addprefix api/pages/,plyd.js plyd.d.ts board.js) FRONTENDS.md openapi.yaml \
    $(addprefix build/embed/,openapi.json operations.txt)
TYPE.js = text/javascript; charset=utf-8
TYPE.ts = text/plain; charset=utf-8
TYPE.css = text/css; charset=utf-8
TYPE.svg = image/svg+xml
TYPE.md = text/markdown; charset=utf-8
TYPE.yaml = application/yaml
TYPE.json = application/json
TYPE.txt = text/plain; charset=utf-8

CODE_FOLDERS = $(API_FOLDERS) db engine $(RULES_FOLDERS) examples tests/*
C_FILES = $(wildcard $(CODE_FOLDERS:%=%/*.c) scripts/*.c)
HEADERS = $(wildcard $(CODE_FOLDERS:%=%/*.h))
SCRIPTS = .ci/run $(wildcard scripts/*.sh tests/*/*.sh)

# ---- building ------------------------------------------------------------------------------------

.PHONY: all
all: $(PLYD) $(if $(filter release,$(FLAVOUR)),build/plyd) ## build build/plyd, or build/FLAVOUR/plyd (the default)

build/plyd: build/release/plyd
	@ln -sf release/plyd $@

ifneq ($(FLAVOUR),release)
build/release/plyd: FORCE
	+@$(MAKE) FLAVOUR=release $@
endif

$(PLYD): $(BUILD)/api/main.o $(API) $(DB) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(RULES): $(call objects,$(RULES_FOLDERS))
$(ENGINE): $(call objects,engine)
$(DB): $(call objects,db)
$(API): $(filter-out $(BUILD)/api/main.o,$(call objects,$(API_FOLDERS))) $(BUILD)/microhttpd.o
$(SUPPORT): $(call objects,tests/support)
# Appended (q), since replacing (r) would keep only one of the objects that have the same name.
# libmicrohttpd becomes a part of the program, and reads with tap_recv() instead of recv() (api/net/tap.h). So plyd
# takes no function from other libraries, and runs with the release that it was built and tested with.
MICROHTTPD := $(shell pkg-config --variable=libdir libmicrohttpd 2>/dev/null)/libmicrohttpd.a
$(BUILD)/microhttpd.o: $(MICROHTTPD) | packages-build
	$(say) RENAME $@
	$(Q)mkdir -p $(@D) && ld -r --whole-archive $< -o $@.new && \
	    objcopy --redefine-sym recv=tap_recv $@.new $@ && rm $@.new
	$(Q)nm --undefined-only $@ | grep -q ' U tap_recv$$' || { rm $@; echo 'plyd: $< does not call recv()' >&2; exit 1; }

$(RULES) $(ENGINE) $(DB) $(API) $(SUPPORT):
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) qcs $@ $^

$(call objects,$(RULES_FOLDERS) engine): private ALL_CFLAGS += $(RULES_FLAGS.$(FLAVOUR))

$(BUILD)/%.o: %.c $(BUILD)/flags | $(EMBEDS)
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# This file changes when the compiler or the flags change. Then everything is rebuilt. Several makes may
# look at once.
$(BUILD)/flags: FORCE | packages-build
	@mkdir -p $(@D) && echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' > $@.$$$$ && \
	    if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# Writes a text file as C string literals, one per line.
as_c_string = sed -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n"/'

build/embed/%.inc: %
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && $(as_c_string) $< > $@

# Writes bytes as C string literals.
as_c_bytes = od -An -v -tx1 | sed -e 's/ \(..\)/\\x\1/g' -e 's/.*/"&"/'

# Leaves out lines that are comments, and blanks before lines.
build/embed/pages/%: api/pages/%
	$(Q)mkdir -p $(@D) && sed -e 's/^ *//' -e '/^\/\/ /d' -e '/^\/\*.*\*\/$$/d' \
	    -e '/^\/\*\*\( [^*]*\)\?$$/,/\*\/$$/d' -e '/^$$/d' $< > $@

# The served files as C: FILE_OF("name", "type", "the file's text", "the same compressed"), one for each.
build/embed/files.def: $(OPEN_FILES) $(PAGES)
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && { $(foreach file,$(OPEN_FILES) $(PAGES), \
	    echo 'FILE_OF("$(if $(filter $(file),$(OPEN_FILES)),/)$(notdir $(file))", "$(TYPE$(suffix $(file)))",'; $(as_c_string) $(file); echo ,; \
	    gzip -9n < $(file) | $(as_c_bytes); echo ')';) } > $@.new && mv $@.new $@

build/embed/openapi.json: openapi.yaml build/contract
	$(say) MAKE $@
	$(Q)mkdir -p $(@D) && build/contract json $< > $@.new && mv $@.new $@

build/embed/operations.txt: openapi.yaml build/contract
	$(say) MAKE $@
	$(Q)mkdir -p $(@D) && build/contract text $< > $@.new && mv $@.new $@

build/contract: scripts/contract.c | packages-build
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 $(WARNINGS) $(WERROR) -o $@ $< -lyaml

# The migrations as C: DB_MIGRATION(number, "name", "the file's text"), one for each file.
build/embed/migrations.def: $(wildcard migrations/*.sql)
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && for file in $(sort $^); do \
	    name=$$(basename "$$file" .sql); \
	    echo "DB_MIGRATION($$(expr "$${name%%_*}" + 0), \"$$name\","; \
	    $(as_c_string) "$$file"; \
	    echo ')'; \
	done > $@

SQL = awk -f $(CURDIR)/scripts/sql.awk

build/embed/db/all.def: scripts/sql.awk $(wildcard db/sql/*.sql db/sql/lib/* db/sql/citus/*)
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && cd db/sql && $(SQL) *.sql > $(CURDIR)/$@.new && mv $(CURDIR)/$@.new $(CURDIR)/$@

build/embed/db/statements.def: build/embed/db/all.def
	$(Q)grep -v '^DB_SQL_' $< > $@
build/embed/db/kinds.def: build/embed/db/all.def
	$(Q)sed -n 's/^DB_SQL(\([A-Z_]*\),.*/DB_SQL_KIND(\1)/p' $< > $@
build/embed/db/functions.def: build/embed/db/all.def
	$(Q)grep -E '^DB_SQL_(BIND|DECODE|PIECE)' $< > $@
build/embed/db/numbers.def: build/embed/db/all.def
	$(Q)grep '^DB_SQL_NUMBER' $< > $@

build/embed/db/scan.def: MACRO = DB_SCAN
build/embed/db/inspect.def: MACRO = DB_QUESTION
build/embed/db/scan.def build/embed/db/inspect.def: build/embed/db/%.def: build/embed/db/all.def
	$(Q)cd db/sql && $(SQL) -v text=$(MACRO) $*/*.sql > $(CURDIR)/$@.new && mv $(CURDIR)/$@.new $(CURDIR)/$@
build/embed/db/scan.def: $(wildcard db/sql/scan/*)
build/embed/db/inspect.def: $(wildcard db/sql/inspect/*)

FORM = plain
.PHONY: sql
sql: ## print what PostgreSQL gets of a statement: NAME=append, FORM=citus for its other form
	$(Q)cd db/sql && $(SQL) -v show=$(FORM) $(NAME).sql

# packages-GROUP fails if packages of a group are missing, and says how to install them.
packages-%: FORCE
	@scripts/packages.sh check $*

-include $(shell find build -path build/deb -prune -o -name '*.d' -print 2>/dev/null)

# Keeps intermediate objects for the next build.
.SECONDARY:

# ---- running -------------------------------------------------------------------------------------

.PHONY: run
run: ## install what is missing, build, and serve on http://localhost:8080
	@scripts/packages.sh install build run $(if $(DATABASE_URL),,server)
	+@$(MAKE) all
	@exec scripts/run.sh $(PLYD) $(ARGS)

.PHONY: dama
dama: $(BUILD)/dama ## build the example: Turkish draughts with the function names of its exercise

$(BUILD)/dama: $(call objects,examples) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^

# ---- testing -------------------------------------------------------------------------------------

.PHONY: test test-long tests check check-setup oracle
# The longest first. Those that mostly wait run beside those that compute. ALSO names further checks.
CHECKS = check-http check-browser fuzz-regress check-fault check-rules check-db check-engine check-setup \
    check-unit check-terminal check-sql lint-layering
TEST_PACKAGES = build server test confine browser
test: ## install what is missing, build, and run every test in its short form; the last lines are a table
	@scripts/packages.sh install $(TEST_PACKAGES)
	+@MAKE='$(MAKE)' tests/run.sh 3 $(CHECKS) $(ALSO)

# What is long by nature: stories of a year, walks, kills, random games, whole games on the board, and the
# checks with a second browser and with other people's readers.
test-long: export PLYD_TEST_LONG = 1
test-long: export PLYD_ORACLE_POSITIONS ?= 30000
test-long: ## the same at length, with Firefox, backups and other people's clients: before a release
	+@$(MAKE) test TEST_PACKAGES='$(TEST_PACKAGES) browsers' \
	    CHECKS='$(CHECKS:check-browser=check-browsers)' ALSO='check-backup check-clients check-records $(ALSO)'

tests: $(SUITES:%=$(BUILD)/test-%) ## build the test programs, build/FLAVOUR/test-SUITE

check: lint-layering check-unit check-rules check-engine check-terminal ## run the tests that need no PostgreSQL, in a minute

check-unit: ## test functions of api/ that need no server
check-rules: ## test the games: contract, perft, a second implementation
check-engine: ## test the engine: wins that it must find, determinism, legal moves only
check-terminal: ## test `plyd play`: whole sessions, keys, kills
check-db: ## test the SQL statements, on a private PostgreSQL
check-http: ## test the daemon from outside, on a private PostgreSQL
check-fault: ## test with kill -9, freezes, cuts, a full disk, races

check-terminal check-db check-http check-fault: $(PROGRAM)

# The settings and the database that the caller's shell has for a daemon are hidden from tests. Memory is
# filled with rubbish before it is used and after it is freed (by glibc), so that reading it is noticed.
SETTINGS = $(filter-out PLYD_TEST_% PLYD_ORACLE_%,$(filter PLYD_% DATABASE_URL,$(.VARIABLES)))
ALONE = env $(SETTINGS:%=-u %) MALLOC_PERTURB_=90 PLYD_PROGRAM=$(PROGRAM) $(LOOPS:%=PLYD_LOOPS=%)

define suite_program
.PHONY: check-$(1)
$(BUILD)/test-$(1): $(call objects,$(FOLDERS.$(1))) $(TESTED.$(1)) | packages-test
	$$(say) LINK $$@
	$$(Q)$$(CC) $$(ALL_LDFLAGS) $$(LDFLAGS.$(1)) -o $$@ $$^ $$(ALL_LIBS) -lcriterion

check-$(1): $(BUILD)/test-$(1)
	$$(say) CHECK $(1)
	$$(Q)mkdir -p build/checks && $$(ALONE) $(WITH.$(1)) $$< $(JOBS.$(1)) --filter '$$(FILTER)' --tap=build/checks/$(1).tap
	$$(Q)grep '^\(not \)\?ok ' build/checks/$(1).tap | grep -qv '# SKIP test was skipped$$$$' || \
	    { echo "plyd: no test of check-$(1) matches FILTER=$$(FILTER)" >&2; exit 1; }
endef
$(foreach suite,$(SUITES),$(eval $(call suite_program,$(suite))))

check-setup: ## test scripts/: crashes, long paths, two at once, root and not
	$(say) CHECK setup
	$(Q)tests/setup/run.sh

.PHONY: check-sql
check-sql: $(PROGRAM) ## prepare every statement of db/sql/ by psql, in both forms, and compare it with the program's
	$(say) CHECK sql
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) scripts/postgres.sh with tests/sql/run.sh

.PHONY: check-backup
check-backup: $(PROGRAM) ## run the commands of docs/backup.md: dumps, base backups, going back to a moment
	$(say) CHECK backup
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) tests/backup/run.sh

oracle: export PLYD_ORACLE_POSITIONS ?= 100000
oracle: FILTER = oracle*/*
oracle: check-rules ## compare the games with the second implementation, at length

.PHONY: walk
walk: export PLYD_TEST_WALK_SEED = $(SEED)
walk: export PLYD_TEST_WALK_STEPS = $(STEPS)
walk: FILTER = walk/*
walk: check-http ## a random walk of several clients against a model: make walk SEED=1 STEPS=20000

.PHONY: playthroughs
playthroughs: $(BUILD)/test-rules ## rewrite the golden games; then read the difference
	$(Q)PLAYTHROUGHS=write $(BUILD)/test-rules --filter 'playthrough/*'

.PHONY: pictures
pictures: $(BUILD)/test-rules ## redraw the pictures of the README; then look at them
	$(Q)mkdir -p docs/pictures && PICTURES=write $(BUILD)/test-rules --filter 'pictures/*'

.PHONY: asan tsan cover bench
# tests/lint/leaks.txt knows Criterion's own leaks by their first callers. A longer stack would always end
# in Criterion, which calls every test.
asan: export ASAN_OPTIONS = malloc_context_size=2
asan: export LSAN_OPTIONS = suppressions=tests/lint/leaks.txt:print_suppressions=0
asan: ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	+@$(call in_turn,asan,check check-db check-http check-fault fuzz-regress)

# ThreadSanitizer needs the same addresses as Criterion, so it is used without: in the daemon, and in a
# program that searches in two threads. Both stop at the first race.
tsan tsan-engine: export TSAN_OPTIONS = halt_on_error=1
tsan: tsan-engine ## test the engine and the daemon with two loops under ThreadSanitizer
	+@$(MAKE) FLAVOUR=tsan build/tsan/plyd
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

# Servers that a bench makes are not in memory, as those of tests are.
bench: ## install what is missing, and measure the speed relative to other programs
	@scripts/packages.sh install build server bench
	+@$(MAKE) $(PLYD) $(BENCH:%=$(BUILD)/bench-%)
	$(Q)for bench in $(BENCH); do \
	    PLYD_PROGRAM=$(PLYD) scripts/postgres.sh with env -u PLYD_TEST_PRISTINE \
	        $(BUILD)/bench-$$bench $(ARGS) || exit 1; \
	done

.PHONY: soak
soak: ## install what is missing, and send the daemon 360,000 good and bad requests
	@scripts/packages.sh install build server
	+@$(MAKE) $(PLYD) $(BUILD)/bench-soak
	$(Q)PLYD_PROGRAM=$(PLYD) scripts/postgres.sh with $(BUILD)/bench-soak $(ARGS)

$(BUILD)/bench-engine: $(BUILD)/tests/bench/plain.o

# Positions are kept: the next run adds to them. Those of an engine whose weights are old are still of use.
.PHONY: fit
fit: $(BUILD)/bench-fit ## let the engine play GAME against itself on all processors, and fit its weights to that
	$(say) FIT engine/$(GAME)_weights.def
	$(Q)mkdir -p build/fit
	$(Q)for i in $$(seq $$(nproc)); do \
	    nice $(BUILD)/bench-fit --game $(GAME) --only play --seconds $(SECS) --seed $$(date +%N)$$i build/fit/$(GAME).$$i & \
	done; wait
	$(Q)$(BUILD)/bench-fit --game $(GAME) --only fit build/fit/$(GAME).* >build/fit/weights.def
	$(Q)mv build/fit/weights.def engine/$(GAME)_weights.def

$(BUILD)/bench-%: $(BUILD)/tests/bench/%.o $(SUPPORT) $(API) $(DB) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Proxies that are not installed are left out.
.PHONY: check-proxies
check-proxies: $(PROGRAM) $(BUILD)/proxies-load ## (nginx, caddy, haproxy) the files of contrib/ in front of two daemons; ten rolling restarts
	$(say) CHECK proxies
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) PLYD_LOAD=$(abspath $(BUILD)/proxies-load) \
	    scripts/postgres.sh with tests/proxies/run.sh

.PHONY: check-monitoring picture-dashboard
check-monitoring: $(PROGRAM) ## (prometheus, node) live daemons have data for every panel of the dashboard
	$(say) CHECK monitoring
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) scripts/postgres.sh with tests/monitoring/run.sh

picture-dashboard: $(PROGRAM) ## (prometheus, node) redraw the picture of the dashboard, in three minutes; then look at it
	$(say) DRAW docs/pictures/dashboard.svg
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) \
	    scripts/postgres.sh with tests/monitoring/run.sh picture docs/pictures/dashboard.svg

# CITUS is the pg_config of a PostgreSQL that has Citus, or the connection string of a coordinator's database.
.PHONY: drill-citus
CITUS =
DRILLED = $(addprefix $(BUILD)/test-,db http fault)
drill-citus: $(PROGRAM) $(DRILLED) ## (Citus) the suites of db and HTTP on Citus, kills of a worker: make drill-citus CITUS=/path/to/pg_config
	$(say) DRILL citus
	$(Q)[ -n "$(CITUS)" ] || { echo "plyd: say where Citus is: make drill-citus CITUS=/path/to/pg_config, or" \
	    "CITUS=postgresql://HOST/NAME. docs/citus.md says how to build it." >&2; exit 1; }
	$(Q)$(ALONE) FILTER='$(FILTER)' scripts/citus.sh with '$(CITUS)' tests/citus/run.sh $(DRILLED)

$(BUILD)/proxies-load: $(BUILD)/tests/proxies/load.o $(SUPPORT) $(API) $(DB) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# The clients and judges of check-fault, one fault after the other.
.PHONY: drill-patroni
drill-patroni: ## (patroni, etcd, haproxy) install what is missing; kill, freeze and switch servers of a cluster under two daemons
	@scripts/packages.sh install build server test patroni
	+@$(MAKE) $(PROGRAM) $(BUILD)/drill-patroni
	$(say) DRILL patroni
	@echo '| fault | acknowledged | lost | doubled | longest gap, s | told again | /readyz of the daemons | load |'
	$(Q)$(ALONE) tests/failover/cluster.sh with $(BUILD)/drill-patroni --jobs 1 --filter '$(FILTER)'

DRILL_CLIENTS = $(addprefix $(BUILD)/tests/fault/,players.o friends.o stubborn.o)
$(BUILD)/drill-patroni: $(call objects,tests/failover) $(DRILL_CLIENTS) $(TESTED.fault) | packages-test
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcriterion

# ---- mutation testing ----------------------------------------------------------------------------
# Makes COUNT small mistakes, chosen by SEED in the files and folders PLACE, to see how good the tests are.
# A coverage build shows first which test suites reach which lines.

.PHONY: mutate mutate-check reach
COUNT = 100
PLACE = api db engine rules
# The fastest first. The tests of faults take too long.
MUTATE_SUITES = $(filter-out fault,$(SUITES))
MUTATE = $(ALONE) KINDS='$(MUTATE_SUITES)' tests/mutate
MUTATED = build/mutate-tool build/release/plyd $(MUTATE_SUITES:%=build/release/test-%)
mutate: $(MUTATED) ## make small mistakes in the code, and print those that no test notices
	+@$(MAKE) FLAVOUR=cover reach
	$(Q)$(MUTATE)/run.sh build/mutate $(COUNT) $(SEED) $(shell nproc) $(PLACE)

mutate-check: $(MUTATED) ## check that `make mutate` works: seven mistakes, of which a test of each kind notices one
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

# ---- fuzzing -------------------------------------------------------------------------------------
# A fuzzer is tests/fuzz/fuzz_NAME.c with the dictionary tests/fuzz/NAME.dict. tests/fuzz/corpus/NAME/
# has inputs to start from, tests/fuzz/regression/NAME/ every input that ever broke something.

.PHONY: fuzz fuzz-keep fuzz-regress
fuzz: ## run one fuzzer: make fuzz FUZZ=name SECS=60
	$(if $(FUZZ),,$(error which? make fuzz FUZZ=name, of: $(FUZZERS)))
	+@$(MAKE) FLAVOUR=fuzz CC=clang build/fuzz/fuzz-$(FUZZ)
	@mkdir -p build/fuzz/found/$(FUZZ) tests/fuzz/corpus/$(FUZZ) tests/fuzz/regression/$(FUZZ)
	$(Q)build/fuzz/fuzz-$(FUZZ) -max_total_time=$(SECS) \
	    $(addprefix -dict=,$(wildcard tests/fuzz/$(FUZZ).dict)) \
	    -artifact_prefix=tests/fuzz/regression/$(FUZZ)/ \
	    build/fuzz/found/$(FUZZ) tests/fuzz/corpus/$(FUZZ)

fuzz-keep: ## add the inputs that reach new code to the corpus: make fuzz-keep FUZZ=name
	$(if $(FUZZ),,$(error which? make fuzz-keep FUZZ=name, of: $(FUZZERS)))
	$(Q)build/fuzz/fuzz-$(FUZZ) -merge=1 tests/fuzz/corpus/$(FUZZ) build/fuzz/found/$(FUZZ)

fuzz-regress: ## run the fuzzers on every kept input once, under the sanitizers
	+@$(MAKE) FLAVOUR=asan $(FUZZERS:%=replay-%)

replay-%: $(BUILD)/replay-%
	$(say) REPLAY $*
	$(Q)$< $(wildcard tests/fuzz/corpus/$* tests/fuzz/regression/$*)

build/fuzz/fuzz-%: build/fuzz/tests/fuzz/fuzz_%.o $(API) $(DB) $(ENGINE) $(RULES) | packages-fuzz
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(ALL_LIBS)

$(BUILD)/replay-%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(API) $(DB) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# ---- lint ----------------------------------------------------------------------------------------

.PHONY: lint lint-clang lint-layering lint-format lint-headers lint-code lint-scripts format
lint: packages-lint ## run lint-layering, lint-format, lint-headers, lint-code and lint-scripts
	+@$(call in_turn,release,lint-layering lint-format lint-headers lint-code lint-scripts)

lint-layering: $(RULES) $(ENGINE) $(DB) $(API) $(BUILD)/api/main.o ## check which folder may use which, what is pure, and that nothing is a circle
	$(say) LINT layering
	$(Q)tests/lint/layering.sh $(API_ROOMS)
	$(Q)$(if $(filter release,$(FLAVOUR)),$(lint_objects))

# Checks of the compiled objects, each library by itself.
define lint_objects
tests/lint/symbols.sh $(RULES) && \
    tests/lint/symbols.sh $(ENGINE) $(RULES) && \
    tests/lint/circles.sh $(call objects,$(RULES_FOLDERS)) && \
    tests/lint/circles.sh $(call objects,engine) && \
    tests/lint/circles.sh $(call objects,db) && \
    tests/lint/circles.sh $(call objects,$(API_FOLDERS)) && \
    tests/lint/pure.sh $(RULES) $(ENGINE) $(call objects,$(PURE_ROOMS:%=api/%))
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
	$(Q)mkdir -p $(@D) && $(LINT) -MMD -MP -MF $@.d -MT $@ $<
	$(Q)$(if $(filter $<,$(UNTIDY)),,clang-tidy --quiet --warnings-as-errors='*' $< -- \
	    $(ALL_CPPFLAGS) -std=c11 2>/dev/null)
	@touch $@

format: ## format every C file
	$(Q)clang-format -i $(C_FILES) $(HEADERS)

# ---- other people's tools ------------------------------------------------------------------------
# Checks with packages of npm, in build/clients/ and build/browser/. They are not needed to build plyd. Of
# these `make test` runs check-browser, and .ci/run lint-openapi, too.

.PHONY: lint-openapi check-clients check-browser check-browsers check-records report-records
CLIENTS = build/clients
CLIENT_TOOLS = $(CLIENTS)/node_modules/.bin

lint-openapi: $(CLIENTS)/installed ## (npm) check openapi.yaml with a public linter
	$(say) LINT openapi.yaml
	$(Q)$(CLIENT_TOOLS)/redocly lint --config tests/clients/redocly.yaml openapi.yaml \
	    >$(CLIENTS)/lint.log 2>&1 && ! grep -q 'Warning was generated' $(CLIENTS)/lint.log || \
	    { cat $(CLIENTS)/lint.log; exit 1; }

# BROWSER_TESTS names one file or some.
BROWSER = build/browser
BROWSER_TESTS = $(wildcard tests/browser/test_*.mjs)
check-browser: export PLYD_TEST_BROWSERS ?= chromium
check-browsers: export PLYD_TEST_BROWSERS ?= chromium,firefox
check-browsers: export PLYD_TEST_LONG = 1
check-browser: ## (npm, chromium-headless-shell) what pages load and the samples of FRONTENDS.md, beside a daemon that fails
check-browsers: packages-browsers ## (npm, chromium-headless-shell, firefox-esr) the same in both browsers, with whole games by every input
check-browser check-browsers: packages-browser $(BROWSER)/installed $(PROGRAM)
	$(say) CHECK '$(@:check-%=%)'
	$(Q)$(ALONE) PLYD_BROWSER_TOOLS=$(BROWSER) scripts/postgres.sh with tests/browser/run.sh $(BROWSER_TESTS)
$(BROWSER)/installed: | packages-browser

# The generator runs with its default settings. With them a member that has a `default` must be sent, and
# an object whose members are not described is Record<string, never>: but for the empty body, the contract
# has neither.
check-clients: $(CLIENTS)/installed $(PROGRAM) ## (npm) play every game with a generated client, and hold the types of plyd.js against the contract
	$(say) CHECK clients
	$(Q)cp tests/clients/*.ts tests/clients/tsconfig.json api/pages/plyd.d.ts $(CLIENTS)
	$(Q)$(CLIENT_TOOLS)/openapi-typescript openapi.yaml \
	    -o $(CLIENTS)/schema.d.ts >$(CLIENTS)/generate.log 2>&1 || { cat $(CLIENTS)/generate.log; exit 1; }
	$(Q)$(CLIENT_TOOLS)/tsc --project $(CLIENTS)
	$(Q)$(ALONE) scripts/postgres.sh with tests/clients/run.sh $(PROGRAM) $(CLIENTS)/play.js

RECORDS = 100
check-records: $(CLIENTS)/installed $(BUILD)/records-tool ## (npm) compare shogi records with tsshogi and json-kifu-format
	$(say) CHECK records
	$(Q)node tests/clients/records.cjs $(BUILD)/records-tool $(CLIENTS) $(CLIENTS)/records $(RECORDS)

FILES =
report-records: $(CLIENTS)/installed $(BUILD)/records-tool ## (npm) what we make of a folder of record files: make report-records FILES=folder
	$(if $(FILES),,$(error which? make report-records FILES=folder))
	$(Q)node tests/clients/record_files.cjs $(BUILD)/records-tool $(CLIENTS) $(CLIENTS)/files $(FILES)

$(BUILD)/records-tool: $(BUILD)/tests/clients/records_tool.o $(BUILD)/tests/unit/records.o $(API) \
    $(DB) $(ENGINE) $(RULES) | packages-test
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcriterion

$(CLIENTS)/installed $(BROWSER)/installed: build/%/installed: tests/%/package.json tests/%/package-lock.json tests/%/.npmrc
	$(say) NPM $(@D)
	$(Q)mkdir -p $(@D) && cp $^ $(@D)
	$(Q)(cd $(@D) && npm ci --loglevel=error >npm.log 2>&1) || { cat $(@D)/npm.log; exit 1; }
	@touch $@

# ---- install, clean, help ------------------------------------------------------------------------

.PHONY: install clean help FORCE
install: all build/plyd.1 build/plyd.service ## install under PREFIX (/usr/local), inside DESTDIR if that is given
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
	$(say) DEB $(DEB)
	$(Q)cd $(DEB)/plyd && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CI \
	    dpkg-buildpackage -b -us -uc >../build.log 2>&1 || { tail -n 40 ../build.log; exit 1; }
	$(Q)lintian --fail-on warning --tag-display-limit 0 $(DEB)/*.changes
	@ls $(DEB)/*.deb

# With `make deb check-deb` the package that is tested is the new one.
check-deb: $(filter deb,$(MAKECMDGOALS)) ## (root, debootstrap) install, upgrade and purge the package of `make deb` in an empty Debian
	$(say) CHECK deb
	$(Q)tests/package/run.sh $(DEB)/plyd_*.deb

RELEASE = trixie
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
	    -e "s/@VERSION@/$$(build/release/plyd version | cut -d ' ' -f 2)/" $< > $@

clean: ## stop test servers and remove build/ (never var/, the data of `make run`)
	@for server in build/postgres/*/; do \
	    [ ! -d "$$server" ] || scripts/postgres.sh remove "$$server"; \
	done
	$(Q)rm -rf build

help: ## print this list; the settings are at the top of the Makefile
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 18
