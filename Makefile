# toponaut. `make help` lists the targets; variants build into build/<variant>/, release into build/.
#
#   make VARIANT=debug|release|asan|cov|fuzz [CC=clang] [EXTRA_CFLAGS=…] [V=1]

VARIANT ?= release
PREFIX  ?= /usr/local
bindir   = $(PREFIX)/bin
datadir  = $(PREFIX)/share
mandir   = $(datadir)/man
compdir  = $(datadir)/bash-completion/completions
PKG_CONFIG ?= pkg-config
VERSION  = 0.1.0

MAKEFLAGS += --no-print-directory
Q = $(if $(V),,@)

B = build$(if $(filter release,$(VARIANT)),,/$(VARIANT))
OBJ = build/$(VARIANT)/obj

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wundef -Wvla -Wwrite-strings -Wcast-align -Wpointer-arith -Wformat=2 \
	-Wimplicit-fallthrough
PACKAGES = igraph jansson yaml-0.1 ncursesw libutf8proc expat

CFLAGS_debug   = -O0 -g
CFLAGS_release = -O2 -g -DNDEBUG
CFLAGS_asan    = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
CFLAGS_cov     = -O0 -g --coverage
CFLAGS_fuzz    = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer
LDFLAGS_asan   = -fsanitize=address,undefined
LDFLAGS_cov    = --coverage
LDFLAGS_fuzz   = -fsanitize=fuzzer,address,undefined
ifeq ($(VARIANT),fuzz)
CC = clang
endif

# Recursive on purpose: asked only when something is compiled, so that `make deps` needs no library.
PKG_CFLAGS = $(shell $(PKG_CONFIG) --cflags $(PACKAGES) | sed 's/-I\([^ ]*igraph\)/-isystem \1/g')
PKG_LIBS   = $(shell $(PKG_CONFIG) --libs $(PACKAGES))
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS_$(VARIANT)) -Iinclude -Isrc $(PKG_CFLAGS) \
	$(if $(CI),-Werror) $(CFLAGS) $(EXTRA_CFLAGS)
ALL_LIBS   = $(LDFLAGS_$(VARIANT)) $(LDFLAGS) $(PKG_LIBS) -lmetis -lglpk -lm -pthread

LIB_SRC   := $(sort $(wildcard src/*/*.c)) src/version.c
LIB_OBJ   := $(LIB_SRC:src/%.c=$(OBJ)/src/%.o)
LIB        = build/$(VARIANT)/libtoponaut.a
PROGRAM    = $(B)/toponaut
TEST_SRC  := $(sort $(wildcard tests/unit/*.c tests/unit/*/*.c))
TEST_OBJ  := $(TEST_SRC:%.c=$(OBJ)/%.o)
TESTER     = build/$(VARIANT)/tester
FUZZERS   := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))

.DEFAULT_GOAL := all
.PHONY: all help deps test-deps run check check-unit check-long check-golden check-screen picture lint install uninstall check-install \
	clean bench fuzz FORCE

all: $(PROGRAM) ## build the program (release: build/toponaut)

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 18

# ---- compiling -----------------------------------------------------------------------------------

# Rewritten only when the flags change, so that a change of flags rebuilds everything.
$(OBJ)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CFLAGS) $(VERSION)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS) $(VERSION)' > $@

$(OBJ)/%.o: %.c $(OBJ)/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo '  CC    $<')
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Private, or the flags stamp would see them too. Criterion's macros convert and drop const.
$(OBJ)/src/version.o: private EXTRA_CFLAGS += -DVERSION='"$(VERSION)"'
$(OBJ)/tests/%.o: private PACKAGES += criterion
$(OBJ)/tests/%.o: private EXTRA_CFLAGS += -Wno-conversion -Wno-unknown-warning-option -Wno-discarded-qualifiers \
	-Wno-incompatible-pointer-types-discards-qualifiers

$(LIB): $(LIB_OBJ)
	$(if $(V),,@echo '  AR    $@')
	$(Q)rm -f $@ && ar rcs $@ $^

$(PROGRAM): $(OBJ)/src/main.o $(LIB)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  LD    $@')
	$(Q)$(CC) -o $@ $^ $(ALL_LIBS)

$(TESTER): private PACKAGES += criterion
$(TESTER): $(TEST_OBJ) $(LIB)
	$(if $(V),,@echo '  LD    $@')
	$(Q)$(CC) -o $@ $^ $(ALL_LIBS)

-include $(LIB_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(OBJ)/src/main.d

# ---- set-up ----------------------------------------------------------------------------------------

deps: ## install what building needs (apt, dnf, pacman, apk or brew)
	@./tests/lint/deps build

test-deps: ## install what the tests need besides
	@./tests/lint/deps build test

run: deps ## install what is missing, build, open GB300 NVL72 in the explorer
	@$(MAKE) all
	@if [ -t 0 ] && [ -t 1 ]; then $(PROGRAM) gb300-nvl72; else $(PROGRAM) show gb300-nvl72 bisection blocking; fi

install: $(PROGRAM) ## install to PREFIX (DESTDIR is respected)
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5 $(DESTDIR)$(datadir)/toponaut
	install -m 755 $(PROGRAM) $(DESTDIR)$(bindir)/toponaut
	cp -R layouts $(DESTDIR)$(datadir)/toponaut/
	install -d $(DESTDIR)$(compdir)
	install -m 644 completions/toponaut.bash $(DESTDIR)$(compdir)/toponaut
	install -m 644 $(wildcard man/*.1) $(DESTDIR)$(mandir)/man1/
	install -m 644 $(wildcard man/*.5) $(DESTDIR)$(mandir)/man5/

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(bindir)/toponaut $(DESTDIR)$(mandir)/man1/toponaut.1 $(DESTDIR)$(mandir)/man5/toponaut.5
	rm -rf $(DESTDIR)$(datadir)/toponaut
	rm -f $(DESTDIR)$(compdir)/toponaut

# ---- checking ----------------------------------------------------------------------------------------

# A leak or an error found by a sanitizer must fail the test (Criterion exits 0 otherwise).
TEST_ENV = LC_ALL=C.UTF-8 TZ=UTC0 TOPONAUT_LAYOUTS=$(CURDIR)/layouts \
	ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

check: test-deps ## install what tests need, build and run them all
	@$(MAKE) all $(TESTER)
	@$(MAKE) check-golden check-screen
	@$(MAKE) check-unit

check-unit: $(TESTER) ## Criterion tests (TESTS=pattern picks some)
	$(Q)$(TEST_ENV) $(TESTER) $(if $(TESTS),--filter '$(TESTS)')

check-long: $(TESTER) ## random graphs by the ten thousand (SEEDS=N), views at every size
	$(Q)$(TEST_ENV) TOPONAUT_SEEDS=$(or $(SEEDS),10000) $(TESTER) --filter 'long_run/*'
	$(Q)$(TEST_ENV) ALL_SIZES=1 $(TESTER) --filter 'layout/*'
	$(Q)$(TEST_ENV) ALL_SIZES=1 $(TESTER) --filter 'views/texts_never_overlap'

check-golden: $(PROGRAM) ## command lines with their expected output (UPDATE=1 rewrites)
	$(Q)$(TEST_ENV) PROGRAM=$(PROGRAM) tests/golden/run $(TESTS)

check-screen: $(PROGRAM) ## headless explorer sessions with their expected screens (UPDATE=1 rewrites)
	$(Q)$(TEST_ENV) PROGRAM=$(PROGRAM) tests/screen/run $(TESTS)

picture: $(PROGRAM) ## draw the picture in README.md anew (check-screen compares it)
	$(Q)UPDATE=1 tests/screen/readme $(PROGRAM)

lint: ## layers, banned functions, function lengths, tables, layouts, man pages
	+$(Q)tests/lint/run

check-install: ## install into a scratch folder, run, uninstall, nothing left
	+$(Q)tests/lint/install

bench: $(PROGRAM) ## speed as ratios against what one would use instead
	$(Q)tests/bench/run

# One link for each reader of the table: the fuzzer of formats goes by its name.
fuzz: ## build all fuzzers (build/fuzz/<name>, and formats-NAME for each reader)
	$(Q)$(MAKE) VARIANT=fuzz $(FUZZERS:%=build/fuzz/%)
	$(Q)for name in $$(sed -n 's/^\t{"\([a-z-]*\)", .*_read.*/\1/p' src/io/formats.c); do \
		ln -sf formats build/fuzz/formats-$$name; done

build/fuzz/%: $(OBJ)/tests/fuzz/%.o $(LIB)
	$(Q)$(CC) -o $@ $^ $(ALL_LIBS)

clean: ## remove build/
	rm -rf build
