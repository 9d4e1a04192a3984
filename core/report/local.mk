# Context: O.  Loading and merging, the model, the views, the exporters.
if TOOLS
noinst_LTLIBRARIES += libreport.la
endif
libreport_la_SOURCES = \
	core/report/adopt.c \
	core/report/adopt.h \
	core/report/alive.c \
	core/report/alive.h \
	core/report/annotate.c \
	core/report/annotate.h \
	core/report/bin.c \
	core/report/bin.h \
	core/report/calltree.c \
	core/report/calltree.h \
	core/report/check.c \
	core/report/check.h \
	core/report/code.c \
	core/report/code.h \
	core/report/column.c \
	core/report/column.h \
	core/report/convert.c \
	core/report/convert.h \
	core/report/copies.c \
	core/report/copies.h \
	core/report/diff.c \
	core/report/diff.h \
	core/report/distinct.c \
	core/report/distinct.h \
	core/report/embed.c \
	core/report/embed.h \
	core/report/enter.c \
	core/report/enter.h \
	core/report/error.h \
	core/report/export.c \
	core/report/export.h \
	core/report/export_firefox.c \
	core/report/export_firefox.h \
	core/report/export_folded.c \
	core/report/export_folded.h \
	core/report/export_gmon.c \
	core/report/export_gmon.h \
	core/report/export_gperftools.c \
	core/report/export_gperftools.h \
	core/report/export_html.c \
	core/report/export_html.h \
	core/report/export_monout.c \
	core/report/export_monout.h \
	core/report/export_pprof.h \
	core/report/export_callgrind.c \
	core/report/export_callgrind.h \
	core/report/export_perf.c \
	core/report/export_perf.h \
	core/report/export_prof.c \
	core/report/export_prof.h \
	core/report/export_speedscope.c \
	core/report/export_speedscope.h \
	core/report/extract.c \
	core/report/extract.h \
	core/report/filter.c \
	core/report/filter.h \
	core/report/flat.c \
	core/report/flat.h \
	core/report/flatsheet.c \
	core/report/flatsheet.h \
	core/report/focus.c \
	core/report/focus.h \
	core/report/footer.c \
	core/report/footer.h \
	core/report/gather.c \
	core/report/gather.h \
	core/report/given.c \
	core/report/given.h \
	core/report/glyph.c \
	core/report/glyph.h \
	core/report/graph.c \
	core/report/graph.h \
	core/report/graphview.c \
	core/report/graphview.h \
	core/report/group.c \
	core/report/group.h \
	core/report/html_page.h \
	core/report/identity.c \
	core/report/identity.h \
	core/report/info.c \
	core/report/info.h \
	core/report/ingest_names.c \
	core/report/ingest_names.h \
	core/report/inlines.c \
	core/report/inlines.h \
	core/report/image.c \
	core/report/image.h \
	core/report/ingest.c \
	core/report/input.c \
	core/report/input.h \
	core/report/json.c \
	core/report/json.h \
	core/report/layout.c \
	core/report/layout.h \
	core/report/listing.c \
	core/report/listing.h \
	core/report/listing_cells.c \
	core/report/listing_model.c \
	core/report/listing_object.c \
	core/report/listing_parts.h \
	core/report/listing_print.c \
	core/report/listing_samples.c \
	core/report/listing_source.c \
	core/report/listing_source.h \
	core/report/listing_sum.c \
	core/report/load.c \
	core/report/load.h \
	core/report/model.c \
	core/report/model.h \
	core/report/nameless.c \
	core/report/nameless.h \
	core/report/origin.c \
	core/report/origin.h \
	core/report/output.c \
	core/report/output.h \
	core/report/pieces.c \
	core/report/pieces.h \
	core/report/pagecode.c \
	core/report/pagecode.h \
	core/report/pagetree.c \
	core/report/pagetree.h \
	core/report/readall.c \
	core/report/readall.h \
	core/report/recast.c \
	core/report/recast.h \
	core/report/samples.c \
	core/report/samples.h \
	core/report/sheet.c \
	core/report/sheet.h \
	core/report/sites.c \
	core/report/sites.h \
	core/report/source.c \
	core/report/source.h \
	core/report/sources.c \
	core/report/sources.h \
	core/report/stackfoot.c \
	core/report/stackfoot.h \
	core/report/stacks.c \
	core/report/stacks.h \
	core/report/strings.c \
	core/report/strings.h \
	core/report/symbolise.c \
	core/report/symbolise.h \
	core/report/term.c \
	core/report/term.h \
	core/report/told.c \
	core/report/told.h \
	core/report/told_module.c \
	core/report/told_module.h \
	core/report/treeview.c \
	core/report/treeview.h \
	core/report/whose.c \
	core/report/whose.h
libreport_la_CPPFLAGS = $(AM_CPPFLAGS) $(REPORT_I)

# The page of a report: its parts in one file, which is in prof.
HTML_PARTS = \
	core/report/html/page.html \
	core/report/html/style.css \
	core/report/html/data.js \
	core/report/html/compare.js \
	core/report/html/flame.js \
	core/report/html/table.js \
	core/report/html/code.js \
	core/report/html/lanes.js \
	core/report/html/main.js
EXTRA_DIST += core/report/html/embed.awk $(HTML_PARTS)
nodist_libreport_la_SOURCES = core/report/html_page.c
CLEANFILES += core/report/html_page.c
core/report/html_page.c: core/report/html/embed.awk $(HTML_PARTS)
	$(AM_V_GEN)$(MKDIR_P) core/report && cd $(srcdir) && \
	    $(AWK) -f core/report/html/embed.awk $(HTML_PARTS) \
	    >$(abs_builddir)/$@-t && mv $(abs_builddir)/$@-t $(abs_builddir)/$@

# What protoc-c makes of pprof's messages.
EXTRA_DIST += core/report/pprof.proto
if PPROF
pprof_made = core/report/pprof.pb-c.c core/report/pprof.pb-c.h
libreport_la_SOURCES += \
	core/report/export_pprof.c \
	core/report/gzip.c \
	core/report/gzip.h
nodist_libreport_la_SOURCES += $(pprof_made)
libreport_la_CPPFLAGS += -Icore/report
BUILT_SOURCES += $(pprof_made)
CLEANFILES += $(pprof_made)

core/report/pprof.pb-c.h: core/report/pprof.pb-c.c
core/report/pprof.pb-c.c: core/report/pprof.proto
	$(AM_V_GEN)$(MKDIR_P) core/report && $(PROTOC_C) \
	    --proto_path=$(srcdir)/core/report --c_out=core/report pprof.proto
else
libreport_la_SOURCES += core/report/no_pprof.c
endif
