# The public headers.
include_HEADERS += include/mon.h include/mon_tell.h include/prof.h
