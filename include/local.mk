# The public headers.
include_HEADERS +=
