# Context: O.  Loading and merging, the model, the views, the exporters.
if TOOLS
noinst_LTLIBRARIES += libreport.la
endif
libreport_la_SOURCES = \
	core/report/adopt.c \
	core/report/adopt.h \
	core/report/alive.c \
	core/report/alive.h \
	core/report/bin.c \
	core/report/bin.h \
	core/report/check.c \
	core/report/check.h \
	core/report/csv.c \
	core/report/csv.h \
	core/report/distinct.c \
	core/report/distinct.h \
	core/report/export.c \
	core/report/export.h \
	core/report/export_gmon.c \
	core/report/export_gmon.h \
	core/report/export_monout.c \
	core/report/export_monout.h \
	core/report/export_prof.c \
	core/report/export_prof.h \
	core/report/extract.c \
	core/report/extract.h \
	core/report/filter.c \
	core/report/filter.h \
	core/report/flat.c \
	core/report/flat.h \
	core/report/footer.c \
	core/report/footer.h \
	core/report/gather.c \
	core/report/gather.h \
	core/report/glyph.c \
	core/report/glyph.h \
	core/report/graph.c \
	core/report/graph.h \
	core/report/group.c \
	core/report/group.h \
	core/report/identity.c \
	core/report/identity.h \
	core/report/info.c \
	core/report/info.h \
	core/report/image.c \
	core/report/image.h \
	core/report/ingest.c \
	core/report/input.c \
	core/report/input.h \
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
	core/report/readall.c \
	core/report/readall.h \
	core/report/symbolise.c \
	core/report/symbolise.h \
	core/report/term.c \
	core/report/term.h
libreport_la_CPPFLAGS = $(AM_CPPFLAGS) $(REPORT_I)
