/* Context: O.  The files of a device, by name. */
#ifndef DEVICE_PATH_H
#define DEVICE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum device_path_kind {
	/* directories: of all, or of a process ... */
	DEVICE_PATH_TOP,
	DEVICE_PATH_PIDS,		/* ... of these ... */
	DEVICE_PATH_MODULE,		/* ... of a module */
	DEVICE_PATH_CTL,
	DEVICE_PATH_STATUS,
	DEVICE_PATH_NAME,
	DEVICE_PATH_PATH,
	DEVICE_PATH_PCTL,
	DEVICE_PATH_HISTOGRAM,
	DEVICE_PATH_TIMES,
	DEVICE_PATH_LINES,
	DEVICE_PATH_FOLDED,
	DEVICE_PATH_PPROF,
	DEVICE_PATH_MEMORY,
	DEVICE_PATH_HEAP,
	DEVICE_PATH_KINDS,
};

struct device_path {
	enum device_path_kind kind;
	int32_t pid;		/* 0 = of all processes */
	uint32_t module;	/* its number; 0 = of all that are selected */
};

/* False: nothing can have that path.  Whether it is there is another matter. */
bool device_path_parse(struct device_path *n, const char *path);

/* The files in such a directory, in order; NULL behind the last. */
const char *device_path_leaf(enum device_path_kind directory, size_t i);

bool device_path_is_directory(enum device_path_kind kind);
bool device_path_is_writable(enum device_path_kind kind);	/* ctl, pctl */
bool device_path_is_readable(enum device_path_kind kind);

/* Of a module's directory, as the classic device has it. */
#define DEVICE_PATH_MODULE_FORMAT "%08x"

#endif
