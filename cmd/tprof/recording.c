/* Context: O.  Opens and ends the output of a recording; see recording.h. */
#include "tprof/recording.h"

#include "common/print_fault.h"
#include "tprof/tprof_commands.h"
#include "tprof/tprof_output.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

int
recording_open(struct recording *m, struct fault *f)
{
	m->out = tprof_output_open(m->path, f);
	return m->out == NULL ? -EIO : 0;
}

void
recording_write_failed(struct recording *m, const struct fault *f)
{
	struct fault own = *f;

	own.file = strcmp(m->path, "-") == 0 ? "standard output" : m->path;
	if (!m->failed)
		print_fault(&own);
	m->failed = true;
}

void
recording_print_stats(const struct tprof_writer *p)
{
	fputs("\ntprof statistics:\n", stderr);
	for (unsigned i = 0; i < TPROF_STATS; i++)
		fprintf(stderr, "\t%s %" PRIu64 "\n", tprof_stat_name(i),
		    p->stats[i]);
}

void
recording_end(struct recording *m, struct tprof_writer *p)
{
	struct fault f;

	if (tprof_writer_end(p, command_exit_status(&m->command),
	    perf_buffer_now(), &f) != 0)
		recording_write_failed(m, &f);
	if (fclose(m->out) != 0) {
		fault_set(&f, "cannot be written", FAULT_NO_OFFSET, errno);
		recording_write_failed(m, &f);
	}
	m->out = NULL;
}

int
recording_exit_status(const struct recording *m)
{
	const int status = command_exit_status(&m->command);

	return status == 0 && m->failed ? TPROF_DATA : status;
}
