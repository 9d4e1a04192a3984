# Context: S.  All that may run in the tick handler.
noinst_LTLIBRARIES += libhot.la
libhot_la_SOURCES = \
	core/hot/arc.c \
	core/hot/arc.h \
	core/hot/aside.c \
	core/hot/aside.h \
	core/hot/birth.c \
	core/hot/birth.h \
	core/hot/blocks.c \
	core/hot/blocks.h \
	core/hot/cfi.c \
	core/hot/cfi.h \
	core/hot/coarse.c \
	core/hot/coarse.h \
	core/hot/config.h \
	core/hot/control.c \
	core/hot/control.h \
	core/hot/create.c \
	core/hot/create.h \
	core/hot/detail.c \
	core/hot/detail.h \
	core/hot/elfmem.c \
	core/hot/elfmem.h \
	core/hot/expression.c \
	core/hot/expression.h \
	core/hot/facts.c \
	core/hot/facts.h \
	core/hot/fine.c \
	core/hot/fine.h \
	core/hot/guess.c \
	core/hot/histogram.c \
	core/hot/histogram.h \
	core/hot/lifetime.c \
	core/hot/lifetime.h \
	core/hot/loaded.c \
	core/hot/loaded.h \
	core/hot/maps.c \
	core/hot/maps.h \
	core/hot/mask.c \
	core/hot/mask.h \
	core/hot/memory.c \
	core/hot/memory.h \
	core/hot/modules.c \
	core/hot/modules.h \
	core/hot/moment.c \
	core/hot/moment.h \
	core/hot/name.c \
	core/hot/name.h \
	core/hot/pace.c \
	core/hot/pace.h \
	core/hot/orders.c \
	core/hot/orders.h \
	core/hot/path.c \
	core/hot/path.h \
	core/hot/place.c \
	core/hot/place.h \
	core/hot/process.c \
	core/hot/process.h \
	core/hot/record.c \
	core/hot/record.h \
	core/hot/ring.c \
	core/hot/ring.h \
	core/hot/rows.c \
	core/hot/rows.h \
	core/hot/run.c \
	core/hot/run.h \
	core/hot/shard.c \
	core/hot/shard.h \
	core/hot/slot.c \
	core/hot/slot.h \
	core/hot/state.c \
	core/hot/state.h \
	core/hot/step.c \
	core/hot/step.h \
	core/hot/store.c \
	core/hot/store.h \
	core/hot/str.c \
	core/hot/str.h \
	core/hot/sweep.c \
	core/hot/sweep.h \
	core/hot/sys.h \
	core/hot/tick.c \
	core/hot/tick.h \
	core/hot/tree.c \
	core/hot/tree.h \
	core/hot/view.c \
	core/hot/view.h \
	core/hot/walk.c \
	core/hot/walk.h \
	core/hot/wall.c \
	core/hot/wall.h \
	core/hot/watch.c \
	core/hot/watch.h
libhot_la_CPPFLAGS = $(MON_CPPFLAGS) $(HOT_I)
libhot_la_CFLAGS = $(AM_CFLAGS) $(MON_CFLAGS)

# After the user's CFLAGS: nothing given there may put a libc call or a vector
# register into the handler (-O3, -fstack-protector-strong, -fsanitize).
$(libhot_la_OBJECTS): override CFLAGS += $(HOT_CFLAGS)
