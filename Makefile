# stlclash: interference and clearance checks between STL meshes.
#
#   make help          prints this
#   make               build the command and the libraries into build/$(config)/
#   make demo          run the main job on the sample parts in data/
#   make check         build and run all tests        make check-long   the long ones too
#   make check-race    what runs on several threads, under ThreadSanitizer
#   make check-aarch64 the tests on 64-bit ARM, emulated (installs a cross compiler)
#   make ccd-samples DIR=folder   queries of moving points and edges with known answers
#   make bench         measure (PEERS=dir: side by side with other tools)
#   make install       PREFIX=/usr/local DESTDIR= LIBDIR=... (below)      make uninstall
#   make format        clang-format                    make clean
#
#   V=1 shows the commands       werror=1 makes warnings errors
#   config=debug|release|sanitize|race|coverage|unfiltered (exact arithmetic only)   CC=gcc|clang
# Missing packages are installed through apt (root or sudo), or named.

config ?= release
BUILD ?= build/$(config)
DESTDIR ?=
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
BASH_COMPLETIONS ?= $(DATADIR)/bash-completion/completions
ZSH_COMPLETIONS ?= $(DATADIR)/zsh/site-functions
SCHEMAS = report.schema.json probe.schema.json pairs.schema.json
VERSION := $(shell sed -n 's/^\#define STLCLASH_VERSION "\(.*\)"/\1/p' include/stlclash.h)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
werror ?= 0
V ?= 0
Q := $(if $(filter 1,$(V)),,@)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(filter 1,$(werror)),-Werror)
# Geometry must round as written, whatever CFLAGS ask for: no contraction to FMA, and no SLP
# vectoriser, which in gcc 12 drops roundings to float and contracts all the same. Nobody asks errno
# about roots.
ROUNDING = -fno-fast-math -fno-math-errno -ffp-contract=off -fno-tree-slp-vectorize $(if $(findstring clang,$(CC)),-fno-slp-vectorize)
override CPPFLAGS += -Iinclude -Isrc -D_FILE_OFFSET_BITS=64 -D_XOPEN_SOURCE=700
CFLAGS_debug = -O0 -g -DTEST_DIVISOR=10
CFLAGS_release = -O3 -g -DNDEBUG
CFLAGS_sanitize = -O2 -g -DTEST_DIVISOR=40 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_race = -O1 -g -DTEST_DIVISOR=40 -fsanitize=thread
CFLAGS_coverage = -O0 -g --coverage -DTEST_DIVISOR=10
CFLAGS_unfiltered = $(CFLAGS_release) -DSC_UNFILTERED -DTEST_DIVISOR=20
ifneq ($(words $(BUILD)),1)
$(error BUILD='$(BUILD)' is to be one name, and make knows none with spaces)
endif
ifeq ($(CFLAGS_$(config)),)
$(error config=$(config) is not debug, release, sanitize, race, coverage or unfiltered)
endif
# The shared library is made of the same objects as the static one, which costs next to nothing:
# names are hidden, and nothing else may replace those that are not.
SHAREABLE = -fPIC -fvisibility=hidden -fno-semantic-interposition
override CFLAGS += -std=c17 $(CFLAGS_$(config)) $(ROUNDING) $(WARNINGS) $(SHAREABLE) -pthread -MMD -MP
override LDFLAGS += $(filter -fsanitize% --coverage,$(CFLAGS_$(config))) -pthread
# What a sanitizer tells of lines is full of addresses: to move those takes longer than most tests.
AT_FIXED_PLACE = $(if $(findstring -fsanitize=address,$(CFLAGS_$(config))),-no-pie)

# The library is everything but the command and its reports.
COMMAND_SRC := $(wildcard src/report/*.c src/cli/*.c)
LIBRARY_SRC := $(filter-out $(COMMAND_SRC),$(wildcard src/*.c src/*/*.c))
TEST_SRC := $(wildcard tests/*.c) bench/shapes.c bench/parts.c
# What the tests look at beside the library.
TESTED_SRC := $(wildcard src/report/*.c src/cli/baseline*.c) \
    $(addprefix src/cli/,message.c glob.c file_bytes.c json_file.c manifest.c motion.c rules.c similar.c values.c)
objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# Stacks may be small, of threads or by ulimit. What is not optimised takes more.
ifeq ($(config),release)
$(BUILD)/obj/src/%.o: override CFLAGS += -Wframe-larger-than=40000
endif

# What is built for processors that have more than the compiler may take for granted.
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine)),)
$(BUILD)/obj/src/isa/%_avx2.o: override CFLAGS += -mavx2 -maes
$(BUILD)/obj/src/isa/%_avx512.o: override CFLAGS += -mavx512vl -mavx512dq -maes
endif

# Roots are instructions, and base/real.h has the rest that is needed: so nothing of libm is left
# where the compiler optimises, and a process does not load it. frexp and ldexp, which it has as
# well, come from the C library first.
MATH_LIBS = -lc -Wl,--as-needed -lm

CJSON_CFLAGS = $(shell pkg-config --cflags libcjson)
CJSON_LIBS = $(shell pkg-config --libs libcjson)

all: command library
command: $(BUILD)/stlclash
library: $(BUILD)/libstlclash.a $(BUILD)/libstlclash.so $(BUILD)/stlclash.pc

$(call objects,$(COMMAND_SRC)): override CPPFLAGS += $(CJSON_CFLAGS)
$(BUILD)/obj/%.o: %.c | packages-build
	@mkdir -p $(@D)
	@echo '  compile $<'
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(BUILD)/libstlclash.a: $(call objects,$(LIBRARY_SRC))
	@echo '  archive $@'
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/libstlclash.so: $(call objects,$(LIBRARY_SRC))
	@echo '  link    $@'
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,libstlclash.so.$(SOVERSION) -o $@ $^ $(MATH_LIBS)
$(BUILD)/stlclash: $(call objects,$(COMMAND_SRC)) $(BUILD)/libstlclash.a
	@echo '  link    $@'
	$(Q)$(CC) $(LDFLAGS) $(AT_FIXED_PLACE) -o $@ $^ $(CJSON_LIBS) $(MATH_LIBS)
# Also when installing: the folders may be others then. Those in the prefix move with it.
in_prefix = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
FILL_PC = -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(call in_prefix,$(LIBDIR))|' \
    -e 's|@INCLUDEDIR@|$(call in_prefix,$(INCLUDEDIR))|' -e 's|@VERSION@|$(VERSION)|'
$(BUILD)/stlclash.pc: stlclash.pc.in Makefile include/stlclash.h
	@mkdir -p $(@D)
	$(Q)sed $(FILL_PC) $< > $@

# ---- tests ------------------------------------------------------------------

$(call objects,$(TEST_SRC)): override CPPFLAGS += -Itests $(CJSON_CFLAGS)
$(call objects,$(TEST_SRC)): | packages-check
$(BUILD)/tests: $(call objects,$(TEST_SRC) $(TESTED_SRC)) $(BUILD)/libstlclash.a
	@echo '  link    $@'
	$(Q)$(CC) $(LDFLAGS) $(AT_FIXED_PLACE) -o $@ $^ $(CJSON_LIBS) -lgmp -lm

check: $(BUILD)/tests $(BUILD)/bench/assembly $(BUILD)/bench/gen command library
	@tests/check.sh $(BUILD) "$(CC)"
check-long: $(BUILD)/tests $(BUILD)/bench/assembly $(BUILD)/bench/gen command library
	@tests/check.sh $(BUILD) "$(CC)" -l

# What runs on several threads, under ThreadSanitizer.
RACE_TESTS = threads parallel arena movers shared nothing_near pairs_of_facets pairs_joined a_ring \
    $(addprefix test_assembly.c:,pairs any listing gaps kept unreadable a_ options names parts)
check-race:
	@$(MAKE) --no-print-directory config=race build/race/tests
	@tests/check.sh build/race "$(CC)" $(RACE_TESTS)

# For another processor, under an emulator: cross-compiles and runs the tests.
check-aarch64:
	@tools/aarch64.sh build/aarch64

# ---- sample parts, benchmark --------------------------------------------------

demo: command
	@tools/demo.sh $(BUILD)/stlclash

$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(call objects,bench/shapes.c bench/parts.c)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lm
$(BUILD)/bench/probes $(BUILD)/bench/ccd_samples: $(BUILD)/libstlclash.a
bench-programs: command $(BUILD)/bench/gen $(BUILD)/bench/floor $(BUILD)/bench/assembly $(BUILD)/bench/probes
	@tools/packages.sh bench
bench: bench-programs
	CC="$(CC)" PEERS="$(PEERS)" python3 bench/bench.py $(BUILD)
bench-huge: bench-programs
	CC="$(CC)" SIZES=100M CASES=overlap RUNS=1 python3 bench/bench.py $(BUILD)
# Folders with exact queries, as https://github.com/Continuous-Collision-Detection has them.
DIR ?= ../shared/data/ccd-samples
ccd-samples: $(BUILD)/bench/ccd_samples
	@$(BUILD)/bench/ccd_samples "$(DIR)"
fixtures: $(BUILD)/bench/fixtures
	$(BUILD)/bench/fixtures data

# ---- installing ---------------------------------------------------------------

# Folders may have spaces.
to = "$(DESTDIR)$(1)"
install: command library
	install -d $(call to,$(BINDIR)) $(call to,$(INCLUDEDIR)) $(call to,$(LIBDIR)/pkgconfig) \
	    $(call to,$(MANDIR)/man1) $(call to,$(DATADIR)/stlclash) $(call to,$(BASH_COMPLETIONS)) \
	    $(call to,$(ZSH_COMPLETIONS))
	install -m 755 $(BUILD)/stlclash $(call to,$(BINDIR)/)
	install -m 644 include/stlclash.h $(call to,$(INCLUDEDIR)/)
	install -m 644 $(BUILD)/libstlclash.a $(call to,$(LIBDIR)/)
	install -m 755 $(BUILD)/libstlclash.so $(call to,$(LIBDIR)/libstlclash.so.$(VERSION))
	ln -sf libstlclash.so.$(VERSION) $(call to,$(LIBDIR)/libstlclash.so.$(SOVERSION))
	ln -sf libstlclash.so.$(SOVERSION) $(call to,$(LIBDIR)/libstlclash.so)
	sed $(FILL_PC) stlclash.pc.in > $(call to,$(LIBDIR)/pkgconfig/stlclash.pc)
	chmod 644 $(call to,$(LIBDIR)/pkgconfig/stlclash.pc)
	install -m 644 man/stlclash.1 $(call to,$(MANDIR)/man1/)
	install -m 644 $(addprefix data/,$(SCHEMAS)) $(call to,$(DATADIR)/stlclash/)
	install -m 644 completions/stlclash.bash $(call to,$(BASH_COMPLETIONS)/stlclash)
	install -m 644 completions/_stlclash $(call to,$(ZSH_COMPLETIONS)/)
	@# Programs find the library at once; who packages, or may not, does without.
	@[ -n "$(DESTDIR)" ] || ldconfig 2>/dev/null || true

uninstall:
	rm -f $(call to,$(BINDIR)/stlclash) $(call to,$(INCLUDEDIR)/stlclash.h) \
	    $(call to,$(MANDIR)/man1/stlclash.1) $(call to,$(LIBDIR)/libstlclash.a) \
	    $(call to,$(LIBDIR)/libstlclash.so) $(call to,$(LIBDIR)/libstlclash.so.$(SOVERSION)) \
	    $(call to,$(LIBDIR)/libstlclash.so.$(VERSION)) $(call to,$(LIBDIR)/pkgconfig/stlclash.pc) \
	    $(foreach name,$(SCHEMAS),$(call to,$(DATADIR)/stlclash/$(name))) \
	    $(call to,$(BASH_COMPLETIONS)/stlclash) $(call to,$(ZSH_COMPLETIONS)/_stlclash)
	-rmdir $(call to,$(DATADIR)/stlclash) 2>/dev/null

# ---- the rest -----------------------------------------------------------------

format:
	clang-format -i include/*.h src/*.[ch] src/*/*.[ch] tests/*.[ch] bench/*.[ch]
clean:
	rm -rf build
packages-build:
	@CC="$(CC)" tools/packages.sh build
packages-check: packages-build
	@CC="$(CC)" tools/packages.sh check

.SECONDARY:
# The head of this file.
help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

.PHONY: help all command library check check-long check-race check-aarch64 demo bench bench-huge bench-programs ccd-samples fixtures install uninstall format clean \
    packages-build packages-check

-include $(patsubst %.o,%.d,$(call objects,$(LIBRARY_SRC) $(COMMAND_SRC) $(TEST_SRC) $(wildcard bench/*.c)) $(SHARED_OBJ))

