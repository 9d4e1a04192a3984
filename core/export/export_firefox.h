/* Context: O.  Call stacks for the Firefox Profiler. */
#ifndef EXPORT_FIREFOX_H
#define EXPORT_FIREFOX_H

#include "base/model.h"

#include <stdio.h>

/* 0 or -ENOMEM. */
int export_firefox(struct model *m, FILE *out);

#endif
