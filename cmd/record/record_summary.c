/*
 * Context: O.  Says what was recorded: reads the profiles of the run as prof
 * does, for prof_record.c; see record_summary.h.
 */
#include "record/record_summary.h"

#include "base/model.h"
#include "base/plural.h"
#include "base/quantity.h"
#include "common/print_fault.h"
#include "input.h"
#include "read/read_inputs.h"
#include "report/footer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* CPU time that a program may use before the first tick finds it, ns. */
#define SHORT_NS	10000000u

static double
seconds_of(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void
print_read_fault(void *arg, const struct fault *f)
{
	(void)arg;
	print_fault(f);
}

/*
 * Prints the first loss of the model, with its unit in the singular if it is
 * one; that nothing was lost, if so.
 */
static void
print_losses(const struct model *m)
{
	if (!footer_has_losses(m)) {
		fputs(", nothing lost\n", stderr);
		return;
	}
	for (unsigned i = 0; i < LOSS_MAX; i++)
		if (m->losses[i] != 0) {
			fputs("; lost: ", stderr);
			footer_loss(stderr, m, i);
			fputs("; prof lists all losses\n", stderr);
			return;
		}
	fputs("; some samples were lost, as prof says\n", stderr);
}

/* Prints the number of samples, of libmon.so and of the kernel together. */
static void
print_samples(const struct model *m)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < m->sampling_count; i++)
		samples += m->samplings[i].samples;
	for (size_t i = 0; i < m->process_count; i++)
		samples += m->processes[i].samples;
	fprintf(stderr, ", %" PRIu64 " sample%s", samples,
	    plural_suffix(samples));
}

/*
 * Prints the number of allocations, and the sum of the peaks of all processes.
 */
static void
print_allocations(const struct model *m)
{
	uint64_t calls = 0, peak = 0;
	char room[QUANTITY_TEXT_ROOM];

	for (size_t i = 0; i < m->row_count; i++)
		calls += model_heap(m, &m->rows[i])->total_blocks;
	for (size_t i = 0; i < m->process_count; i++)
		peak += m->processes[i].heap_peak;
	fprintf(stderr, ", %" PRIu64 " allocation%s, %s at the peak", calls,
	    plural_suffix(calls), quantity_format_bytes(peak, room));
}

/*
 * Prints what was recorded.  *heap: the same profiles, read as those of
 * allocations; used with --heap only.
 */
static void
print_recorded(const struct record_run *r, const struct model *m,
    const struct model *heap)
{
	fprintf(stderr, "prof: %.2f s elapsed, %.2f s CPU (%.2f cores)",
	    seconds_of(r->elapsed_ns), seconds_of(r->cpu_ns),
	    r->elapsed_ns == 0 ? 0 : (double)r->cpu_ns /
	    (double)r->elapsed_ns);
	if (r->set->time)
		print_samples(m);
	if (r->set->heap)
		print_allocations(heap);
	/* A recording by the kernel does not list processes. */
	if (m->pid_count != 0)
		fprintf(stderr, " of %zu process%s", m->pid_count,
		    m->pid_count == 1 ? "" : "es");
	print_losses(m);
	fprintf(stderr, "prof: the profile is %s\n", r->output->name);
}

/* Names the commands that show what was recorded. */
static void
print_next(const struct record_run *r)
{
	const char *profdir = getenv("PROFDIR");
	/* prof finds the directory without its name, unless PROFDIR is set */
	const bool found = r->set->output == NULL && (profdir == NULL ||
	    *profdir == '\0');
	const char *space = found ? "" : " ";
	const char *name = found ? "" : r->output->name;
	const bool time = r->set->time;

	fprintf(stderr, "prof: to see it: prof%s%s%s", time ? "" : " --heap",
	    space, name);
	if (r->set->heap && time)
		fprintf(stderr, ", prof --heap%s%s", space, name);
	if (r->set->wall)
		fprintf(stderr, ", prof --asleep%s%s", space, name);
	fprintf(stderr, ", prof%s --html=page.html%s%s\n", time ? "" :
	    " --heap", space, name);
}

/*
 * Prints which signal ended the command, if one did.  A shell says this of its
 * own child, which the command is not.
 */
static void
print_end(const struct record_run *r)
{
	if (WIFSIGNALED(r->status))
		fprintf(stderr, "prof: %s was ended by signal %d (%s)\n",
		    r->set->command[0], WTERMSIG(r->status),
		    strsignal(WTERMSIG(r->status)));
}

/* Says why a run may have left no profile. */
static void
print_none(const struct record_run *r)
{
	struct fault f;

	if (r->set->heap && !r->set->time) {
		fault_set(&f, "has no profile: it allocated nothing, or its "
		    "programs are linked statically or clear LD_PRELOAD",
		    FAULT_NO_OFFSET, 0);
		f.remedy = "leave out --heap to record its CPU time";
	} else if (r->cpu_ns < SHORT_NS) {
		fault_set(&f, "has no profile: it used less CPU time than one "
		    "sample takes", FAULT_NO_OFFSET, 0);
		f.remedy = "give it more work, or --hz=10000";
	} else {
		fault_set(&f, "has no profile: its programs are linked "
		    "statically, or they clear LD_PRELOAD", FAULT_NO_OFFSET,
		    0);
		f.remedy = "tprof monitor --tree samples any program by the "
		    "kernel";
	}
	f.file = r->set->command[0];
	print_fault(&f);
}

/*
 * Reads the profiles of the run, without names.  Faults of files are printed if
 * `fault` is set.  Returns 0 or -errno; the caller frees *m.
 */
static int
read_run(const struct record_run *r, struct model *m, unsigned keep,
    read_inputs_fault *fault)
{
	static const struct filter all;
	struct input in = { 0 };
	struct fault f;
	int ret = model_init(m, &all, keep, DEMANGLE_OFF);

	if (ret == 0)
		ret = record_output_list(r->output, &in, &f);
	if (ret == 0)
		ret = read_inputs(m, &in, fault, NULL, NULL);
	input_free(&in);
	return ret;
}

static void
ignore_fault(void *arg, const struct fault *f)
{
	(void)arg;
	(void)f;
}

bool
record_summary_print(const struct record_run *r)
{
	struct model m, heap = { 0 };
	const bool some = read_run(r, &m, 0, print_read_fault) == 0 &&
	    m.files != 0;

	print_end(r);
	/* A model holds time or allocations; its faults are those of *m. */
	if (some && r->set->heap)
		read_run(r, &heap, MODEL_KEEP_HEAP, ignore_fault);
	if (some) {
		print_recorded(r, &m, &heap);
		print_next(r);
	} else if (!r->failed) {
		print_none(r);
	}
	if (some && r->set->heap)
		model_free(&heap);
	model_free(&m);
	return some;
}
