/*
 * Context: O.  Reads what has been counted so far into a model, and numbers
 * those modules of it that a device selects.  Used by device_files.c, and by
 * proffs for its directories.
 */
#ifndef DEVICE_SNAPSHOT_H
#define DEVICE_SNAPSHOT_H

#include "device.h"

/* Everything that was counted up to now. */
struct device_snapshot {
	struct model model;
	struct filter filter;
	/* device number of each module of the model; 0: not shown */
	uint32_t *numbers;
};

/*
 * Reads the profiles of a process, or of all if pid is 0, into *s.  keep:
 * MODEL_KEEP_* flags.  Notes files that cannot be read in the device.  Returns
 * 0 or -ENOMEM.  The caller calls device_snapshot_close() in any case.
 */
int device_snapshot_open(struct device_snapshot *s, struct device *d,
    int32_t pid, unsigned keep);

/* Frees the snapshot. */
void device_snapshot_close(struct device_snapshot *s);

/*
 * Numbers the modules again, after rows have moved to other modules.  Returns 0
 * or -ENOMEM.
 */
int device_snapshot_number(struct device_snapshot *s, struct device *d);

/*
 * Returns whether a row of the model counts CPU time or blocks at an address in
 * the module of this number; 0: in any module that is shown.
 */
bool device_snapshot_has(const struct device_snapshot *s,
    const struct model_row *r, uint32_t module);

/*
 * Stores the numbers of all modules with such rows in *numbers, ascending, and
 * how many there are in *count.  Returns 0, and the caller frees *numbers; or
 * -ENOMEM, and nothing is to be freed.
 */
int device_snapshot_modules(const struct device_snapshot *s, uint32_t **numbers,
    size_t *count);

/*
 * Clears time and count of all rows outside of `module`; 0: outside of the
 * selected modules, if any are selected.
 */
void device_snapshot_filter(struct device_snapshot *s, const struct device *d,
    uint32_t module);

#endif
