/*
 * Context: T.  Writes files in the formats of other profilers for this process,
 * at its end, at an exec or when libc's profiler ends; see format_writers.h.
 */
#include "classic/format_writers.h"

#include "base/mmap_area.h"
#include "base/stderr_note.h"
#include "base/store_header.h"
#include "base/str.h"
#include "base/temp_stack.h"
#include "classic/clock_demand.h"
#include "classic/gmon_request.h"
#include "count/arc_shard.h"
#include "mon.h"
#include "module/proc_info.h"
#include "options/environment.h"
#include "options/profdir.h"
#include "store/profile_name.h"
#include "store/store.h"

#include <errno.h>
#include <limits.h>

#define PREFIX		"GMON_OUT_PREFIX="
/* Milliseconds to wait for another thread's write, which may be stuck. */
#define WAIT_MOST	10000u

/* The thread that writes a file, in any format; 0: none. */
static _Atomic int writer_thread;

static const struct {
	writer *write;
	const char *suffix;	/* added to the name of the profile */
	const char *remedy;	/* if the format cannot hold it */
} writers[CONFIG_FORMATS] = {
	[CONFIG_FORMAT_GMON] = {write_gmon, ".gmon", "use another format="},
	[CONFIG_FORMAT_MONOUT] = {write_monout, ".mon",
	    "655 s are too much at one place, use prof --write=gmon"},
	[CONFIG_FORMAT_PROF] = {write_profout, ".prof",
	    "31 days are too much, use prof --write=gmon"},
};

void
format_writers_begin_gmon(void)
{
	arc_shard_set_paused(LINEAGE_PAUSED, false);
	gmon_request_begin();
	clock_demand_apply();
}

/*
 * Names the file in the directory of PROFDIR.  PID.PROGRAM alone is the name of
 * the file that monitor(3C) writes.
 */
static bool
name_in_profdir(struct str *s, const char *suffix)
{
	if (gmon_request_directory()[0] == '\0')
		return false;
	str_add(s, gmon_request_directory());
	str_add(s, "/");
	profile_name_add_process(s);
	str_add(s, suffix);
	return true;
}

/*
 * Names the file as the C library names its own; if PROFDIR is set, in that
 * directory, where all files of a process go.
 */
static bool
name_as_libc_gmon(struct str *s, const char *prefix)
{
	if (prefix != NULL) {
		str_add(s, prefix);
		str_add(s, ".");
		str_add_number(s, (uint64_t)mon->pid);
		return true;
	}
	if (!gmon_request_is_expected() || config.place == CONFIG_PLACE_DIR)
		return false;
	if (!name_in_profdir(s, writers[CONFIG_FORMAT_GMON].suffix))
		str_add(s, "gmon.out");
	return true;
}

/* Writes the name of the file to `path`.  prefix: GMON_OUT_PREFIX or NULL. */
static void
make_output_path(char *path, size_t room, enum config_format format,
    const char *prefix)
{
	struct str s;

	str_init(&s, path, room);
	if (format == CONFIG_FORMAT_GMON && name_as_libc_gmon(&s, prefix))
		return;
	if (config.place == CONFIG_PLACE_MEMORY) {
		if (!name_in_profdir(&s, ""))
			str_add(&s, MON_OUT);
		return;
	}
	str_add(&s, mon->store.local ? mon->store.final : mon->store.path);
	str_add(&s, writers[format].suffix);
}

/* Returns the format of a library that is only linked: gmon by default. */
static enum config_format
format_when_linked(void)
{
	return config.format == CONFIG_FORMAT_NATIVE ? CONFIG_FORMAT_GMON :
	    config.format;
}

/* Returns the format to write at the end; CONFIG_FORMAT_NATIVE: no file. */
static enum config_format
wanted_format(void)
{
	if (config.place != CONFIG_PLACE_MEMORY)
		return config.format;
	if (!gmon_request_has_begun())
		return CONFIG_FORMAT_NATIVE;
	/*
	 * A fork child that ends in this way would replace its parent's file.
	 */
	return gmon_request_is_own() || gmon_request_directory()[0] != '\0' ||
	    environment_get(environ, PREFIX) != NULL ? format_when_linked() :
	    CONFIG_FORMAT_NATIVE;
}

struct writer_job {
	enum config_format format;
	int ret;
	char path[PATH_MAX];
};

/*
 * The C library writes gmon.out where it cannot open the file that
 * GMON_OUT_PREFIX names.  A fork child does so only when it exits.
 */
static bool
may_fall_back_to_gmon(void)
{
	return config.place != CONFIG_PLACE_MEMORY ||
	    !gmon_request_has_begun() || gmon_request_is_own();
}

/* Writes the file of the job, a struct writer_job; sets its path and result. */
static void
write_format_file(void *job)
{
	struct writer_job *j = job;
	const char *prefix = environment_get(environ, PREFIX);

	make_output_path(j->path, sizeof(j->path), j->format, prefix);
	j->ret = writers[j->format].write(j->path);
	if (j->format != CONFIG_FORMAT_GMON || prefix == NULL ||
	    j->ret == 0 || j->ret == -ENODATA || !may_fall_back_to_gmon())
		return;
	make_output_path(j->path, sizeof(j->path), j->format, NULL);
	j->ret = writers[j->format].write(j->path);
}

/* Reports a file that could not be written, and calls that it lacks. */
static void
note_writer_result(const struct writer_job *j)
{
	char number[24];
	struct str s;

	if (j->ret != 0 && j->ret != -ENODATA)
		stderr_note(j->path, ": it could not be written", j->ret ==
		    -ERANGE ? ": " : "", j->ret == -ERANGE ?
		    writers[j->format].remedy : "", NULL);
	if (config.place != CONFIG_PLACE_MEMORY ||
	    store_header()->loss[LOSS_CALL_SPACE] == 0)
		return;
	str_init(&s, number, sizeof(number));
	str_add_number(&s, store_header()->loss[LOSS_CALL_SPACE]);
	stderr_note(j->path, ": ", number, " calls had no room", NULL);
}

/*
 * Writes the file on a temporary stack, because the program's may be small.
 * The caller has claimed the writer.  tell: reports a failure to the user.
 */
static void
run_writer(enum config_format format, bool tell)
{
	struct writer_job *j;

	if (format == CONFIG_FORMAT_NATIVE || store_header() == NULL)
		return;
	j = mmap_area_alloc(sizeof(*j));
	if (j == NULL)
		return;
	j->format = format;
	if (temp_stack_call(write_format_file, j) == 0 && tell)
		note_writer_result(j);
	mmap_area_unmap(j, sizeof(*j));
}

/*
 * Claims the right to write for this thread: a second writer would truncate the
 * first one's file.  A thread that comes meanwhile waits, and then has nothing
 * to write: false.  A signal handler that interrupts the writer does not write
 * either.
 */
static bool
claim_writer(void)
{
	const struct timespec ms = {0, 1000000};
	int tid = sys_gettid(), other = 0;
	unsigned waited = 0;

	while (!atomic_compare_exchange_strong(&writer_thread, &other, tid)) {
		if (other == tid || waited == WAIT_MOST)
			return false;
		/*
		 * The writer is not in this process: it wrote when another
		 * thread forked.  Take its place.
		 */
		if (sys_tgkill(sys_getpid(), other, 0) == -ESRCH) {
			waited = 0;
			continue;
		}
		SYS(nanosleep, &ms, NULL, 0, 0, 0, 0);
		waited++;
		other = 0;
	}
	if (waited != 0)
		atomic_store(&writer_thread, 0);
	return waited == 0;
}

/*
 * Returns whether no format was asked for, so that there is never a writer to
 * wait for.
 */
static bool
is_native_only(void)
{
	return config.place != CONFIG_PLACE_MEMORY &&
	    config.format == CONFIG_FORMAT_NATIVE;
}

void
format_writers_run(void)
{
	if (is_native_only() || proc_info_filter_came() || !claim_writer())
		return;
	run_writer(wanted_format(), config.message);
	atomic_store(&writer_thread, 0);
}

/* Stops the clocks first, so that their pending time is in the file. */
void
format_writers_end_gmon(void)
{
	if (atomic_load(&mon->frozen) || !claim_writer())
		return;
	if (gmon_request_end()) {
		clock_demand_apply();
		run_writer(format_when_linked(), true);
	}
	atomic_store(&writer_thread, 0);
}
