# Context: O.  The prof device of a directory of profiles.
if PROFFS
noinst_LTLIBRARIES += libdevice.la
endif
libdevice_la_SOURCES = \
	core/device/module_ids.c \
	core/device/module_ids.h \
	core/device/device_control.c \
	core/device/device_control.h \
	core/device/device.c \
	core/device/device.h \
	core/device/device_path.c \
	core/device/device_path.h \
	core/device/device_snapshot.c \
	core/device/device_snapshot.h \
	core/device/device_files.c \
	core/device/device_files.h \
	core/device/verb.c \
	core/device/verb.h
libdevice_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(DEVICE_I)
