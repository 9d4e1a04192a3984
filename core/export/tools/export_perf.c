/*
 * Context: O.  Writes call stacks as perf script prints them, for
 * export_write(): for each sample a line that names its thread and how long it
 * stands for, a line for each frame, and an empty one.
 *
 * Where the times of samples were not recorded, samples of one place and thread
 * are one sample, whose period is the time of all.
 */
#include "tools/export_perf.h"

#include "derive/sample_spans.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct perf {
	FILE *out;
	struct sample_paths in;
};

/*
 * Writes the name of a thread; one that has none has perf's name for that.
 * Readers split fields at blanks and line ends, some take a name for a time,
 * and a line with a '#' is no sample to them.
 */
static void
put_perf_thread(FILE *out, const char *text, int32_t tid)
{
	if (*text == '\0')
		fprintf(out, ":%" PRId32, tid);
	if (*text == '#') {
		putc('_', out);
		text++;
	}
	for (; *text != '\0'; text++)
		putc((unsigned char)*text <= ' ' || (text[1] == '\0' &&
		    *text == ':') ? '_' : *text, out);
}

/*
 * Returns whether the name ends in "+0x12", which readers take for the offset
 * in the function.
 */
static bool
has_offset(const char *name)
{
	const char *plus = strrchr(name, '+');

	return plus != NULL && strncmp(plus, "+0x", 3) == 0 &&
	    plus[3] != '\0' &&
	    plus[3 + strspn(plus + 3, "0123456789abcdefABCDEF")] == '\0';
}

/*
 * Writes a name without line ends, without blanks around it, and without a
 * blank before what looks like the module that follows it.
 */
static void
put_perf_name(FILE *out, const char *name)
{
	if (*name == '\0')
		name = "[unknown]";
	for (const char *at = name; *at != '\0'; at++)
		putc((unsigned char)*at < ' ' ? '?' : *at == ' ' &&
		    (at == name || at[1] == '\0' || (at[1] == '(' &&
		    (at[2] == '/' || at[2] == '['))) ? '_' : *at, out);
	if (has_offset(name))
		fputs("+0x0", out);
}

static void
put_perf_module(FILE *out, const char *path)
{
	const bool plain = *path != '/' && *path != '[';

	for (const char *at = path; *at != '\0'; at++)
		putc((unsigned char)*at < ' ' ? '?' : plain && *at == ' ' &&
		    at[1] == '(' ? '_' : *at, out);
}

/* Writes the line of a sample that names its thread, time and period. */
static int
put_head(struct perf *x, const struct sample_span *p)
{
	const struct model *m = x->in.model;
	const struct model_row *r = &m->rows[p->row];
	const bool known = r->thread != MODEL_NONE;
	const int32_t pid = r->process == MODEL_NONE ? 0 :
	    m->processes[r->process].pid;
	const char *name = known ? sample_paths_thread(&x->in, r->thread) :
	    r->process != MODEL_NONE ? m->processes[r->process].program : "-";
	const uint64_t end = p->at + p->ns;

	if (name == NULL)
		return -ENOMEM;
	put_perf_thread(x->out, name, known ?
	    m->threads[r->thread].thread.tid : pid);
	fprintf(x->out, " %" PRId32 "/%" PRId32 " %" PRIu64 ".%09" PRIu64
	    ": %10" PRIu64 " %s:\n", pid, known ?
	    m->threads[r->thread].thread.tid : pid, end / 1000000000u,
	    end % 1000000000u, p->ns, m->filter->asleep ? "sleep" :
	    "cpu-clock");
	return 0;
}

static void
put_frame(struct perf *x, const struct sample_paths_frame *f)
{
	struct model *m = x->in.model;
	const struct code_location *site = &x->in.sites.all[f->site];
	const char *name = model_function_name(m, f->function);

	fprintf(x->out, "\t%16" PRIx64 " ", sample_paths_address(&x->in,
	    f->site));
	put_perf_name(x->out, name != NULL ? name : "?");
	fputs(" (", x->out);
	put_perf_module(x->out, f->inlined ? "inlined" :
	    m->modules[site->module].path);
	fputs(")\n", x->out);
}

static int
put_perf_sample(struct perf *x, const struct sample_span *p)
{
	int ret = put_head(x, p);

	sample_paths_get(&x->in, p->row);
	if (ret == 0)
		ret = sample_paths_get_frames(&x->in);
	if (ret != 0)
		return ret;
	for (size_t i = 0; i < x->in.frame_count; i++)
		put_frame(x, &x->in.frames[i]);
	putc('\n', x->out);
	return 0;
}

int
export_perf(struct model *m, FILE *out)
{
	struct perf x = { .out = out };
	struct sample_spans p = { 0 };
	int ret = sample_paths_open(&x.in, m);

	if (ret == 0)
		ret = sample_spans_make(&p, &x.in);
	for (size_t i = 0; i < p.count && ret == 0; i++)
		ret = put_perf_sample(&x, &p.all[i]);
	sample_spans_free(&p);
	sample_paths_close(&x.in);
	return ret;
}
