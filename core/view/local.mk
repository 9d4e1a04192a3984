# Context: O.  Tables and trees, for people and for programs.
if TOOLS
noinst_LTLIBRARIES += libview.la
endif
libview_la_SOURCES = \
	core/view/allocators.c \
	core/view/allocators.h \
	core/view/analysis.c \
	core/view/analysis.h \
	core/view/annotate.c \
	core/view/annotate.h \
	core/view/check.c \
	core/view/check.h \
	core/view/code.c \
	core/view/code.h \
	core/view/diff.c \
	core/view/diff.h \
	core/view/distinct.c \
	core/view/distinct.h \
	core/view/error.h \
	core/view/flat.c \
	core/view/flat.h \
	core/view/flatsheet.c \
	core/view/flatsheet.h \
	core/view/footer.c \
	core/view/footer.h \
	core/view/glyph.c \
	core/view/glyph.h \
	core/view/graph.c \
	core/view/graph.h \
	core/view/graphview.c \
	core/view/graphview.h \
	core/view/group.c \
	core/view/group.h \
	core/view/heapcells.c \
	core/view/heapcells.h \
	core/view/heapinfo.c \
	core/view/heapinfo.h \
	core/view/info.c \
	core/view/info.h \
	core/view/infoput.c \
	core/view/infoput.h \
	core/view/json.c \
	core/view/json.h \
	core/view/nameless.c \
	core/view/nameless.h \
	core/view/recast.c \
	core/view/recast.h \
	core/view/samplingfoot.c \
	core/view/samplingfoot.h \
	core/view/samplinginfo.c \
	core/view/samplinginfo.h \
	core/view/sheet.c \
	core/view/sheet.h \
	core/view/stackfoot.c \
	core/view/stackfoot.h \
	core/view/term.c \
	core/view/term.h \
	core/view/topcallers.c \
	core/view/tophead.c \
	core/view/topkeys.c \
	core/view/toptable.c \
	core/view/toptable.h \
	core/view/topview.c \
	core/view/topview.h \
	core/view/treeview.c \
	core/view/treeview.h
libview_la_CPPFLAGS = $(AM_CPPFLAGS) $(VIEW_I)
