/* Context: S.  Who lived when, of this process and one that left a file. */
#ifndef PROCESS_AGE_H
#define PROCESS_AGE_H

#include "base/state.h"

/* All of these want the header of a file of this boot. */

/* For certain the process that started this one, or this image of it? */
bool process_age_is_parent(const struct format_header *h);

/* Was its process alive when this one started?  Doubt is yes. */
bool process_age_overlaps(const struct format_header *h);

#endif
