/* Context: O.  See preload_run.h. */
#include "preload_run.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct backend_preload p;
char library[PATH_MAX], directory[PATH_MAX];

void
preload_set_up(void)
{
	const char *own = getenv("MON_LIB");

	compile_init();
	snprintf(library, sizeof(library), "%s", own != NULL ? own : "");
	setenv("TMPDIR", compile_path("."), 1);
	unsetenv("LD_PRELOAD");
	unsetenv("PROFDIR");
	unsetenv("PROFOPTS");
}

char *stream;
size_t stream_bytes;
uint64_t stats[TPROF_STATS];
char told[4][512];
unsigned tells;

void
preload_begin(unsigned hz)
{
	struct fault f;

	cr_assert_eq(backend_preload_begin(&p, library, hz, &f), 0, "%s",
	    f.what);
	snprintf(directory, sizeof(directory), "%s", p.directory);
	tells = 0;
}

void
preload_tell(void *arg, const struct fault *f)
{
	cr_assert_eq(arg, &p);
	if (tells < 4)
		snprintf(told[tells], sizeof(told[0]), "%s: %s",
		    f->file != NULL ? f->file : "", f->what);
	tells++;
}

void
preload_end(bool written)
{
	FILE *out = open_memstream(&stream, &stream_bytes);
	struct tprof_writer put;
	struct fault f;

	tprof_writer_begin(&put, out, "backend=preload\n", 0);
	cr_assert_eq(backend_preload_end(&p, &put, preload_tell, &p), 0);
	memcpy(stats, put.stats, sizeof(stats));
	cr_assert_eq(tprof_writer_end(&put, 0, 1, &f), 0);
	tprof_writer_free(&put);
	fclose(out);
	backend_preload_close(&p, written, preload_tell, &p);
}

bool
preload_is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

char text[1 << 20];
