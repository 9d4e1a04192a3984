/*
 * Context: O.  Opens and ends the output of a recording, and prints what was
 * recorded, for recording_kernel.c and recording_preload.c; see recording.h.
 */
#include "tprof/recording.h"

#include "base/plural.h"
#include "common/print_fault.h"
#include "tprof/tprof_commands.h"
#include "tprof/tprof_output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
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

/* Returns the text behind the first words of the scope. */
static const char *
other_scope(const struct recording *m, bool all)
{
	if (m->attached != NULL)
		return m->set.seconds > 0 ? "" : "; Ctrl-C ends it";
	if (all)
		return "; --tree: this command alone";
	return tprof_sees_all(&m->set.events) ?
	    "; without --tree: the whole machine" :
	    "; the whole machine: as root";
}

void
recording_print_scope(const struct recording *m, bool all)
{
	char *text;

	if (m->quiet)
		return;
	text = m->attached == NULL ? NULL :
	    recording_attached_text(m->attached);
	fprintf(stderr, "tprof: %s%s%s\n", text != NULL ? "process " : all ?
	    "whole machine" : "this command and what it starts",
	    text != NULL ? text : "", other_scope(m, all));
	free(text);
}

void
recording_print_output(const struct recording *m)
{
	if (m->quiet || m->failed)
		return;
	if (strcmp(m->path, "-") == 0)
		fputs("tprof: samples are on standard output; tpfmt reads "
		    "them\n", stderr);
	else
		fprintf(stderr, "tprof: %s is written; read it with: prof "
		    "%s\n", m->path, m->path);
}

void
recording_print_stats(const struct tprof_writer *p)
{
	const uint64_t samples = p->stats[TPROF_S_SAMPLE];
	const uint64_t lost = p->stats[TPROF_S_OVERFLOW] +
	    p->stats[TPROF_S_DROPBUF_SAMPLES];

	fprintf(stderr, "\ntprof: %" PRIu64 " sample%s, ", samples,
	    plural_suffix(samples));
	if (lost == 0)
		fputs("none lost\n", stderr);
	else
		fprintf(stderr, "%" PRIu64 " lost\n", lost);
	fputs("tprof statistics:\n", stderr);
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
