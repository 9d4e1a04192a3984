# Context: O.  One file a command.
if TOOLS
bin_PROGRAMS += prof
endif
prof_SOURCES = \
	cmd/agree.c \
	cmd/agree.h \
	cmd/answer.c \
	cmd/answer.h \
	cmd/complain.c \
	cmd/complain.h \
	cmd/control.c \
	cmd/control.h \
	cmd/live.c \
	cmd/live.h \
	cmd/oldlist.c \
	cmd/oldlist.h \
	cmd/oldprof.c \
	cmd/oldprof.h \
	cmd/option.c \
	cmd/option.h \
	cmd/prof.c \
	cmd/settings.c \
	cmd/settings.h \
	cmd/show.c \
	cmd/show.h \
	cmd/tell.c \
	cmd/tell.h
prof_CPPFLAGS = $(AM_CPPFLAGS) $(CMD_I)
prof_LDADD = $(PROF_LIBS) libformat.la $(TOOLS_LIBS) -lm

if PROFFS
bin_PROGRAMS += proffs
endif
proffs_SOURCES = cmd/proffs.c
proffs_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 \
	$(CMD_I) $(DEVICE_I)
proffs_LDADD = libdevice.la $(PROF_LIBS) libformat.la $(TOOLS_LIBS) \
	$(FUSE_LIBS) -lm

