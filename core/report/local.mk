# Context: O.  Loading and merging, the model, the views, the exporters.
if TOOLS
noinst_LTLIBRARIES += libreport.la
endif
libreport_la_SOURCES =
libreport_la_CPPFLAGS = $(AM_CPPFLAGS) $(REPORT_I)
