/* Context: O.  prof --info of a tprof.out. */
#ifndef TPROF_INFO_H
#define TPROF_INFO_H

#include "report/info_print.h"

#include "fault.h"

/*
 * 0, LOAD_OTHER: it does not begin as one, *f is kept; or -errno with *f set.
 */
int tprof_info_print(const struct info_print *to, struct fault *f);

#endif
