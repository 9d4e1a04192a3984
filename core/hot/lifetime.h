/* Context: S.  Who lived when, of this process and one that left a file. */
#ifndef LIFETIME_H
#define LIFETIME_H

#include "state.h"

/* All of these want the header of a file of this boot. */

/* For certain the process that started this one, or this image of it? */
bool lifetime_is_starter(const struct format_header *h);

/* Was its process alive when this one started?  Doubt is yes. */
bool lifetime_met(const struct format_header *h);

#endif
