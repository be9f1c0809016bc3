# plyd - `make help` lists the targets. Start with `make run` and `make test`.
#
# Settings, as `make NAME=value` or `NAME=value make`:
#   FLAVOUR  release (default), debug, asan, tsan, cover, fuzz: each builds in build/FLAVOUR/
#   CC       gcc (default) or clang
#   CFLAGS   further flags for the compiler, and LDFLAGS for the linker
#   WERROR   -Werror makes warnings errors (the default of FLAVOUR=debug, and of release in CI)
#   ARGS     further arguments of the daemon: make run ARGS="--listen 127.0.0.1:9000"
#   FILTER   the tests to run: make check-rules FILTER='jungle/*'
#   QUICK    1 lets `make test` run only what the files that you changed can break
#   SEED     where `make walk` goes in STEPS steps, and which mistakes `make mutate` makes
#   FUZZ     the fuzzer to run, for SECS seconds
#   BENCH    the benchmarks that `make bench` runs (http perft keys; engine flood import opponents worst waits streams db_append
#            size migrate truth);
#            ARGS goes to them: ARGS=--quick
#   RELEASE  the Debian in which `make check-debian` tests: bookworm, trixie (default)
#   GAME     the game whose weights `make fit` fits, to games of SECS seconds: make fit GAME=shogi SECS=3600
#   V        1 shows the commands

FLAVOUR ?= release
ifeq ($(origin CC),default)
CC = gcc
endif
FILTER ?= *
SECS ?= 60
SEED ?= 1
STEPS ?= 20000
BENCH ?= http perft keys
GAME ?= shogi
COVER_FLOOR = 92
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib

# ---- flags ---------------------------------------------------------------------------------------

PACKAGES = libcjson libpq libsodium libcurl zlib gnutls hogweed nettle gmp
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PACKAGE_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)

# Not with sanitizers: gcc warns about the code that they add.
WERROR = $(if $(filter debug,$(FLAVOUR))$(and $(CI),$(filter release,$(FLAVOUR))),-Werror)
WARNINGS = -Wall -Wextra -Wshadow -Wconversion
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

FLAGS.release = -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS.debug = -O0 -g3 -DPLYD_FAULTS
FLAGS.asan = -O1 -g1 $(SANITIZE) -DPLYD_FAULTS
FLAGS.tsan = -O1 -g -DPLYD_FAULTS -fsanitize=thread -fno-omit-frame-pointer
FLAGS.cover = -O0 -g --coverage -DPLYD_FAULTS
FLAGS.fuzz = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
RULES_FLAGS.release = -O3
TEST_FLAGS.release = -O0 -g1 -U_FORTIFY_SOURCE
LINK.release = -Wl,-z,relro,-z,now

ALL_CPPFLAGS = -D_GNU_SOURCE -I. -Ibuild $(PACKAGE_CFLAGS) $(CPPFLAGS)
# No path of this machine gets into the program: the same sources give the same bytes wherever they lie.
ALL_CFLAGS = -std=c11 -pthread -ffile-prefix-map=$(CURDIR)=. $(WARNINGS) $(WERROR) $(FLAGS.$(FLAVOUR)) $(CFLAGS)
ALL_LDFLAGS = $(FLAGS.$(FLAVOUR)) $(LINK.$(FLAVOUR)) $(LDFLAGS)
# Appended (q), since replacing (r) would keep only one of the objects that have the same name. Thin, so that the
# linker knows the objects by their paths (fuzz.mk).
ALL_ARFLAGS = qcs --thin
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

VERSION := $(shell sed -n 's/^  version: //p' openapi.yaml)

# ---- lists ---------------------------------------------------------------------------------------

BUILD = build/$(FLAVOUR)
PLYD = $(BUILD)/plyd
PROGRAM = $(PLYD)
RULES = $(BUILD)/librules.a
ENGINE = $(BUILD)/libengine.a
CONTRACT = $(BUILD)/libcontract.a
DB = $(BUILD)/libdb.a
API = $(BUILD)/libapi.a
SUPPORT = $(BUILD)/libsupport.a

# The folders of api/, each of which uses only those before it (ARCHITECTURE.md).
API_FOLDERS = text record game view http loop net identity live stream duty hooks endpoints tool terminal
API_PATHS = $(API_FOLDERS:%=api/%) $(addprefix api/endpoints/,games people library engine site) api
PURE_FOLDERS = text record game view http

# rules/ has the code that all games share, draw/ their boards as texts and pictures. Each other folder is
# a game of rules/games.def.
GAME_FOLDERS := $(shell sed -n 's|^RULES_GAME([a-z_]*, \([a-z]*\))$$|rules/\1|p' rules/games.def)
RULES_FOLDERS = rules rules/draw $(GAME_FOLDERS)

# The object of every C file in the folders $(1).
objects = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard $(addsuffix /*.c,$(1)))))

CODE_FOLDERS = $(API_PATHS) db contract engine $(RULES_FOLDERS) examples examples/* tests/* tests/unit/* tests/http/* tests/games/*
C_FILES = $(wildcard $(CODE_FOLDERS:%=%/*.c) scripts/*.c)
HEADERS = $(wildcard $(CODE_FOLDERS:%=%/*.h))
SCRIPTS = .ci/run $(wildcard scripts/*.sh tests/*.sh tests/*/*.sh)

# ---- building ------------------------------------------------------------------------------------

.DEFAULT_GOAL = all
include scripts/make/embed.mk

.PHONY: all
all: $(PLYD) $(if $(filter release,$(FLAVOUR)),build/plyd) ## build build/plyd, or build/FLAVOUR/plyd (the default)

build/plyd: build/release/plyd
	@ln -sf release/plyd $@

ifneq ($(FLAVOUR),release)
build/release/plyd: FORCE
	+@$(MAKE) FLAVOUR=release $@
endif

$(PLYD): $(BUILD)/api/main.o $(API) $(DB) $(CONTRACT) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# The same with a made-up migration more: what a later release may be, for tests. Its own list of migrations comes
# before the one in the library.
NEXT = $(BUILD)/plyd-next
$(BUILD)/next/migrations.o: db/migrations.c build/next/embed/migrations.def $(wildcard db/*.h) $(BUILD)/flags
	$(say) CC $@
	$(Q)mkdir -p $(@D) && $(CC) -Ibuild/next $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(NEXT): $(BUILD)/api/main.o $(BUILD)/next/migrations.o $(API) $(DB) $(CONTRACT) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# The same with a clock that moves only when the database tells another time, for tests of time.
STILL = $(PROGRAM)-still
$(PLYD)-still: $(BUILD)/api/main.o $(BUILD)/tests/still/clock.o $(API) $(DB) $(CONTRACT) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(RULES): $(call objects,$(RULES_FOLDERS))
$(ENGINE): $(call objects,engine)
$(CONTRACT): $(call objects,contract)
$(DB): $(call objects,db)
$(API): $(filter-out $(BUILD)/api/main.o,$(call objects,$(API_PATHS))) $(BUILD)/microhttpd.o
$(SUPPORT): $(call objects,tests/support)

# libmicrohttpd becomes a part of the program, and asks us where it would ask the kernel (api/net/tap.h). So plyd
# takes no function from other libraries, and runs with the release that it was built and tested with.
MICROHTTPD := $(shell pkg-config --variable=libdir libmicrohttpd 2>/dev/null)/libmicrohttpd.a
TAPPED := recv epoll_ctl epoll_wait
$(BUILD)/microhttpd.o: $(MICROHTTPD) Makefile | packages-build
	$(say) RENAME $@
	$(Q)mkdir -p $(@D) && ld -r --whole-archive $< -o $@.new && \
	    objcopy $(foreach name,$(TAPPED),--redefine-sym $(name)=tap_$(name)) $@.new $@ && rm $@.new
	$(Q)for call in $(TAPPED); do nm --undefined-only $@ | grep -q " U tap_$$call\$$" || \
	    { rm $@; echo "plyd: $< does not call $$call()" >&2; exit 1; }; done

$(BUILD)/lib%.a:
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) $(ALL_ARFLAGS) $@ $^

$(call objects,$(RULES_FOLDERS) engine): private ALL_CFLAGS += $(RULES_FLAGS.$(FLAVOUR))

# A game's module.c is what would make a module of its own; linked in, its one symbol has the name of its folder.
$(BUILD)/rules/%/module.o: private ALL_CPPFLAGS += -Dplyd_game=rules_$(notdir $(@D))_module

# Tests that wait for others more than they compute: what they would gain is less than what it takes to compile them. What
# is called most, such as the check of every answer, is in tests/support/.
WAITING_FOLDERS = $(addprefix tests/,criterion db fault http http/* terminal unit unit/*)
$(call objects,$(WAITING_FOLDERS)): private ALL_CFLAGS += $(TEST_FLAGS.$(FLAVOUR))

$(BUILD)/%.o: %.c $(BUILD)/flags | $(EMBEDS)
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# This file changes when the compiler or the flags change. Then everything is rebuilt. Several makes may
# look at once.
$(BUILD)/flags: FORCE | packages-build
	@mkdir -p $(@D) && echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(ALL_ARFLAGS)' > $@.$$$$ && \
	    if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# For editors, clangd and other tools that read how each file is compiled.
.PHONY: compile_commands.json
compile_commands.json: $(EMBEDS) ## write how each C file is compiled, for clangd and other tools
	$(say) MAKE $@
	$(Q)for file in $(C_FILES); do \
	    printf '%s{"directory": "%s", "file": "%s", "command": "%s"}' "$$between" '$(CURDIR)' $$file \
	        '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c '$$file; \
	    between=','; \
	done | sed -e 's/^/[/' -e 's/},{/},\n{/g' -e 's/$$/]/' > $@

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

# ---- testing, measuring, packing: each part holds one thing --------------------------------------

include $(addprefix scripts/make/,kit.mk tests.mk mutate.mk fuzz.mk bench.mk drills.mk lint.mk npm.mk package.mk)

.PHONY: clean help FORCE
clean: ## stop test servers and remove build/ (never var/, the data of `make run`)
	@for server in build/postgres/*/; do \
	    [ ! -d "$$server" ] || scripts/postgres.sh remove "$$server"; \
	done
	$(Q)rm -rf build

help: ## print this list; the settings are at the top of the Makefile
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(filter %akefile %.mk,$(MAKEFILE_LIST)) | expand -t 18
