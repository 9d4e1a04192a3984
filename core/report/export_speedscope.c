/*
 * Context: O.  Call stacks for speedscope: its "sampled" profiles, one a
 * thread, weighted by time.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "export_speedscope.h"

#include "json.h"
#include "order.h"
#include "samples.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct speedscope {
	FILE *out;
	struct samples in;
	uint32_t *frame;	/* by function: its number + 1 */
	uint32_t *function;	/* by number */
	uint32_t *file;		/* the same */
	uint32_t frames;
	uint32_t *rows;		/* those that are wanted, by thread */
	size_t count;
};

static int
compare_threads(const void *left, const void *right, void *rows)
{
	const struct model_row *all = rows;
	const struct model_row *a = &all[*(const uint32_t *)left];
	const struct model_row *b = &all[*(const uint32_t *)right];
	int d = order(a->process, b->process);

	if (d == 0)
		d = order(a->thread, b->thread);
	return d != 0 ? d : order((uintptr_t)a, (uintptr_t)b);
}

static bool
same_thread(const struct speedscope *x, size_t a, size_t b)
{
	const struct model_row *all = x->in.model->rows;

	return all[x->rows[a]].process == all[x->rows[b]].process &&
	    all[x->rows[a]].thread == all[x->rows[b]].thread;
}

static void
number_frames(struct speedscope *x)
{
	for (size_t i = 0; i < x->in.frame_count; i++) {
		const struct samples_frame *f = &x->in.frames[i];
		uint32_t *own = &x->frame[f->function];

		if (*own == 0) {
			x->function[x->frames] = f->function;
			x->file[x->frames] = f->file;
			*own = ++x->frames;
		}
	}
}

static int
choose_rows(struct speedscope *x)
{
	struct model *m = x->in.model;

	for (uint32_t i = 0; i < m->row_count; i++) {
		if (!samples_path(&x->in, i))
			continue;
		if (samples_frames(&x->in) != 0)
			return -ENOMEM;
		number_frames(x);
		x->rows[x->count++] = i;
	}
	if (x->count > 1)
		qsort_r(x->rows, x->count, sizeof(*x->rows), compare_threads,
		    m->rows);
	return 0;
}

static void
put_frames(struct speedscope *x)
{
	struct model *m = x->in.model;

	fputs("\"shared\":{\"frames\":[", x->out);
	for (uint32_t i = 0; i < x->frames; i++) {
		const char *name = model_function_shown(m, x->function[i]);

		fprintf(x->out, "%s{\"name\":", i != 0 ? ",\n" : "\n");
		json_text(x->out, name != NULL ? name : "?");
		if (x->file[i] != MODEL_NONE) {
			fputs(",\"file\":", x->out);
			json_text(x->out, m->sources.paths.all[x->file[i]]);
		}
		putc('}', x->out);
	}
	fputs("]},\n", x->out);
}

/* "1234 prog, 1235 worker": of a process, of one of its threads. */
static int
put_title(struct speedscope *x, const struct model_row *r)
{
	const struct model *m = x->in.model;
	const char *thread = samples_thread(&x->in, r->thread);
	char *title = NULL;
	size_t bytes;
	FILE *to = open_memstream(&title, &bytes);

	if (to == NULL)
		return -ENOMEM;
	if (r->process != MODEL_NONE)
		fprintf(to, "%" PRId32 " %s", m->processes[r->process].pid,
		    m->processes[r->process].program);
	if (r->thread != MODEL_NONE)
		fprintf(to, ", %" PRId32 " %s",
		    m->threads[r->thread].thread.tid,
		    thread != NULL ? thread : "");
	else
		fputs(", not sampled", to);
	if (fclose(to) == 0)
		json_text(x->out, title);
	free(title);
	return thread == NULL ? -ENOMEM : 0;
}

static int
put_stacks(struct speedscope *x, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		samples_path(&x->in, x->rows[i]);
		if (samples_frames(&x->in) != 0)
			return -ENOMEM;
		fputs(i != from ? ",\n[" : "\n[", x->out);
		for (size_t k = x->in.frame_count; k-- > 0;)
			fprintf(x->out, "%" PRIu32 "%s",
			    x->frame[x->in.frames[k].function] - 1,
			    k != 0 ? "," : "]");
	}
	return 0;
}

static int
put_profile(struct speedscope *x, size_t from, size_t to)
{
	const struct model_row *all = x->in.model->rows;
	uint64_t sum = 0;
	int ret;

	for (size_t i = from; i < to; i++)
		sum += all[x->rows[i]].ns;
	fprintf(x->out, "%s{\"type\":\"sampled\",\"name\":",
	    from != 0 ? ",\n" : "\n");
	ret = put_title(x, &all[x->rows[from]]);
	fprintf(x->out, ",\"unit\":\"nanoseconds\",\"startValue\":0,"
	    "\"endValue\":%" PRIu64 ",\n\"samples\":[", sum);
	if (ret == 0)
		ret = put_stacks(x, from, to);
	fputs("],\n\"weights\":[", x->out);
	for (size_t i = from; i < to; i++)
		fprintf(x->out, "%s%" PRIu64, i != from ? "," : "",
		    all[x->rows[i]].ns);
	fputs("]}", x->out);
	return ret;
}

static int
put_file(struct speedscope *x)
{
	int ret = choose_rows(x);
	size_t end;

	fputs("{\"$schema\":\"https://www.speedscope.app/"
	    "file-format-schema.json\",\n\"exporter\":\"prof (libmon) "
	    PACKAGE_VERSION "\",\n", x->out);
	put_frames(x);
	fputs("\"profiles\":[", x->out);
	for (size_t i = 0; i < x->count && ret == 0; i = end) {
		for (end = i + 1; end < x->count && same_thread(x, i, end);
		    end++)
			;
		ret = put_profile(x, i, end);
	}
	fputs("]}\n", x->out);
	return ret;
}

int
export_speedscope(struct model *m, FILE *out)
{
	struct speedscope x = { .out = out };
	int ret = samples_open(&x.in, m);

	if (ret == 0) {
		x.frame = calloc(m->function_count + 1, sizeof(*x.frame));
		x.function = calloc(m->function_count + 1,
		    sizeof(*x.function));
		x.file = calloc(m->function_count + 1, sizeof(*x.file));
		x.rows = calloc(m->row_count + 1, sizeof(*x.rows));
		ret = x.frame == NULL || x.function == NULL ||
		    x.file == NULL || x.rows == NULL ? -ENOMEM : put_file(&x);
	}
	samples_close(&x.in);
	free(x.frame);
	free(x.function);
	free(x.file);
	free(x.rows);
	return ret;
}
