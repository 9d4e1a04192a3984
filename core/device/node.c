/* Context: O.  The files of a device, by name. */
#include "node.h"

#include <stdlib.h>
#include <string.h>

struct leaf {
	const char *name;
	enum node_kind kind;
	bool of_top, of_module;
};

/* ctl comes first, as it did. */
static const struct leaf leaves[] = {
	{ "ctl", NODE_CTL, true, false },
	{ "status", NODE_STATUS, true, false },
	{ "name", NODE_NAME, false, true },
	{ "path", NODE_PATH, false, true },
	{ "histogram", NODE_HISTOGRAM, false, true },
	{ "pctl", NODE_PCTL, false, true },
	{ "times", NODE_TIMES, false, true },
	{ "lines", NODE_LINES, true, true },
	{ "folded", NODE_FOLDED, true, true },
	{ "pprof", NODE_PPROF, true, true },
	{ "memory", NODE_MEMORY, false, true },
	{ "heap", NODE_HEAP, true, true },
};

#define LEAVES	(sizeof(leaves) / sizeof(*leaves))

/* The part of a path that is n bytes long, and a '/' or the end behind it. */
static size_t
part(const char *path)
{
	return strcspn(path, "/");
}

static bool
parse_pid(struct node *n, const char *text, size_t bytes)
{
	if (bytes == 0 || bytes > 9 || strspn(text, "0123456789") != bytes ||
	    text[0] == '0')
		return false;
	n->pid = atoi(text);
	return true;
}

static bool
parse_module(struct node *n, const char *text, size_t bytes)
{
	if (bytes != 8 || strspn(text, "0123456789abcdef") != bytes)
		return false;
	n->module = (uint32_t)strtoul(text, NULL, 16);
	n->kind = NODE_MODULE;
	return n->module != 0;
}

static bool
parse_leaf(struct node *n, const char *name)
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

/* What is below the whole, or below a process. */
static bool
parse_below(struct node *n, const char *at)
{
	size_t bytes = part(at);

	if (*at == '\0')
		return true;
	if (!parse_module(n, at, bytes))
		return n->module == 0 && parse_leaf(n, at);
	return at[bytes] == '\0' || parse_leaf(n, at + bytes + 1);
}

bool
node_parse(struct node *n, const char *path)
{
	size_t bytes;

	memset(n, 0, sizeof(*n));
	path += *path == '/';
	if (strncmp(path, "pid", 3) != 0 || (path[3] != '/' &&
	    path[3] != '\0'))
		return parse_below(n, path);
	n->kind = NODE_PIDS;
	if (path[3] == '\0')
		return true;
	path += 4;
	bytes = part(path);
	n->kind = NODE_TOP;
	return parse_pid(n, path, bytes) &&
	    parse_below(n, path + bytes + (path[bytes] == '/'));
}

const char *
node_leaf(enum node_kind directory, size_t i)
{
	for (size_t k = 0; k < LEAVES; k++)
		if ((directory == NODE_TOP && leaves[k].of_top) ||
		    (directory == NODE_MODULE && leaves[k].of_module))
			if (i-- == 0)
				return leaves[k].name;
	return NULL;
}

bool
node_is_directory(enum node_kind kind)
{
	return kind <= NODE_MODULE;
}

bool
node_is_written(enum node_kind kind)
{
	return kind == NODE_CTL || kind == NODE_PCTL;
}

bool
node_is_read(enum node_kind kind)
{
	return !node_is_directory(kind) && kind != NODE_PCTL;
}
