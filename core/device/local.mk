# Context: O.  The prof device of a directory of profiles.
if PROFFS
noinst_LTLIBRARIES += libdevice.la
endif
libdevice_la_SOURCES = \
	core/device/catalogue.c \
	core/device/catalogue.h \
	core/device/conduct.c \
	core/device/conduct.h \
	core/device/device.c \
	core/device/device.h \
	core/device/node.c \
	core/device/node.h \
	core/device/sight.c \
	core/device/sight.h \
	core/device/content.c \
	core/device/content.h \
	core/device/verb.c \
	core/device/verb.h
libdevice_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(DEVICE_I)
