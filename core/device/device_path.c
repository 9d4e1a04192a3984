/*
 * Context: O.  Parses and lists the names of the files of a device, for proffs;
 * see device_path.h.
 */
#include "device_path.h"

#include <stdlib.h>
#include <string.h>

/*
 * A file name, and the directories that have it: the top and the processes, or
 * the modules.
 */
struct leaf {
	const char *name;
	enum device_path_kind kind;
	bool of_top, of_module;
};

/* ctl comes first, as in the classic device. */
static const struct leaf leaves[] = {
	{ "ctl", DEVICE_PATH_CTL, true, false },
	{ "status", DEVICE_PATH_STATUS, true, false },
	{ "name", DEVICE_PATH_NAME, false, true },
	{ "path", DEVICE_PATH_PATH, false, true },
	{ "histogram", DEVICE_PATH_HISTOGRAM, false, true },
	{ "pctl", DEVICE_PATH_PCTL, false, true },
	{ "times", DEVICE_PATH_TIMES, false, true },
	{ "lines", DEVICE_PATH_LINES, true, true },
	{ "folded", DEVICE_PATH_FOLDED, true, true },
	{ "pprof", DEVICE_PATH_PPROF, true, true },
	{ "memory", DEVICE_PATH_MEMORY, false, true },
	{ "heap", DEVICE_PATH_HEAP, true, true },
};

#define LEAVES	(sizeof(leaves) / sizeof(leaves[0]))

/*
 * Returns the length of the first component of a path; a '/' or the end of the
 * path follows it.
 */
static size_t
component_length(const char *path)
{
	return strcspn(path, "/");
}

static bool
parse_pid(struct device_path *n, const char *text, size_t bytes)
{
	if (bytes == 0 || bytes > 9 || strspn(text, "0123456789") != bytes ||
	    text[0] == '0')
		return false;
	n->pid = atoi(text);
	return true;
}

static bool
parse_module(struct device_path *n, const char *text, size_t bytes)
{
	if (bytes != 8 || strspn(text, "0123456789abcdef") != bytes)
		return false;
	n->module = (uint32_t)strtoul(text, NULL, 16);
	n->kind = DEVICE_PATH_MODULE;
	return n->module != 0;
}

static bool
parse_leaf(struct device_path *n, const char *name)
{
	for (size_t i = 0; i < LEAVES; i++)
		if (strcmp(leaves[i].name, name) == 0 &&
		    (n->module != 0 ? leaves[i].of_module :
		    leaves[i].of_top)) {
			n->kind = leaves[i].kind;
			return true;
		}
	return false;
}

/* Parses the part of a path below the top or below a process. */
static bool
parse_below(struct device_path *n, const char *at)
{
	size_t bytes = component_length(at);

	if (*at == '\0')
		return true;
	if (!parse_module(n, at, bytes))
		return n->module == 0 && parse_leaf(n, at);
	return at[bytes] == '\0' || parse_leaf(n, at + bytes + 1);
}

bool
device_path_parse(struct device_path *n, const char *path)
{
	size_t bytes;

	memset(n, 0, sizeof(*n));
	path += *path == '/';
	if (strncmp(path, "pid", 3) != 0 || (path[3] != '/' &&
	    path[3] != '\0'))
		return parse_below(n, path);
	n->kind = DEVICE_PATH_PIDS;
	if (path[3] == '\0')
		return true;
	path += 4;
	bytes = component_length(path);
	n->kind = DEVICE_PATH_TOP;
	return parse_pid(n, path, bytes) &&
	    parse_below(n, path + bytes + (path[bytes] == '/'));
}

const char *
device_path_leaf(enum device_path_kind directory, size_t i)
{
	for (size_t k = 0; k < LEAVES; k++)
		if ((directory == DEVICE_PATH_TOP && leaves[k].of_top) ||
		    (directory == DEVICE_PATH_MODULE && leaves[k].of_module))
			if (i-- == 0)
				return leaves[k].name;
	return NULL;
}

bool
device_path_is_directory(enum device_path_kind kind)
{
	return kind <= DEVICE_PATH_MODULE;
}

bool
device_path_is_writable(enum device_path_kind kind)
{
	return kind == DEVICE_PATH_CTL || kind == DEVICE_PATH_PCTL;
}

bool
device_path_is_readable(enum device_path_kind kind)
{
	return !device_path_is_directory(kind) && kind != DEVICE_PATH_PCTL;
}
