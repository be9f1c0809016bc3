# game.mk - how a game for plyd is made (docs/games.md): NAME.so of all C files of a folder, and of the rulebook NAME.md
# as a C string. It is included with NAME set.
ifneq ($(shell pkg-config --exists plyd && echo found),found)
$(error plyd.pc is not found: set PKG_CONFIG_PATH to the folder where it is, as in PREFIX/lib/pkgconfig)
endif
CFLAGS ?= -O2 -g -Wall -Wextra
PLYD ?= plyd
OBJECTS = $(patsubst %.c,%.o,$(wildcard *.c))

$(NAME).so: $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ -Wl,-z,defs -Wl,--exclude-libs,ALL $(shell pkg-config --libs plyd)

$(OBJECTS): %.o: %.c $(NAME).md.inc $(wildcard *.h *.def)
	$(CC) -std=c11 -fPIC -fvisibility=hidden $(shell pkg-config --cflags plyd) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Each line as a C string.
$(NAME).md.inc: $(NAME).md
	sed -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n"/' $< > $@

.PHONY: check clean
check: $(NAME).so
	$(PLYD) check-game ./$(NAME).so
clean:
	rm -f $(NAME).so $(NAME).md.inc $(OBJECTS)
