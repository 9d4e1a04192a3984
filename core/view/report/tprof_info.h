/* Context: O.  Implements prof --info for a tprof.out, for info_file(). */
#ifndef TPROF_INFO_H
#define TPROF_INFO_H

#include "report/info_print.h"

#include "fault.h"

/*
 * Prints the description of the file at to->path.  Returns 0; LOAD_OTHER, with
 * *f unchanged, if it does not begin as a tprof.out; or -errno with *f set.
 * Sets f->file also when it returns 0.
 */
int tprof_info_print(const struct info_print *to, struct fault *f);

#endif
