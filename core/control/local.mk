# Context: O.  Asking running processes.
if TOOLS
noinst_LTLIBRARIES += libcontrol.la
endif
libcontrol_la_SOURCES = \
	core/control/profile_dump.c \
	core/control/profile_dump.h \
	core/control/profile_reset.c \
	core/control/profile_reset.h \
	core/control/control_client.c \
	core/control/control_client.h \
	core/control/control_session.c \
	core/control/control_session.h \
	core/control/sigbus_guard.c \
	core/control/sigbus_guard.h \
	core/control/kick.c \
	core/control/kick.h \
	core/control/file_lock.c \
	core/control/file_lock.h \
	core/control/control_command.c \
	core/control/control_command.h \
	core/control/control_target.c \
	core/control/control_target.h \
	core/control/defaults_file.c \
	core/control/defaults_file.h \
	core/control/target_profile.c \
	core/control/target_profile.h \
	core/control/baseline_words.c \
	core/control/baseline_words.h
libcontrol_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CONTROL_I)
