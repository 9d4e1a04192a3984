/*
 * Context: O.  The prof device of a directory of profiles: doc/internals.md,
 * section 20.  What it serves, without a word of how it is mounted.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include "input.h"
#include "module_ids.h"

#include <stdio.h>

#define DEVICE_NOTES	16	/* lines of `status` about what went wrong */

/* A process, whoever has its number later. */
struct device_process {
	int32_t pid;
	uint64_t start_ticks;
};

/*
 * Tells what the last start asked of all processes or of one process: the kind
 * of numbers that a histogram holds.
 */
enum device_kind {
	DEVICE_UNSET,
	DEVICE_TIME,
	DEVICE_MEMORY,
};

struct device_start {
	int32_t pid;		/* 0 all, but those that stand behind it */
	enum device_kind kind;
	bool stopped;		/* since */
};

/* One mount.  What it selects is its own; what processes do is everybody's. */
struct device {
	char *directory;	/* of the profiles, absolute */
	/* ns since 1970: who ended before is left out */
	uint64_t since;
	struct device_process *lives;	/* who lived then */
	size_t life_count, life_room;
	char **names;		/* patterns of modules; none: all */
	size_t name_count, name_room;
	struct module_ids catalogue;
	struct device_start *starts;
	size_t start_count, start_room;
	char *notes[DEVICE_NOTES];
	size_t noted;		/* so far: the newest is the one before it */
};

/* 0, or -errno and *f. */
int device_open(struct device *d, const char *directory, struct fault *f);
void device_close(struct device *d);

/*
 * Which modules are to be seen: one more pattern, or all again.  0 or -ENOMEM.
 */
int device_select(struct device *d, const char *pattern);
void device_select_all(struct device *d);
bool device_selects(const struct device *d, const char *path);

/*
 * Notes that a start was asked.  pid: the process, or 0 for all.  A start of
 * either kind that comes while memory is profiled, and not stopped, leaves the
 * histogram of memory, because the device of Inferno profiles one kind at a
 * time.  Returns 0 or -ENOMEM.
 */
int device_note_start(struct device *d, int32_t pid, enum device_kind kind);
void device_note_stop(struct device *d, int32_t pid);
enum device_kind device_start_kind(const struct device *d, int32_t pid);

/* What was counted so far, and by who has ended, is not shown any more. */
void device_reset(struct device *d);

/*
 * The profiles of a process, 0 of all, that live or have lived since.  Those
 * are to be freed in any case.  0, or -errno and *f.
 */
int device_profiles(struct device *d, int32_t pid, struct input *in,
    struct fault *f);

/* ... of those: their numbers, ascending, each once; free(3). */
int device_pids(struct device *d, int32_t **pids, size_t *count);

/* A line for who reads `status`. */
void device_note(struct device *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void device_note_fault(struct device *d, const struct fault *f);

/* Unless it is there: what is met at each look leaves room for others. */
void device_note_once(struct device *d, const struct fault *f);

#endif
