# plyd - `make help` lists the targets. Two are enough to begin with: `make run`, `make test`.
#
# Settings, given as `make NAME=value`:
#   FLAVOUR  release (default), debug, asan, tsan, cover or fuzz: each builds in build/FLAVOUR/
#   CC       gcc (default) or clang
#   CFLAGS   further compiler flags; likewise LDFLAGS
#   WERROR   -Werror makes warnings errors (default in CI and in every flavour but release)
#   FILTER   run only the tests that match, e.g. `make check-rules FILTER='jungle/*'`
#   ARGS     further arguments, e.g. `make run ARGS="--listen 127.0.0.1:9000"`
#   V        1 shows the commands

FLAVOUR = release
ifeq ($(origin CC),default)
CC = gcc
endif
PREFIX = /usr/local
COVER_FLOOR = 80
FILTER = *
SECS = 60

# ---- flags ---------------------------------------------------------------------------------------

PACKAGES = libmicrohttpd libcjson libpq libsodium
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PACKAGE_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)

CPPFLAGS += -D_GNU_SOURCE -I. -Ibuild $(PACKAGE_CFLAGS)
LANGUAGE = -std=c11 -Wall -Wextra -Wshadow -Wconversion $(WERROR) -pthread -MMD -MP
LDLIBS += $(PACKAGE_LIBS) -pthread
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

FLAGS.release = -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS.debug = -O0 -g3
FLAGS.asan = -O1 -g $(SANITIZE)
FLAGS.tsan = -O1 -g -fsanitize=thread -fno-omit-frame-pointer
FLAGS.cover = -O0 -g --coverage
FLAGS.fuzz = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
ifeq ($(FLAGS.$(FLAVOUR)),)
$(error FLAVOUR=$(FLAVOUR) is none of release, debug, asan, tsan, cover, fuzz)
endif
ifneq ($(FLAVOUR)$(CI),release)
WERROR = -Werror
endif
RULES_FLAGS.release = -O3
LINK.release = -Wl,-z,relro,-z,now

ALL_CFLAGS = $(LANGUAGE) $(FLAGS.$(FLAVOUR)) $(CFLAGS)
ALL_LDFLAGS = $(FLAGS.$(FLAVOUR)) $(LINK.$(FLAVOUR)) $(LDFLAGS)

ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif
MAKEFLAGS += --no-builtin-rules
Q = $(if $(V),,@)
say = @$(if $(V),:,printf '  %-7s %s\n')

# ---- what is built of what -----------------------------------------------------------------------

BUILD = build/$(FLAVOUR)
RULES = $(BUILD)/librules.a
DB = $(BUILD)/libdb.a
API = $(BUILD)/libapi.a
PLYD = $(BUILD)/plyd
SUPPORT = $(BUILD)/libsupport.a

# The objects of every C file in the folders $(1).
objects = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard $(addsuffix /*.c,$(1)))))

# The test suites: the folders whose tests make one program, and the libraries that it needs.
SUITES = unit rules db http fault
FOLDERS.unit = tests/unit
FOLDERS.rules = tests/rules tests/reference
FOLDERS.db = tests/db
FOLDERS.http = tests/http
FOLDERS.fault = tests/fault
LIBS.unit = $(API) $(DB) $(RULES)
LIBS.rules = $(RULES)
LIBS.db = $(SUPPORT) $(DB)
LIBS.http = $(SUPPORT) $(API) $(DB) $(RULES)
LIBS.fault = $(SUPPORT) $(API) $(DB) $(RULES)
TESTS = $(foreach suite,$(SUITES),$(if $(call objects,$(FOLDERS.$(suite))),$(BUILD)/test-$(suite)))

FUZZERS = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
BENCHES = $(patsubst tests/bench/%.c,$(BUILD)/bench-%,$(wildcard tests/bench/*.c))

# ---- building ------------------------------------------------------------------------------------

.PHONY: all
all: build/plyd ## build build/plyd (the default)

build/plyd: build/release/plyd
	@ln -sf release/plyd $@

ifneq ($(FLAVOUR),release)
build/release/plyd:
	+@$(MAKE) --no-print-directory FLAVOUR=release $@
endif

$(PLYD): $(BUILD)/api/main.o $(API) $(DB) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

$(RULES): $(call objects,rules)
$(DB): $(call objects,db)
$(API): $(filter-out $(BUILD)/api/main.o,$(call objects,api))
$(SUPPORT): $(call objects,tests/support)
$(RULES) $(DB) $(API) $(SUPPORT):
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(call objects,rules): private ALL_CFLAGS += $(RULES_FLAGS.$(FLAVOUR))

$(BUILD)/%.o: %.c $(BUILD)/flags | build/embed/migrations.def
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

# Changes, and so rebuilds everything, when the compiler or the flags do.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D) && echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | \
	    { cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' > $@; }

# The migrations as C: DB_MIGRATION(number, "name", "the file's text"), one for each file.
build/embed/migrations.def: $(wildcard migrations/*.sql)
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && for file in $(sort $^); do \
	    name=$$(basename "$$file" .sql); \
	    echo "DB_MIGRATION($$(expr "$${name%%_*}" + 0), \"$$name\","; \
	    sed -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n"/' "$$file"; \
	    echo ')'; \
	done > $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- tests ---------------------------------------------------------------------------------------

define suite_program
$(BUILD)/test-$(1): $(call objects,$(FOLDERS.$(1))) $(LIBS.$(1))
	$$(say) LINK $$@
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(LDLIBS) -lcriterion
endef
$(foreach suite,$(SUITES),$(eval $(call suite_program,$(suite))))

.PHONY: tests check check-unit check-rules check-db check-http check-fault
tests: $(TESTS) ## build the test programs, build/FLAVOUR/test-SUITE

check: check-unit check-rules ## everything that needs no PostgreSQL, in half a minute

check-unit: ## functions of api/ and db/ without I/O
check-rules: ## the games: contract, perft, a second implementation as oracle
check-db: ## the statements, on a private PostgreSQL
check-http: ## the daemon as a black box, on a private PostgreSQL
check-fault: ## kill -9, freezes, cuts, disk full, races

define run_suite
check-$(1): $(filter %-$(1),$(TESTS))
	@$(if $(filter %-$(1),$(TESTS)),$(BUILD)/test-$(1) --filter '$(FILTER)',echo '  no tests in $(FOLDERS.$(1)) yet')
endef
$(foreach suite,$(SUITES),$(eval $(call run_suite,$(suite))))

# ---- keeping house -------------------------------------------------------------------------------

.PHONY: format clean help FORCE
format: ## format every C file
	$(Q)clang-format -i $(wildcard api/*.[ch] db/*.[ch] rules/*.[ch] tests/*/*.[ch])

clean: ## remove build/ (never var/, the data of `make run`)
	$(Q)rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16
