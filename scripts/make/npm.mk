# npm.mk - other people's tools: browsers, linters, generators and readers of records.

# Checks with packages of npm, in build/clients/ and build/browser/. They are not needed to build plyd. Of
# these `make test` runs check-browser, and .ci/run lint-openapi, too.

.PHONY: lint-openapi check-clients check-browser check-browsers check-records report-records
CLIENTS = build/clients
CLIENT_TOOLS = $(CLIENTS)/node_modules/.bin

lint-openapi: $(CLIENTS)/installed ## (npm) check openapi.yaml with two public linters
	$(say) LINT openapi.yaml
	$(Q)$(CLIENT_TOOLS)/redocly lint --config tests/clients/redocly.yaml openapi.yaml \
	    >$(CLIENTS)/lint.log 2>&1 && ! grep -q 'Warning was generated' $(CLIENTS)/lint.log || \
	    { cat $(CLIENTS)/lint.log; exit 1; }
	$(Q)$(CLIENT_TOOLS)/spectral lint --fail-severity hint --ruleset tests/clients/spectral.yaml openapi.yaml \
	    >$(CLIENTS)/spectral.log 2>&1 || { cat $(CLIENTS)/spectral.log; exit 1; }

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

RECORDS = 500
check-records: $(CLIENTS)/installed $(BUILD)/records-tool ## (npm) compare all that shogi records say with tsshogi and json-kifu-format
	$(say) CHECK records
	$(Q)node tests/clients/records.cjs $(BUILD)/records-tool $(CLIENTS) $(CLIENTS)/records $(RECORDS) \
	    $(wildcard tests/records/*) tests/unit/records.txt

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
