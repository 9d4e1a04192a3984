# The public headers.
include_HEADERS += include/mon.h include/prof.h
