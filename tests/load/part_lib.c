/* Context: load.  A part as a shared library: cc -shared -DPART_NAME=part_a. */
#include "part.h"

#ifndef PART_NAME
#define PART_NAME part_lib
#endif

PART(PART_NAME, 77)
