# Unit tests: one program a source file of core; Criterion runs each test in a
# process of its own.  Sources of other tests may use libunit.la (build.h makes
# profiles, tail.h buffers that end at an unmapped page).
UNIT_I = -I$(top_srcdir)/tests/unit $(FORMAT_I)
EXTRA_DIST += tests/unit/opened.h tests/unit/random.h

check_LTLIBRARIES += libunit.la
libunit_la_SOURCES = \
	tests/unit/build.c \
	tests/unit/build.h \
	tests/unit/tail.c \
	tests/unit/tail.h
libunit_la_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
UNIT_LIBS = libunit.la libformat.la $(CRITERION_LIBS)

UNIT_FORMAT = \
	tests/unit/test_decode \
	tests/unit/test_fault \
	tests/unit/test_header \
	tests/unit/test_hostile \
	tests/unit/test_layout \
	tests/unit/test_link \
	tests/unit/test_live \
	tests/unit/test_loss \
	tests/unit/test_pointer \
	tests/unit/test_random \
	tests/unit/test_snapshot
if CRITERION
check_PROGRAMS += $(UNIT_FORMAT)
TESTS += $(UNIT_FORMAT)
endif

tests_unit_test_decode_SOURCES = tests/unit/test_decode.c tests/unit/opened.c
tests_unit_test_decode_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_decode_LDADD = $(UNIT_LIBS)
tests_unit_test_fault_SOURCES = tests/unit/test_fault.c
tests_unit_test_fault_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_fault_LDADD = $(UNIT_LIBS)
tests_unit_test_header_SOURCES = tests/unit/test_header.c
tests_unit_test_header_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_header_LDADD = $(UNIT_LIBS)
tests_unit_test_hostile_SOURCES = tests/unit/test_hostile.c tests/unit/opened.c
tests_unit_test_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_hostile_LDADD = $(UNIT_LIBS)
tests_unit_test_layout_SOURCES = tests/unit/test_layout.c
tests_unit_test_layout_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_layout_LDADD = $(UNIT_LIBS)
tests_unit_test_link_SOURCES = tests/unit/test_link.c
tests_unit_test_link_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_link_LDADD = $(UNIT_LIBS)
tests_unit_test_live_SOURCES = tests/unit/test_live.c tests/unit/opened.c
tests_unit_test_live_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_live_LDADD = $(UNIT_LIBS)
tests_unit_test_loss_SOURCES = tests/unit/test_loss.c
tests_unit_test_loss_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_loss_LDADD = $(UNIT_LIBS)
tests_unit_test_pointer_SOURCES = tests/unit/test_pointer.c
tests_unit_test_pointer_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_pointer_LDADD = $(UNIT_LIBS)
tests_unit_test_random_SOURCES = tests/unit/test_random.c tests/unit/opened.c
tests_unit_test_random_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_random_LDADD = $(UNIT_LIBS)
tests_unit_test_snapshot_SOURCES = tests/unit/test_snapshot.c
tests_unit_test_snapshot_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_snapshot_LDADD = $(UNIT_LIBS)

# Tests of the tools: core/object, core/report, cmd.  libtoolsunit.la holds all
# that they link, and compile.h makes programs to read.
if TOOLS
check_LTLIBRARIES += libtoolsunit.la
endif
libtoolsunit_la_SOURCES = \
	tests/unit/compile.c \
	tests/unit/compile.h
libtoolsunit_la_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
libtoolsunit_la_LIBADD = libreport.la libobject.la
UNIT_TOOLS_I = $(UNIT_I) $(CMD_I)
UNIT_TOOLS_LIBS = libtoolsunit.la $(UNIT_LIBS) $(TOOLS_LIBS) -lm

UNIT_TOOLS = \
	tests/unit/test_demangle \
	tests/unit/test_elf_hostile \
	tests/unit/test_input \
	tests/unit/test_model \
	tests/unit/test_object \
	tests/unit/test_option \
	tests/unit/test_prof \
	tests/unit/test_term \
	tests/unit/test_textmap
if CRITERION
if TOOLS
check_PROGRAMS += $(UNIT_TOOLS)
TESTS += $(UNIT_TOOLS)
endif
endif

tests_unit_test_demangle_SOURCES = tests/unit/test_demangle.c
tests_unit_test_demangle_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_demangle_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_elf_hostile_SOURCES = tests/unit/test_elf_hostile.c
tests_unit_test_elf_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_elf_hostile_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_object_SOURCES = tests/unit/test_object.c
tests_unit_test_object_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_object_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_textmap_SOURCES = tests/unit/test_textmap.c
tests_unit_test_textmap_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_textmap_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_input_SOURCES = tests/unit/test_input.c
tests_unit_test_input_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_input_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_model_SOURCES = tests/unit/test_model.c
tests_unit_test_model_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_model_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_option_SOURCES = tests/unit/test_option.c cmd/option.c
tests_unit_test_option_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_option_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_SOURCES = tests/unit/test_prof.c
tests_unit_test_prof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_term_SOURCES = tests/unit/test_term.c
tests_unit_test_term_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_term_LDADD = $(UNIT_TOOLS_LIBS)
