# Context: O.  All that was read as one, with names: loading, merging, looking up.
if TOOLS
noinst_LTLIBRARIES += libmodel.la
endif
libmodel_la_SOURCES = \
	core/model/adopt.c \
	core/model/adopt.h \
	core/model/bin.c \
	core/model/bin.h \
	core/model/calltree.c \
	core/model/calltree.h \
	core/model/convert.c \
	core/model/convert.h \
	core/model/enter.c \
	core/model/enter.h \
	core/model/extract.c \
	core/model/extract.h \
	core/model/filter.c \
	core/model/filter.h \
	core/model/focus.c \
	core/model/focus.h \
	core/model/gather.c \
	core/model/gather.h \
	core/model/given.c \
	core/model/given.h \
	core/model/identity.c \
	core/model/identity.h \
	core/model/image.c \
	core/model/image.h \
	core/model/ingest.c \
	core/model/ingest_names.c \
	core/model/ingest_names.h \
	core/model/inlines.c \
	core/model/inlines.h \
	core/model/layout.c \
	core/model/layout.h \
	core/model/model.c \
	core/model/model.h \
	core/model/origin.c \
	core/model/origin.h \
	core/model/pieces.c \
	core/model/pieces.h \
	core/model/samples.c \
	core/model/samples.h \
	core/model/sites.c \
	core/model/sites.h \
	core/model/source.c \
	core/model/source.h \
	core/model/sources.c \
	core/model/sources.h \
	core/model/stacks.c \
	core/model/stacks.h \
	core/model/strings.c \
	core/model/strings.h \
	core/model/symbolise.c \
	core/model/symbolise.h \
	core/model/told.c \
	core/model/told.h \
	core/model/told_module.c \
	core/model/told_module.h \
	core/model/whose.c \
	core/model/whose.h
libmodel_la_CPPFLAGS = $(AM_CPPFLAGS) $(MODEL_I)
