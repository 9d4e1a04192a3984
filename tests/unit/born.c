/*
 * Context: O. Files of profiles, by name, for tests of store_create.c and
 * run.c.
 */
#include "born.h"

#include "module/proc_info.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *
born_named(const char *form)
{
	char name[64];

	snprintf(name, sizeof name, form, (int)getpid());
	return target_path(name);
}

void
born_write(const char *path, const void *bytes, size_t n)
{
	FILE *out = fopen(path, "w");

	cr_assert_not_null(out, "%s", path);
	cr_assert_eq(fwrite(bytes, 1, n, out), n);
	fclose(out);
}

struct format_header *
born_before(void)
{
	static struct format_header h;

	memset(&h, 0, sizeof h);
	memcpy(h.magic, FORMAT_MAGIC, sizeof h.magic);
	h.state = FORMAT_LIVE;
	h.pid = getpid();
	h.start_ticks = 1;
	h.pid_namespace = proc_info_pid_namespace();
	proc_info_boot_id(h.boot_id);
	return &h;
}
