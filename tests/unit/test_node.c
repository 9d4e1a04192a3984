/* Context: O.  Tests of core/device/node.c: the files of a device, by name. */
#include "node.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void
is(const char *path, enum node_kind kind, int32_t pid, uint32_t module)
{
	struct node n;

	cr_assert(node_parse(&n, path), "%s", path);
	cr_expect_eq(n.kind, kind, "%s", path);
	cr_expect_eq(n.pid, pid, "%s", path);
	cr_expect_eq(n.module, module, "%s", path);
}

Test(node, paths)
{
	is("/", NODE_TOP, 0, 0);
	is("/ctl", NODE_CTL, 0, 0);
	is("/lines", NODE_LINES, 0, 0);
	is("/pid", NODE_PIDS, 0, 0);
	is("/pid/12", NODE_TOP, 12, 0);
	is("/pid/12/status", NODE_STATUS, 12, 0);
	is("/0000000a", NODE_MODULE, 0, 10);
	is("/0000000a/histogram", NODE_HISTOGRAM, 0, 10);
	is("/pid/999999999/ffffffff/pprof", NODE_PPROF, 999999999, UINT32_MAX);
}

Test(node, what_is_none)
{
	static const char *const none[] = {
		"/x", "/ctl/x", "/name", "/histogram", "/00000000", "/0000001",
		"/0000000A", "/000000001", "/00000001/ctl", "/00000001/x",
		"/00000001/name/x", "/00000001/00000001", "/pid/", "/pid/0",
		"/pid/01", "/pid/1x", "/pid/1234567890", "/pid/1/pid",
		"/pid/1/2", "/pidx", "/pid/1/00000001/ctl",
	};
	struct node n;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		cr_expect_not(node_parse(&n, none[i]), "%s", none[i]);
}

/* Whatever a directory lists can be opened there. */
Test(node, lists_what_it_parses)
{
	static const struct { enum node_kind kind; const char *path; } in[] = {
		{ NODE_TOP, "" }, { NODE_TOP, "/pid/7" },
		{ NODE_MODULE, "/00000001" },
	};
	char path[64];
	const char *leaf;
	struct node n;

	cr_expect_str_eq(node_leaf(NODE_TOP, 0), "ctl");
	for (size_t d = 0; d < sizeof(in) / sizeof(*in); d++)
		for (size_t i = 0; (leaf = node_leaf(in[d].kind, i)) != NULL;
		    i++) {
			snprintf(path, sizeof path, "%s/%s", in[d].path, leaf);
			cr_expect(node_parse(&n, path), "%s", path);
			cr_expect_not(node_is_directory(n.kind), "%s", path);
			cr_expect(node_is_read(n.kind) ||
			    node_is_written(n.kind), "%s", path);
		}
	cr_expect_null(node_leaf(NODE_PIDS, 0));
}
