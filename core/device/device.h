/*
 * Context: O.  The prof device, which proffs mounts, of a directory of
 * profiles: its state, and the profiles that it shows.  Used by proffs
 * (cmd/proffs), which handles one request at a time, and by the rest of this
 * folder: a device has no locks.  Nothing here depends on the way it is
 * mounted.  See doc/design/device.md.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include "input.h"
#include "module_ids.h"

#include <stdio.h>

#define DEVICE_NOTES	16	/* lines about errors that `status` keeps */

/*
 * A process.  The start time tells it from a later process with the same pid.
 */
struct device_process {
	int32_t pid;
	uint64_t start_ticks;
};

/*
 * Kind of numbers that a histogram holds: the kind that the last start, for all
 * processes or for one, asked for.
 */
enum device_kind {
	DEVICE_UNSET,
	DEVICE_TIME,
	DEVICE_MEMORY,
};

/* A start that was written to a ctl file. */
struct device_start {
	int32_t pid;	/* 0: all processes without a start of their own */
	/* what it counts */
	enum device_kind kind;
	bool stopped;		/* a stop came later */
};

/*
 * One mounted device.  Each device has a selection of its own; the state of the
 * processes is common to all devices.
 */
struct device {
	char *directory;	/* directory of the profiles, absolute */
	/* processes that ended before this time are left out; ns since 1970 */
	uint64_t since;
	struct device_process *lives;	/* processes that lived at `since` */
	size_t life_count, life_room;
	char **names;		/* patterns of selected modules; none: all */
	size_t name_count, name_room;
	/* numbers of the modules */
	struct module_ids catalogue;
	/* starts, at most one for each process */
	struct device_start *starts;
	size_t start_count, start_room;
	/* ring of lines for `status`; NULL: unused, or no memory */
	char *notes[DEVICE_NOTES];
	/* lines so far; the newest is number noted - 1, modulo DEVICE_NOTES */
	size_t noted;
};

/*
 * Opens the device of a directory.  Returns 0, or -errno with *f set.  The
 * caller calls device_close() in either case.
 */
int device_open(struct device *d, const char *directory, struct fault *f);

/* Frees what the device holds, but not *d itself. */
void device_close(struct device *d);

/*
 * Selects the modules that are shown.  device_select() adds a pattern for paths
 * or file names and returns 0 or -ENOMEM; device_select_all() removes all
 * patterns; device_selects() returns whether the module at `path` is shown.
 */
int device_select(struct device *d, const char *pattern);
void device_select_all(struct device *d);
bool device_selects(const struct device *d, const char *path);

/*
 * Notes a start (device_note_start) or a stop (device_note_stop) of a process,
 * or of all if pid is 0.  A start of either kind leaves the histogram in memory
 * units while memory is profiled and not stopped, because the device of Inferno
 * profiles one kind at a time.  device_note_start() returns 0 or -ENOMEM.
 * device_start_kind() returns the kind of the last start of the process.
 */
int device_note_start(struct device *d, int32_t pid, enum device_kind kind);
void device_note_stop(struct device *d, int32_t pid);
enum device_kind device_start_kind(const struct device *d, int32_t pid);

/*
 * Hides the processes that have ended, and forgets the starts, the selection
 * and the module numbers.  The verb `end` calls it, after the living processes
 * have been made to begin anew.
 */
void device_reset(struct device *d);

/*
 * Adds to *in the profiles of a process, or of all if pid is 0, that live or
 * have lived since d->since.  The caller frees *in in any case.  Returns 0, or
 * -errno with *f set.
 */
int device_profiles(struct device *d, int32_t pid, struct input *in,
    struct fault *f);

/*
 * Stores in *pids the pids of the profiles that device_profiles() finds for all
 * processes, ascending, each once, and their number in *count.  Returns 0, and
 * the caller frees *pids; or -errno, and neither is set.
 */
int device_pids(struct device *d, int32_t **pids, size_t *count);

/*
 * Adds a line (device_note) or the text of a fault (device_note_fault) to
 * `status`.
 */
void device_note(struct device *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void device_note_fault(struct device *d, const struct fault *f);

/*
 * Adds the text of a fault to `status`, unless a line there says the same.  For
 * faults that recur at each read: they leave room for others.
 */
void device_note_once(struct device *d, const struct fault *f);

#endif
