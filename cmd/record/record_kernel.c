/*
 * Context: O.  Records a command by the kernel, for prof_record.c, with the
 * backend of tprof monitor; see record_kernel.h.
 */
#include "record/record_kernel.h"

#include "common/print_fault.h"
#include "event/event.h"
#include "tprof/recording.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Chooses the name of the file: tprof.out, or one of its own where an earlier
 * run has left that.
 */
static void
name_samples(const struct record_run *run, char *path, size_t room)
{
	snprintf(path, room, "%s/tprof.out", run->output->path);
	if (access(path, F_OK) == 0)
		snprintf(path, room, "%s/tprof.%ld.out", run->output->path,
		    (long)getpid());
}

/* Removes an empty file: there was no room for it, or nothing began. */
static void
remove_empty(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && st.st_size == 0)
		unlink(path);
}

int
record_kernel(struct record_run *run)
{
	const unsigned hz = run->set->hz != 0 ? run->set->hz : EVENT_HZ;
	char path[PATH_MAX];
	struct recording m = {
		.set = {
			.hz = hz, .stacks = SAMPLER_STACKS_FP, .tree = true,
		},
		.argv = run->set->command, .path = path, .quiet = true,
	};
	struct fault f;
	int ret = 1;

	name_samples(run, path, sizeof(path));
	if (events_add_default(&m.set.events, hz, &f) != 0)
		print_fault(&f);
	else
		ret = recording_kernel(&m);
	if (m.out != NULL)
		fclose(m.out);
	if (m.command.pid > 0)
		command_close(&m.command);
	events_free(&m.set.events);
	remove_empty(path);
	run->status = m.command.status;
	run->ran = m.ran;
	run->failed = m.failed;
	return ret;
}
