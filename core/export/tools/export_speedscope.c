/*
 * Context: O.  Writes call stacks for speedscope, for export_write(): its
 * "sampled" profiles, one for each thread, weighted by time; in a heap profile
 * one for each process and metric, first the one that rows weigh.
 */
#include "tools/export_speedscope.h"

#include "base/json.h"
#include "derive/sample_spans.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct speedscope {
	FILE *out;
	struct sample_paths in;
	uint32_t *frame;	/* by function: number of its frame + 1 */
	uint32_t *function;	/* by number of a frame: its function */
	uint32_t *file;		/* by number of a frame: its file */
	uint32_t frames;
	size_t profiles;	/* profiles written so far */
};

/* Numbers the functions of the stack in x->in that have no number yet. */
static void
number_frames(struct speedscope *x)
{
	for (size_t i = 0; i < x->in.frame_count; i++) {
		const struct sample_paths_frame *f = &x->in.frames[i];
		uint32_t *own = &x->frame[f->function];

		if (*own == 0) {
			x->function[x->frames] = f->function;
			x->file[x->frames] = f->file;
			*own = ++x->frames;
		}
	}
}

/* Numbers and lists all frames; the format has them before the first stack. */
static int
number_all(struct speedscope *x)
{
	for (size_t i = 0; i < x->in.model->row_count; i++) {
		if (!sample_paths_get(&x->in, i))
			continue;
		if (sample_paths_get_frames(&x->in) != 0)
			return -ENOMEM;
		number_frames(x);
	}
	return 0;
}

static void
put_frames(struct speedscope *x)
{
	struct model *m = x->in.model;

	fputs("\"shared\":{\"frames\":[", x->out);
	for (uint32_t i = 0; i < x->frames; i++) {
		const char *name = model_function_name(m, x->function[i]);

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

/*
 * Writes the title of a profile, such as "1234 prog" for a process or "1235
 * worker" for one of its threads.
 */
static int
put_title(struct speedscope *x, const struct model_row *r)
{
	const struct model *m = x->in.model;
	const char *thread = sample_paths_thread(&x->in, r->thread);
	char *title = NULL;
	size_t bytes;
	FILE *to = open_memstream(&title, &bytes);
	bool good = to != NULL && thread != NULL;

	if (to == NULL)
		return -ENOMEM;
	if (r->process != MODEL_NONE)
		fprintf(to, "%" PRId32 " %s", m->processes[r->process].pid,
		    m->processes[r->process].program);
	if (model_is_heap(m))
		fprintf(to, ": %s", metric_description(m->measure));
	else if (r->thread != MODEL_NONE)
		fprintf(to, ", %" PRId32 " %s",
		    m->threads[r->thread].thread.tid,
		    thread != NULL ? thread : "");
	else
		fputs(", not sampled", to);
	good &= fclose(to) == 0;
	if (good)
		json_text(x->out, title);
	free(title);
	return good ? 0 : -ENOMEM;
}

/*
 * Returns the time before a sample in which the thread did nothing, which is
 * written with an empty stack.  Pieces of one thread can overlap by as much as
 * a tick came late.  In a record of many threads they overlap all the time, and
 * are put one behind the other.
 */
static uint64_t
idle_gap(const struct model *m, const struct sample_span *p, uint64_t now)
{
	const uint32_t thread = m->rows[p->row].thread;

	if (thread != MODEL_NONE &&
	    (m->threads[thread].thread.flags & FORMAT_T_POOL) != 0)
		return 0;
	return p->at > now ? p->at - now : 0;
}

/* Writes `count` stacks, with an empty one before each idle time. */
static int
put_stacks(struct speedscope *x, const struct sample_span *all, size_t count)
{
	uint64_t now = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t idle = idle_gap(x->in.model, &all[i], now);

		sample_paths_get(&x->in, all[i].row);
		if (sample_paths_get_frames(&x->in) != 0)
			return -ENOMEM;
		fprintf(x->out, "%s%s[", i != 0 ? ",\n" : "\n",
		    idle != 0 ? "[]," : "");
		for (size_t k = x->in.frame_count; k-- > 0;)
			fprintf(x->out, "%" PRIu32 "%s",
			    x->frame[x->in.frames[k].function] - 1,
			    k != 0 ? "," : "]");
		now += idle + all[i].ns;
	}
	return 0;
}

/* Writes as many weights; returns their sum. */
static uint64_t
put_weights(const struct speedscope *x, const struct sample_span *all,
    size_t count)
{
	uint64_t now = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t idle = idle_gap(x->in.model, &all[i], now);

		fputs(i != 0 ? "," : "", x->out);
		if (idle != 0)
			fprintf(x->out, "%" PRIu64 ",", idle);
		fprintf(x->out, "%" PRIu64, all[i].ns);
		now += idle + all[i].ns;
	}
	return now;
}

/* Returns the unit of a metric, among those that the format knows. */
static const char *
metric_unit_name(enum metric measure)
{
	return measure == METRIC_TIME ? "nanoseconds" :
	    metric_is_bytes(measure) ? "bytes" : "none";
}

static int
put_profile(struct speedscope *x, const struct sample_span *all, size_t count)
{
	uint64_t sum;
	int ret;

	fputs("\n{\"type\":\"sampled\",\"name\":", x->out);
	ret = put_title(x, &x->in.model->rows[all[0].row]);
	fprintf(x->out, ",\"unit\":\"%s\",\n\"samples\":[",
	    metric_unit_name(x->in.model->measure));
	if (ret == 0)
		ret = put_stacks(x, all, count);
	fputs("],\n\"weights\":[", x->out);
	sum = put_weights(x, all, count);
	fprintf(x->out, "],\"startValue\":0,\"endValue\":%" PRIu64 "}", sum);
	return ret;
}

/* Writes the profiles of the metric that rows weigh at the moment. */
static int
put_profiles(struct speedscope *x)
{
	struct sample_spans t;
	int ret = sample_spans_make(&t, &x->in);

	for (size_t i = 0; i < t.threads && ret == 0; i++) {
		fputs(x->profiles++ != 0 ? "," : "", x->out);
		ret = put_profile(x, t.all + t.first[i],
		    t.first[i + 1] - t.first[i]);
	}
	sample_spans_free(&t);
	return ret;
}

/*
 * Writes the file, with the profiles of all metrics; the model has its metric
 * again in the end.
 */
static int
put_file(struct speedscope *x)
{
	struct model *m = x->in.model;
	const enum metric first = m->measure;
	int ret = number_all(x);

	fputs("{\"$schema\":\"https://www.speedscope.app/"
	    "file-format-schema.json\",\n\"exporter\":\"prof (libmon) "
	    PACKAGE_VERSION "\",\n", x->out);
	put_frames(x);
	fputs("\"profiles\":[", x->out);
	do {
		if (ret == 0)
			ret = put_profiles(x);
	} while (model_heap_set_next(m, first));
	fputs("]}\n", x->out);
	return ret;
}

int
export_speedscope(struct model *m, FILE *out)
{
	struct speedscope x = { .out = out };
	int ret = sample_paths_open(&x.in, m);

	if (ret == 0) {
		x.frame = calloc(m->function_count + 1, sizeof(*x.frame));
		x.function = calloc(m->function_count + 1,
		    sizeof(*x.function));
		x.file = calloc(m->function_count + 1, sizeof(*x.file));
		ret = x.frame == NULL || x.function == NULL ||
		    x.file == NULL ? -ENOMEM : put_file(&x);
	}
	sample_paths_close(&x.in);
	free(x.frame);
	free(x.function);
	free(x.file);
	return ret;
}
