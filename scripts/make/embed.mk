# embed.mk - the texts inside the program, as C: pages, rulebooks, the contract, migrations, statements.

# The texts inside the program: `#include "embed/PATH.inc"` is the file PATH as a C string. PATH may
# itself be made in build/embed/.
EMBEDDED = $(filter-out examples/clients/%,$(wildcard api/pages/*.html $(addsuffix /*.md,$(GAME_FOLDERS) examples/*)))
# The statements of db/sql/ as C (scripts/sql.awk): all of them, and apart what several files of db/ look at.
STATEMENTS = $(addprefix build/embed/db/,statements.def kinds.def functions.def numbers.def scan.def inspect.def)
EMBEDS = build/embed/new_game.def build/embed/migrations.def build/embed/files.def \
    build/embed/version.h $(STATEMENTS) $(EMBEDDED:%=build/embed/%.inc)

# The files that the program serves as they are (api/http/files.h), and their types.
# A module is one file with all that it imports (scripts/join.awk); of what stands in a folder of api/pages/, no more than
# that is served. Icons are bytes.
MODULES = $(wildcard api/pages/*.js api/pages/*/*.js)
PAGE_SCRIPTS = $(filter-out plyd.js board.js sw.js,$(notdir $(wildcard api/pages/*.js)))
PAGES = $(PAGE_SCRIPTS:%=build/embed/joined/%) build/embed/pages/sw.js \
    $(patsubst api/%,build/embed/%,$(wildcard $(addprefix api/pages/*.,css svg)))
# What scripts say in each language: of the program and of the games what pages_XX.def has for them, and ends and sides.
LANGUAGES = $(patsubst api/text/lang_%.def,%,$(wildcard api/text/lang_*.def))
PAGES += $(LANGUAGES:%=build/embed/pages/texts.%.js)
ICONS = $(wildcard api/pages/*.png)
OPEN_FILES = $(addprefix build/embed/open/,plyd.js board.js) $(addprefix api/pages/,plyd.d.ts manifest.webmanifest) \
    FRONTENDS.md $(patsubst %,docs/%.md,module board people) openapi.yaml $(addprefix build/embed/,openapi.json operations.txt)
TYPE.js = text/javascript; charset=utf-8
TYPE.ts = text/plain; charset=utf-8
TYPE.css = text/css; charset=utf-8
TYPE.svg = image/svg+xml
TYPE.png = image/png
TYPE.webmanifest = application/manifest+json
TYPE.md = text/markdown; charset=utf-8
TYPE.yaml = application/yaml
TYPE.json = application/json
TYPE.txt = text/plain; charset=utf-8

# Writes a text file as C string literals, one per line.
as_c_string = sed -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n"/'

build/embed/%.inc: %
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && $(as_c_string) $< > $@

# Writes bytes as C string literals.
as_c_bytes = od -An -v -tx1 | sed -e 's/ \(..\)/\\x\1/g' -e 's/.*/"&"/'

# Leaves out comments. A comment stands alone, or behind what ends a part of a line.
without_comments = sed -e '/^ *\/\/ /d' -e '/^ *\/\*.*\*\/$$/d' -e '/^ *\/\*\*\( [^*]*\)\?$$/,/\*\/$$/d' -e '/^$$/d' \
    -e 's/\([];{},)]\)  *\/\/ .*$$/\1/'
# The same, and blanks before lines.
bare = $(without_comments) -e 's/^ *//'

build/embed/pages/%: api/pages/%
	$(Q)mkdir -p $(@D) && $(bare) $< > $@

# What all pages share is page.js; a frame in pages of others, which no other script follows, is one file.
JOIN = awk -f scripts/join.awk -v root=api/pages
build/embed/joined/%.js: JOINED = -v apart=page.js
build/embed/joined/page.js: JOINED = -v whole=1
build/embed/joined/embed.js: JOINED =
build/embed/joined/%.js: $(MODULES) scripts/join.awk scripts/make/embed.mk
	$(say) JOIN $@
	$(Q)mkdir -p $(@D) && $(JOIN) -v entry=$*.js $(JOINED) > $@.all && $(bare) $@.all > $@.new && mv $@.new $@

build/embed/open/board.js: JOINED = -v apart=plyd.js
build/embed/open/%.js: $(MODULES) scripts/join.awk scripts/make/embed.mk
	$(say) JOIN $@
	$(Q)mkdir -p $(@D) && $(JOIN) -v entry=$*.js $(JOINED) > $@.all && $(without_comments) $@.all > $@.new && mv $@.new $@

build/embed/pages/texts.%.js: api/text/pages_%.def api/text/lang_%.def $(wildcard rules/*/lang_*.def)
	$(Q)mkdir -p $(@D) && { echo 'export const texts = {'; \
	    cat $< api/text/lang_$*.def $(filter %/lang_$*.def,$^) | sed -n -e 's/^SCRIPT(\("[^"]*"\), \(.*\))$$/\1: \2,/p' \
	        -e 's/^REASON("\([^"]*\)", *\(.*\))$$/"reason:\1": \2,/p' -e 's/^SIDE("\([^"]*\)", *\(.*\))$$/"side:\1": \2,/p'; \
	    echo '};'; echo 'export const board = {'; \
	    sed -n 's/^ELEMENT(\("[^"]*"\), \(.*\))$$/\1: \2,/p' $<; echo '};'; } > $@

# The served files as C: FILE_OF("name", "type", "the file's text", "the same compressed"), one for each.
build/embed/files.def: $(OPEN_FILES) $(PAGES) $(ICONS)
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && { $(foreach file,$(OPEN_FILES) $(PAGES) $(ICONS), \
	    echo 'FILE_OF("$(if $(filter $(file),$(OPEN_FILES)),/)$(notdir $(file))", "$(TYPE$(suffix $(file)))",'; \
	    $(if $(filter $(file),$(ICONS)),cat $(file) | $(as_c_bytes),$(as_c_string) $(file)); echo ,; \
	    gzip -9n < $(file) | $(as_c_bytes); echo ')';) } > $@.new && mv $@.new $@

build/embed/openapi.json: openapi.yaml build/contract
	$(say) MAKE $@
	$(Q)mkdir -p $(@D) && build/contract json $< > $@.new && mv $@.new $@

build/embed/operations.txt: openapi.yaml build/contract
	$(say) MAKE $@
	$(Q)mkdir -p $(@D) && build/contract text $< > $@.new && mv $@.new $@

# The version is the contract's.
build/embed/version.h: openapi.yaml
	$(Q)mkdir -p $(@D) && echo '#define PLYD_VERSION "$(VERSION)"' > $@

build/contract: scripts/contract.c | packages-build
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 $(WARNINGS) $(WERROR) -o $@ $< -lyaml

# The files of a game to begin with as C: NEW_GAME_FILE("name", "the file's text"), one for each.
NEW_GAME = $(addprefix examples/hex/,hex.c hex.h art.c module.c hex.md lang_tr.def Makefile)
build/embed/new_game.def: $(NEW_GAME)
	$(say) EMBED $@
	$(Q)mkdir -p $(@D) && { $(foreach file,$(NEW_GAME), \
	    echo 'NEW_GAME_FILE("$(notdir $(file))",'; $(as_c_string) $(file); echo ')';) } > $@.new && mv $@.new $@

# The migrations as C: DB_MIGRATION(number, "name", "the file's text"), one for each file.
# The program `plyd-next` has those of tests/next/, too.
build/embed/migrations.def: $(wildcard migrations/*.sql)
build/next/embed/migrations.def: $(wildcard migrations/*.sql) $(wildcard tests/next/*.sql)
build/embed/migrations.def build/next/embed/migrations.def:
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
