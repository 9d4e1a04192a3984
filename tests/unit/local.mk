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
