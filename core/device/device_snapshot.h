/* Context: O.  What has been counted so far, as a device selects it. */
#ifndef DEVICE_SNAPSHOT_H
#define DEVICE_SNAPSHOT_H

#include "device.h"

struct device_snapshot {
	struct model model;
	struct filter filter;
	uint32_t *numbers;	/* of each module of the model; 0 not shown */
};

/*
 * Of a process, 0 of all.  keep: MODEL_KEEP_*.  What cannot be read is noted.
 * 0 or -ENOMEM; device_snapshot_close() in any case.
 */
int device_snapshot_open(struct device_snapshot *s, struct device *d,
    int32_t pid, unsigned keep);
void device_snapshot_close(struct device_snapshot *s);

/* Once more, as rows have other places now.  0 or -ENOMEM. */
int device_snapshot_number(struct device_snapshot *s, struct device *d);

/*
 * Is the row time on a processor, or of blocks, at a place in such a module?  0
 * = any shown.
 */
bool device_snapshot_has(const struct device_snapshot *s,
    const struct model_row *r, uint32_t module);

/* The numbers of those that have any, ascending; free(3).  0 or -ENOMEM. */
int device_snapshot_modules(const struct device_snapshot *s, uint32_t **numbers,
    size_t *count);

/* Of the rest nothing is known any more; of 0 that is what is not selected. */
void device_snapshot_filter(struct device_snapshot *s, const struct device *d,
    uint32_t module);

#endif
