# Context: O.  Files for other tools, the page for a browser, names into profiles.
if TOOLS
noinst_LTLIBRARIES += libexport.la
endif
libexport_la_SOURCES = \
	core/export/varint_column.c \
	core/export/varint_column.h \
	core/export/embed.c \
	core/export/embed.h \
	core/export/export.c \
	core/export/export.h \
	core/export/export_callgrind.c \
	core/export/export_callgrind.h \
	core/export/export_firefox.c \
	core/export/export_firefox.h \
	core/export/export_folded.c \
	core/export/export_folded.h \
	core/export/export_gmon.c \
	core/export/export_gmon.h \
	core/export/export_gperftools.c \
	core/export/export_gperftools.h \
	core/export/export_html.c \
	core/export/export_html.h \
	core/export/export_massif.c \
	core/export/export_massif.h \
	core/export/export_monout.c \
	core/export/export_monout.h \
	core/export/export_perf.c \
	core/export/export_perf.h \
	core/export/export_pprof.h \
	core/export/export_profout.c \
	core/export/export_profout.h \
	core/export/export_speedscope.c \
	core/export/export_speedscope.h \
	core/export/html_page.h \
	core/export/html_code.c \
	core/export/html_code.h \
	core/export/html_growth.c \
	core/export/html_growth.h \
	core/export/html_samples.c \
	core/export/html_samples.h \
	core/export/html_tree.c \
	core/export/html_tree.h
libexport_la_CPPFLAGS = $(AM_CPPFLAGS) $(EXPORT_I)

# The page of a report: its parts in one file, which is in prof.
HTML_PARTS = \
	core/export/html/page.html \
	core/export/html/style.css \
	core/export/html/data.js \
	core/export/html/weight.js \
	core/export/html/compare.js \
	core/export/html/flame.js \
	core/export/html/table.js \
	core/export/html/code.js \
	core/export/html/lanes.js \
	core/export/html/growth.js \
	core/export/html/main.js
EXTRA_DIST += core/export/html/embed.awk $(HTML_PARTS)
nodist_libexport_la_SOURCES = core/export/html_page.c
CLEANFILES += core/export/html_page.c
core/export/html_page.c: core/export/html/embed.awk $(HTML_PARTS)
	$(AM_V_GEN)$(MKDIR_P) core/export && cd $(srcdir) && \
	    $(AWK) -f core/export/html/embed.awk $(HTML_PARTS) \
	    >$(abs_builddir)/$@-t && mv $(abs_builddir)/$@-t $(abs_builddir)/$@

# What protoc-c makes of pprof's messages.
EXTRA_DIST += core/export/pprof.proto
if PPROF
pprof_made = core/export/pprof.pb-c.c core/export/pprof.pb-c.h
libexport_la_SOURCES += \
	core/export/export_pprof.c \
	core/export/gzip.c \
	core/export/gzip.h
nodist_libexport_la_SOURCES += $(pprof_made)
libexport_la_CPPFLAGS += -Icore/export
BUILT_SOURCES += $(pprof_made)
CLEANFILES += $(pprof_made)

core/export/pprof.pb-c.h: core/export/pprof.pb-c.c
core/export/pprof.pb-c.c: core/export/pprof.proto
	$(AM_V_GEN)$(MKDIR_P) core/export && $(PROTOC_C) \
	    --proto_path=$(srcdir)/core/export --c_out=core/export pprof.proto
else
libexport_la_SOURCES += core/export/export_pprof_none.c
endif
