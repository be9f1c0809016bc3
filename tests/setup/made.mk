# made.mk - checks of every fate, for the test of tests/run.sh.
FILTER = *
all: build/made
tests replays:

build/made: tests/made.c $(wildcard tests/criterion/*.c)
	@mkdir -p build && $(CC) -D_GNU_SOURCE -I. -o $@ $^ -lcriterion

check-made:
	@mkdir -p build/checks && build/made --filter '$(FILTER)' --tap=build/checks/made.tap

check-good:
	@echo '5 passed, 0 failed'

check-lint:
	@echo 'lint says no' && false

# Its parts run at once, if make has tokens for them.
check-parts: part1 part2 part3
	@false
part%:
	@true

# It fails once.
check-busy:
	@mkdir -p build/checks && [ -e build/again ] || { touch build/again; echo '0 passed, 1 failed'; \
	    printf '%s\n' 'not ok - it is busy' '  - tests/x:12: |+' '      said this' '  # alone: make check-busy' \
	        >build/checks/busy.tap; false; }

# As in the tree: with tokens of a make above.
run:
	+@MAKE='$(MAKE)' tests/run.sh check-parts check-lint check-good
