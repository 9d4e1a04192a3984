# Context: O.  Asking running processes.
if TOOLS
noinst_LTLIBRARIES += libcontrol.la
endif
libcontrol_la_SOURCES = \
	core/control/anew.c \
	core/control/anew.h \
	core/control/ask.c \
	core/control/ask.h \
	core/control/crowd.c \
	core/control/crowd.h \
	core/control/guard.c \
	core/control/guard.h \
	core/control/kick.c \
	core/control/kick.h \
	core/control/lock.c \
	core/control/lock.h \
	core/control/order.c \
	core/control/order.h \
	core/control/reply.c \
	core/control/reply.h \
	core/control/standing.c \
	core/control/standing.h \
	core/control/whom.c \
	core/control/whom.h \
	core/control/words.c \
	core/control/words.h
libcontrol_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CONTROL_I)
