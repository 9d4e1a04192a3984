# Context: S.  All that may run in the tick handler.
noinst_LTLIBRARIES += libhot.la
libhot_la_SOURCES = \
	core/hot/config.h \
	core/hot/state.h \
	core/hot/str.c \
	core/hot/str.h \
	core/hot/sys.h
libhot_la_CPPFLAGS = $(MON_CPPFLAGS) $(HOT_I)
libhot_la_CFLAGS = $(AM_CFLAGS) $(MON_CFLAGS)

# After the user's CFLAGS: nothing given there may put a libc call or a vector
# register into the handler (-O3, -fstack-protector-strong, -fsanitize).
$(libhot_la_OBJECTS): override CFLAGS += $(HOT_CFLAGS)
