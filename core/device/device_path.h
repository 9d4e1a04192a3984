/*
 * Context: O.  The names of the files of a device, and what each stands for.
 * proffs calls it for each request; device_files.c uses the parsed path.
 */
#ifndef DEVICE_PATH_H
#define DEVICE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kind of a file.  The first three are directories. */
enum device_path_kind {
	/* the top, or the directory of a process */
	DEVICE_PATH_TOP,
	DEVICE_PATH_PIDS,		/* "pid": the processes */
	DEVICE_PATH_MODULE,		/* a module */
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

/* A file of the device. */
struct device_path {
	enum device_path_kind kind;
	int32_t pid;		/* 0: all processes */
	/* number of the module; 0: all that are selected */
	uint32_t module;
};

/*
 * Parses a path below the mount point.  Returns false if no file can have this
 * path.  Does not check that the process and the module exist.
 */
bool device_path_parse(struct device_path *n, const char *path);

/*
 * Returns the name of the i-th file that each directory of this kind has, in
 * order; NULL behind the last.
 */
const char *device_path_leaf(enum device_path_kind directory, size_t i);

/*
 * Returns whether a kind of file is a directory (device_path_is_directory), can
 * be written (device_path_is_writable), or can be read
 * (device_path_is_readable).
 */
bool device_path_is_directory(enum device_path_kind kind);
bool device_path_is_writable(enum device_path_kind kind);	/* ctl, pctl */
bool device_path_is_readable(enum device_path_kind kind);

/*
 * Name of a module's directory: eight hexadecimal digits, as in the classic
 * device.
 */
#define DEVICE_PATH_MODULE_FORMAT "%08x"

#endif
