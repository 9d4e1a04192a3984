# Context: O.  Files for other tools, the page for a browser, names into profiles.
if TOOLS
noinst_LTLIBRARIES += libexport.la
endif
libexport_la_SOURCES = \
	core/export/html/varint_column.c \
	core/export/html/varint_column.h \
	core/export/embed.c \
	core/export/embed.h \
	core/export/embed_names.c \
	core/export/embed_names.h \
	core/export/export.c \
	core/export/export.h \
	core/export/export_modules.c \
	core/export/export_modules.h \
	core/export/tools/callgrind_costs.c \
	core/export/tools/callgrind_costs.h \
	core/export/tools/export_callgrind.c \
	core/export/tools/export_callgrind.h \
	core/export/tools/export_firefox.c \
	core/export/tools/export_firefox.h \
	core/export/tools/firefox_columns.c \
	core/export/tools/firefox_columns.h \
	core/export/tools/firefox_tables.c \
	core/export/tools/firefox_tables.h \
	core/export/tools/export_folded.c \
	core/export/tools/export_folded.h \
	core/export/classic/export_gmon.c \
	core/export/classic/export_gmon.h \
	core/export/classic/export_gperftools.c \
	core/export/classic/export_gperftools.h \
	core/export/html/export_html.c \
	core/export/html/export_html.h \
	core/export/tools/export_massif.c \
	core/export/tools/export_massif.h \
	core/export/classic/export_monout.c \
	core/export/classic/export_monout.h \
	core/export/tools/export_perf.c \
	core/export/tools/export_perf.h \
	core/export/tools/export_pprof.h \
	core/export/classic/export_profout.c \
	core/export/classic/export_profout.h \
	core/export/tools/export_speedscope.c \
	core/export/tools/export_speedscope.h \
	core/export/html/html_page.h \
	core/export/html/html_code.c \
	core/export/html/html_code.h \
	core/export/html/html_code_choice.c \
	core/export/html/html_code_choice.h \
	core/export/html/html_code_costs.c \
	core/export/html/html_code_costs.h \
	core/export/html/html_code_source.c \
	core/export/html/html_code_source.h \
	core/export/html/html_code_totals.c \
	core/export/html/html_code_totals.h \
	core/export/html/html_growth.c \
	core/export/html/html_growth.h \
	core/export/html/html_head.c \
	core/export/html/html_head.h \
	core/export/html/html_kind.c \
	core/export/html/html_kind.h \
	core/export/html/html_lines.c \
	core/export/html/html_lines.h \
	core/export/html/html_moments.c \
	core/export/html/html_moments.h \
	core/export/html/html_samples.c \
	core/export/html/html_samples.h \
	core/export/html/html_tree.c \
	core/export/html/html_tree.h
libexport_la_CPPFLAGS = $(AM_CPPFLAGS) $(EXPORT_I)

# The page of a report: its parts in one file, which is in prof.
HTML_PARTS = \
	core/export/html/page.html \
	core/export/html/style.css \
	core/export/html/data.js \
	core/export/html/tree.js \
	core/export/html/weight.js \
	core/export/html/compare.js \
	core/export/html/palette.js \
	core/export/html/label.js \
	core/export/html/flame.js \
	core/export/html/table.js \
	core/export/html/tip.js \
	core/export/html/syntax.js \
	core/export/html/code.js \
	core/export/html/moments.js \
	core/export/html/lanes.js \
	core/export/html/growth.js \
	core/export/html/search.js \
	core/export/html/picture.js \
	core/export/html/panes.js \
	core/export/html/address.js \
	core/export/html/keys.js \
	core/export/html/main.js
EXTRA_DIST += core/export/html/embed.awk $(HTML_PARTS)
nodist_libexport_la_SOURCES = core/export/html/html_page.c
CLEANFILES += core/export/html/html_page.c
core/export/html/html_page.c: core/export/html/embed.awk $(HTML_PARTS)
	$(AM_V_GEN)$(MKDIR_P) core/export/html && cd "$(srcdir)" && \
	    $(AWK) -f core/export/html/embed.awk $(HTML_PARTS) \
	    >"$(abs_builddir)/$@-t" && \
	    mv "$(abs_builddir)/$@-t" "$(abs_builddir)/$@"

# What protoc-c makes of pprof's messages.
EXTRA_DIST += core/export/pprof.proto
if PPROF
pprof_made = core/export/pprof.pb-c.c core/export/pprof.pb-c.h
libexport_la_SOURCES += \
	core/export/tools/export_pprof.c \
	core/export/tools/gzip.c \
	core/export/tools/gzip.h \
	core/export/tools/pprof_places.c \
	core/export/tools/pprof_places.h \
	core/export/tools/pprof_writer.c \
	core/export/tools/pprof_writer.h
nodist_libexport_la_SOURCES += $(pprof_made)
libexport_la_CPPFLAGS += -Icore/export
BUILT_SOURCES += $(pprof_made)
CLEANFILES += $(pprof_made)

core/export/pprof.pb-c.h: core/export/pprof.pb-c.c
core/export/pprof.pb-c.c: core/export/pprof.proto
	$(AM_V_GEN)$(MKDIR_P) core/export/html && $(PROTOC_C) \
	    --proto_path=$(srcdir)/core/export --c_out=core/export pprof.proto
else
libexport_la_SOURCES += core/export/tools/export_pprof_none.c
endif
