# npm.mk - other people's tools: browsers, linters, generators and readers of records.

# Checks with packages of npm, in build/clients/ and build/browser/. They are not needed to build plyd. Of
# these `make test` runs check-browser, and .ci/run lint-openapi and lint-pages, too.

.PHONY: lint-openapi lint-pages check-clients check-examples check-kotlin check-browser check-browsers check-records report-records icons
CLIENTS = build/clients
CLIENT_TOOLS = $(CLIENTS)/node_modules/.bin

lint-openapi: $(CLIENTS)/installed ## (npm) check openapi.yaml with two public linters
	$(say) LINT openapi.yaml
	$(Q)$(CLIENT_TOOLS)/redocly lint --config tests/clients/redocly.yaml openapi.yaml \
	    >$(CLIENTS)/lint.log 2>&1 && ! grep -q 'Warning was generated' $(CLIENTS)/lint.log || \
	    { cat $(CLIENTS)/lint.log; exit 1; }
	$(Q)$(CLIENT_TOOLS)/spectral lint --fail-severity hint --ruleset tests/clients/spectral.yaml openapi.yaml \
	    >$(CLIENTS)/spectral.log 2>&1 || { cat $(CLIENTS)/spectral.log; exit 1; }

# The package of plyd.js and of the board element.
.PHONY: npm
NPM = build/npm/plyd-$(VERSION).tgz
npm: $(NPM) ## (npm) make the package of plyd.js and of the board, build/npm/plyd-VERSION.tgz
check-browser check-browsers: $(NPM)
$(NPM): $(addprefix build/embed/open/,plyd.js board.js) api/pages/plyd.d.ts $(wildcard contrib/npm/*) scripts/npm.sh openapi.yaml LICENSE
	$(say) PACK $@
	$(Q)scripts/npm.sh $(VERSION) $(@D)

# BROWSER_TESTS names one file or some.
BROWSER = build/browser
BROWSER_TESTS ?= $(wildcard tests/browser/test_*.mjs)
check-browser: export PLYD_TEST_BROWSERS ?= chromium
check-browsers: export PLYD_TEST_BROWSERS ?= chromium,firefox
check-browsers: export PLYD_TEST_LONG = 1
check-browser: ## (npm, chromium-headless-shell) what pages load and the samples of FRONTENDS.md and docs/module.md, beside a daemon that fails
check-browsers: packages-browsers ## (npm, chromium-headless-shell, firefox-esr) the same in both browsers, with whole games by every input
check-browser check-browsers: packages-browser $(BROWSER)/installed $(PROGRAM) $(GAMES) $(MODULES:api/%=build/embed/%)
	$(say) CHECK '$(@:check-%=%)'
	$(Q)$(ALONE) PLYD_BROWSER_TOOLS=$(BROWSER) scripts/postgres.sh with node tests/browser/run.mjs $(BROWSER_TESTS)
$(BROWSER)/installed: | packages-browser

lint-pages: packages-browser $(BROWSER)/installed ## (npm) check the types of what pages load, which are comments in it
	$(say) LINT api/pages
	$(Q)for config in jsconfig.json jsconfig.worker.json; do $(BROWSER)/node_modules/.bin/tsc --project api/pages/$$config || exit 1; done

icons: packages-browser $(BROWSER)/installed ## (npm, chromium-headless-shell) draw the icons of the pages from favicon.svg; then look at them
	$(say) DRAW api/pages/icon-*.png
	$(Q)PLYD_BROWSER_TOOLS=$(BROWSER) node scripts/icons.mjs

# The generator runs with its default settings. With them a member that has a `default` must be sent, and
# an object whose members are not described is Record<string, never>: but for the empty body, the contract
# has neither.
#
# For Python and Java npm has no generator of clients, but one of types: the clients around them are ours. Its code for
# Python does not name every type, so the client is checked strictly, and what it uses as usual. Its Converter for Java,
# which nothing here uses, is another release of Jackson's.
# The clients of three more generators are compiled as strictly, and none of them had to number a name of ours.
GENERATED = $(CLIENTS)/generated
CLIENT_TYPES = Game Problem PlayedMove CreatedGame JoinedGame LegalMoves MovePage EventPage MyEventPage GamePage
JACKSON = /usr/share/java/jackson-core.jar:/usr/share/java/jackson-databind.jar:/usr/share/java/jackson-annotations.jar
CLIENT_RUN = $(ALONE) scripts/postgres.sh with tests/clients/run.sh $(PROGRAM)
check-clients: packages-clients $(CLIENTS)/installed $(PROGRAM) ## (npm, mypy, a JDK) play every game with generated clients in three languages, and hold the types of plyd.js against the contract
	$(say) CHECK clients
	$(Q)cp tests/clients/*.ts tests/clients/tsconfig.json api/pages/plyd.d.ts contrib/npm/board.d.ts $(CLIENTS)
	$(Q)$(CLIENT_TOOLS)/openapi-typescript openapi.yaml \
	    -o $(CLIENTS)/schema.d.ts >$(CLIENTS)/generate.log 2>&1 || { cat $(CLIENTS)/generate.log; exit 1; }
	$(Q)$(CLIENT_TOOLS)/tsc --project $(CLIENTS)
	$(Q)$(CLIENT_RUN) node $(CLIENTS)/play.js
	$(Q)rm -rf $(GENERATED) && mkdir -p $(GENERATED) && cp tests/clients/tsconfig.generated.json $(GENERATED)/tsconfig.json
	$(Q){ $(CLIENT_TOOLS)/openapi-ts -i build/embed/openapi.json -o $(GENERATED)/hey-api && \
	    $(CLIENT_TOOLS)/orval --input build/embed/openapi.json --output $(GENERATED)/orval/api.ts --client fetch && \
	    $(CLIENT_TOOLS)/swagger-typescript-api generate -p build/embed/openapi.json -o $(GENERATED)/swagger -n api.ts; } \
	    >$(CLIENTS)/generate.log 2>&1 || { cat $(CLIENTS)/generate.log; exit 1; }
	$(Q)$(CLIENT_TOOLS)/tsc --project $(GENERATED)
	$(Q)node tests/clients/names.mjs $(GENERATED)/hey-api/types.gen.ts $(GENERATED)/orval/api.ts $(GENERATED)/swagger/api.ts
	$(Q)mkdir -p $(CLIENTS)/python $(CLIENTS)/java/plyd && rm -f $(CLIENTS)/java/plyd/*.java
	$(Q)node tests/clients/types.mjs build/embed/openapi.json $(CLIENT_TYPES) >$(CLIENTS)/types.json
	$(Q)$(call client_types,python --python-version 3.7,python/answers.py)
	$(Q)cp tests/clients/play.py $(CLIENTS)/python && cd $(CLIENTS)/python && mypy answers.py >mypy.log && \
	    mypy --strict --follow-imports=silent play.py >mypy.log || { cat mypy.log; exit 1; }
	$(Q)$(CLIENT_RUN) python3 $(CLIENTS)/python/play.py
	$(Q)$(call client_types,java --package plyd --array-type list,java/plyd/Answers.java)
	$(Q)rm $(CLIENTS)/java/plyd/Converter.java
	$(Q)javac -Xlint:all -Werror -cp $(JACKSON) -d $(CLIENTS)/java/out $(CLIENTS)/java/plyd/*.java tests/clients/Play.java
	$(Q)$(CLIENT_RUN) java -cp $(CLIENTS)/java/out:$(JACKSON) Play
	+$(Q)$(MAKE) check-examples

# The programs of examples/clients/: the first hour of an application. That of React is copied to where its packages are.
REACT = $(CLIENTS)/examples/clients/react
check-examples: packages-clients packages-browser $(CLIENTS)/installed $(BROWSER)/installed $(PROGRAM) $(NPM) ## (npm, mypy, chromium-headless-shell) run the programs of examples/clients/, beside stand-ins of what they talk to
	$(say) CHECK examples
	$(Q)mypy --strict --cache-dir $(CLIENTS)/mypy examples/clients/first_hour.py >$(CLIENTS)/mypy.log || { cat $(CLIENTS)/mypy.log; exit 1; }
	$(Q)rm -rf $(REACT) && mkdir -p $(dir $(REACT)) && cp -r examples/clients/react $(REACT) && cp examples/tokens.mjs $(CLIENTS)/examples && \
	    mkdir $(REACT)/node_modules && cp -r build/npm/package $(REACT)/node_modules/plyd
	$(Q)cd $(REACT) && $(abspath $(CLIENT_TOOLS))/vite build --logLevel warn
	$(Q)$(ALONE) scripts/postgres.sh with node tests/clients/examples.mjs $(PROGRAM) $(CLIENTS) $(BROWSER)

check-kotlin: packages-kotlin $(PROGRAM) ## (kotlin, nodejs) compile the program of examples/clients/ in Kotlin, and let it play
	$(say) CHECK kotlin
	$(Q)mkdir -p build/kotlin && kotlinc -Werror -jvm-target 1.8 -cp $(JACKSON) -include-runtime -d build/kotlin/hour.jar \
	    examples/clients/FirstHour.kt >build/kotlin/log 2>&1 || { cat build/kotlin/log; exit 1; }
	$(Q)$(ALONE) scripts/postgres.sh with node tests/clients/examples.mjs $(PROGRAM) . . \
	    java -cp build/kotlin/hour.jar:$(JACKSON) FirstHourKt

client_types = $(CLIENT_TOOLS)/quicktype --src-lang schema --src $(CLIENTS)/types.json --top-level Answers \
    --lang $(1) --out $(CLIENTS)/$(2) >$(CLIENTS)/generate.log 2>&1 || { cat $(CLIENTS)/generate.log; exit 1; }

RECORDS ?= 500
check-records: $(CLIENTS)/installed $(BUILD)/records-tool ## (npm) compare all that shogi records say with tsshogi and json-kifu-format
	$(say) CHECK records
	$(Q)node tests/clients/records.cjs $(BUILD)/records-tool $(CLIENTS) $(CLIENTS)/records $(RECORDS) \
	    $(wildcard tests/records/*) tests/unit/records.txt

FILES ?=
report-records: $(CLIENTS)/installed $(BUILD)/records-tool ## (npm) what we make of a folder of record files: make report-records FILES=folder
	$(if $(FILES),,$(error which? make report-records FILES=folder))
	$(Q)node tests/clients/record_files.cjs $(BUILD)/records-tool $(CLIENTS) $(CLIENTS)/files $(FILES)

$(BUILD)/records-tool: $(addprefix $(BUILD)/tests/,clients/records_tool.o unit/records.o criterion/check.o) $(API) \
    $(DB) $(ENGINE) $(RULES) | packages-test
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcriterion

$(CLIENTS)/installed $(BROWSER)/installed: build/%/installed: tests/%/package.json tests/%/package-lock.json tests/%/.npmrc
	$(say) NPM $(@D)
	$(Q)mkdir -p $(@D) && cp $^ $(@D)
	$(Q)(cd $(@D) && npm ci --loglevel=error >npm.log 2>&1) || { cat $(@D)/npm.log; exit 1; }
	@touch $@
