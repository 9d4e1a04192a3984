/*
 * Context: O. Tests of core/device/device_path.c: the files of a device, by
 * name.
 */
#include "device_path.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void
is(const char *path, enum device_path_kind kind, int32_t pid, uint32_t module)
{
	struct device_path n;

	cr_assert(device_path_parse(&n, path), "%s", path);
	cr_expect_eq(n.kind, kind, "%s", path);
	cr_expect_eq(n.pid, pid, "%s", path);
	cr_expect_eq(n.module, module, "%s", path);
}

Test(device_path, paths)
{
	is("/", DEVICE_PATH_TOP, 0, 0);
	is("/ctl", DEVICE_PATH_CTL, 0, 0);
	is("/lines", DEVICE_PATH_LINES, 0, 0);
	is("/pid", DEVICE_PATH_PIDS, 0, 0);
	is("/pid/12", DEVICE_PATH_TOP, 12, 0);
	is("/pid/12/status", DEVICE_PATH_STATUS, 12, 0);
	is("/0000000a", DEVICE_PATH_MODULE, 0, 10);
	is("/0000000a/histogram", DEVICE_PATH_HISTOGRAM, 0, 10);
	is("/pid/999999999/ffffffff/pprof", DEVICE_PATH_PPROF, 999999999,
	    UINT32_MAX);
}

Test(device_path, what_is_none)
{
	static const char *const none[] = {
		"/x", "/ctl/x", "/name", "/histogram", "/00000000", "/0000001",
		"/0000000A", "/000000001", "/00000001/ctl", "/00000001/x",
		"/00000001/name/x", "/00000001/00000001", "/pid/", "/pid/0",
		"/pid/01", "/pid/1x", "/pid/1234567890", "/pid/1/pid",
		"/pid/1/2", "/pidx", "/pid/1/00000001/ctl",
	};
	struct device_path n;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		cr_expect_not(device_path_parse(&n, none[i]), "%s", none[i]);
}

/* Whatever a directory lists can be opened there. */
Test(device_path, lists_what_it_parses)
{
	static const struct { enum device_path_kind kind; const char *path;
	    } in[] = {
		{ DEVICE_PATH_TOP, "" }, { DEVICE_PATH_TOP, "/pid/7" },
		{ DEVICE_PATH_MODULE, "/00000001" },
	};
	char path[64];
	const char *leaf;
	struct device_path n;

	cr_expect_str_eq(device_path_leaf(DEVICE_PATH_TOP, 0), "ctl");
	for (size_t d = 0; d < sizeof(in) / sizeof(*in); d++)
		for (size_t i = 0; (leaf = device_path_leaf(in[d].kind,
		    i)) != NULL; i++) {
			snprintf(path, sizeof path, "%s/%s", in[d].path, leaf);
			cr_expect(device_path_parse(&n, path), "%s", path);
			cr_expect_not(device_path_is_directory(n.kind), "%s",
			    path);
			cr_expect(device_path_is_readable(n.kind) ||
			    device_path_is_writable(n.kind), "%s", path);
		}
	cr_expect_null(device_path_leaf(DEVICE_PATH_PIDS, 0));
}
