# Context: O.  The listing of the classic prof(1).
if TOOLS
noinst_LTLIBRARIES += liblisting.la
endif
liblisting_la_SOURCES = \
	core/listing/listing.c \
	core/listing/listing_error.c \
	core/listing/listing.h \
	core/listing/listing_cells.c \
	core/listing/listing_model.c \
	core/listing/listing_object.c \
	core/listing/listing_parts.h \
	core/listing/listing_print.c \
	core/listing/listing_samples.c \
	core/listing/listing_source.c \
	core/listing/listing_source.h \
	core/listing/listing_sum.c
liblisting_la_CPPFLAGS = $(AM_CPPFLAGS) $(LISTING_I)
