/* Context: O.  What has been counted so far, as a device selects it. */
#ifndef SIGHT_H
#define SIGHT_H

#include "device.h"

struct sight {
	struct model model;
	struct filter filter;
	uint32_t *numbers;	/* of each module of the model; 0 not shown */
};

/*
 * Of a process, 0 of all.  keep: MODEL_KEEP_*.  What cannot be read is noted.
 * 0 or -ENOMEM; sight_close() in any case.
 */
int sight_open(struct sight *s, struct device *d, int32_t pid, unsigned keep);
void sight_close(struct sight *s);

/* Once more, as rows have other places now.  0 or -ENOMEM. */
int sight_number(struct sight *s, struct device *d);

/*
 * Is the row time on a processor, or of blocks, at a place in such a module?  0
 * = any shown.
 */
bool sight_has(const struct sight *s, const struct model_row *r,
    uint32_t module);

/* The numbers of those that have any, ascending; free(3).  0 or -ENOMEM. */
int sight_modules(const struct sight *s, uint32_t **numbers, size_t *count);

/* Of the rest nothing is known any more; of 0 that is what is not selected. */
void sight_narrow(struct sight *s, const struct device *d, uint32_t module);

#endif
