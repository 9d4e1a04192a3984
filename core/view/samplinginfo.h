/* Context: O.  prof --info of a tprof.out. */
#ifndef SAMPLINGINFO_H
#define SAMPLINGINFO_H

#include "infoput.h"

#include "fault.h"

/*
 * 0, LOAD_OTHER: it does not begin as one, *f is kept; or -errno with *f set.
 */
int samplinginfo(const struct infoput *to, struct fault *f);

#endif
