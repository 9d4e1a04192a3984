/*
 * Context: O.  Writes call stacks for the Firefox Profiler, for export_write():
 * its "processed" format, of version 47, in which each thread has tables of its
 * own.
 *
 * Tables are by column.  The weight of a sample is the time that it stands for.
 * In a heap profile a process has one track for each metric, first the one that
 * rows weigh.
 */
#include "tools/export_firefox.h"

#include "base/json.h"
#include "derive/sample_spans.h"
#include "hex.h"
#include "tools/firefox_columns.h"
#include "tools/firefox_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define PROCESSED_VERSION	47
#define GECKO_VERSION	27

/* The file that is being written. */
struct firefox {
	FILE *out;
	struct sample_paths in;
	/* By module: its number in the file's libs, + 1 */
	uint32_t *libs;
	uint32_t lib_count;
	struct firefox_tables tables;	/* of the thread being written */
	size_t tracks;		/* tracks written so far */
};

static void
put_ms(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

/*
 * Writes the samples of a track by column, of which x->tables have the stacks.
 */
static void
put_samples(struct firefox *x, const struct sample_span *all)
{
	const bool heap = model_is_heap(x->in.model);
	const size_t count = x->tables.sample_count;

	fprintf(x->out, "\"samples\":{\"length\":%zu,\"weightType\":"
	    "\"%s\"", count, !heap ? "tracing-ms" :
	    metric_is_bytes(x->in.model->measure) ? "bytes" : "samples");
	fputs(",\"stack\":[", x->out);
	for (size_t i = 0; i < count; i++)
		fprintf(x->out, "%s%" PRIu32, i != 0 ? "," : "",
		    x->tables.ends[i]);
	fputs("],\"time\":[", x->out);
	for (size_t i = 0; i < count; i++) {
		fputs(i != 0 ? "," : "", x->out);
		put_ms(x->out, heap ? i * 1000000 : all[i].at);
	}
	fputs("],\"weight\":[", x->out);
	for (size_t i = 0; i < count; i++) {
		fputs(i != 0 ? "," : "", x->out);
		if (heap)
			fprintf(x->out, "%" PRIu64, all[i].ns);
		else
			put_ms(x->out, all[i].ns);
	}
	fputs("]},\n", x->out);
}

/* Writes the members of a track that name its process and thread. */
static void
put_who(struct firefox *x, const struct model_row *r)
{
	const struct model *m = x->in.model;
	const struct format_thread *t = r->thread == MODEL_NONE ? NULL :
	    &m->threads[r->thread].thread;
	const int32_t pid = r->process == MODEL_NONE ? 0 :
	    m->processes[r->process].pid;
	const char *program = r->process == MODEL_NONE ? "-" :
	    m->processes[r->process].program;
	const bool heap = model_is_heap(m);
	const char *name = heap ? metric_description(m->measure) : t == NULL ?
	    "[not sampled]" : sample_paths_thread(&x->in, r->thread);

	char title[256];

	x->tables.failed |= name == NULL;
	snprintf(title, sizeof(title), "%s%s%s", program, heap ? ": " : "",
	    heap ? name : "");
	fputs("{\"processType\":\"default\",\"processName\":", x->out);
	json_text(x->out, title);
	fputs(",\"name\":", x->out);
	json_text(x->out, name == NULL ? "" : name);
	fprintf(x->out, ",\"isMainThread\":%s,\"pid\":\"%" PRId32
	    "\",\"tid\":%" PRId32 ",\n", heap || (t != NULL &&
	    (t->flags & FORMAT_T_MAIN) != 0) ? "true" : "false", pid,
	    heap ? (int32_t)m->measure : t == NULL ? 0 : t->tid);
	fputs("\"processStartupTime\":0,\"processShutdownTime\":null,"
	    "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\n"
	    "\"markers\":{\"length\":0,\"category\":[],\"data\":[],"
	    "\"endTime\":[],\"name\":[],\"phase\":[],\"startTime\":[]},\n"
	    "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
	    "\"name\":[],\"functionSize\":[]},\n", x->out);
}

/*
 * Writes a track: `count` samples of one thread, or of one process and metric.
 */
static void
put_firefox_thread(struct firefox *x, const struct sample_span *all,
    size_t count)
{
	for (size_t i = 0; i < count; i++)
		firefox_tables_add_sample(&x->tables, all[i].row);
	put_who(x, &x->in.model->rows[all[0].row]);
	firefox_columns_put(x->out, &x->tables, x->libs);
	put_samples(x, all);
	fputs("\"stringArray\":[", x->out);
	for (size_t i = 0; i < x->tables.strings.count; i++) {
		fputs(i != 0 ? ",\n" : "\n", x->out);
		json_text(x->out, x->tables.strings.all[i]);
	}
	fputs("]}", x->out);
	firefox_tables_clear(&x->tables);
}

/*
 * Writes a build-id as Breakpad does: its first 16 bytes as a GUID, and an age
 * of 0.
 */
static void
put_breakpad_id(FILE *out, const struct model_module *m)
{
	static const unsigned char order[16] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15,
	};

	putc('"', out);
	for (size_t i = 0; i < 16; i++)
		fprintf(out, "%02X", order[i] < m->build_id_bytes ?
		    m->build_id[order[i]] : 0);
	fputs("0\"", out);
}

/* Writes an object of the list libs, and numbers it in x->libs. */
static void
put_lib(struct firefox *x, uint32_t module)
{
	const struct model_module *m = &x->in.model->modules[module];
	char id[2 * sizeof(m->build_id) + 1];

	fputs(x->lib_count != 0 ? ",\n{\"arch\":\"\"" : "\n{\"arch\":\"\"",
	    x->out);
	fputs(",\"name\":", x->out);
	json_text(x->out, m->name);
	fputs(",\"path\":", x->out);
	json_text(x->out, m->path);
	fputs(",\"debugName\":", x->out);
	json_text(x->out, m->name);
	fputs(",\"debugPath\":", x->out);
	json_text(x->out, m->path);
	fputs(",\"breakpadId\":", x->out);
	put_breakpad_id(x->out, m);
	fputs(",\"codeId\":", x->out);
	hex_put(id, m->build_id, m->build_id_bytes);
	if (m->build_id_bytes == 0)
		fputs("null}", x->out);
	else
		fprintf(x->out, "\"%s\"}", id);
	x->libs[module] = ++x->lib_count;
}

/*
 * Writes the beginning of the file: what it is, and the libs.  began: ns since
 * 1970 of the first sample; 0: not known.
 */
static void
put_meta(struct firefox *x, uint64_t began)
{
	const struct model *m = x->in.model;
	uint64_t first = 0, ns = 0, samples = 0;

	for (size_t i = 0; i < m->process_count; i++) {
		const struct model_process *p = &m->processes[i];

		if (first == 0 || (p->birth_real != 0 && p->birth_real < first))
			first = p->birth_real;
		ns += p->sample_ns;
		samples += p->samples;
	}
	fputs("{\"meta\":{\"interval\":", x->out);
	put_ms(x->out, samples == 0 ? 1000000 : ns / samples);
	fputs(",\"startTime\":", x->out);
	put_ms(x->out, began != 0 ? began : first);
	fprintf(x->out, ",\"processType\":0,\"product\":\"prof (libmon) "
	    PACKAGE_VERSION "\",\"stackwalk\":1,\"debug\":false,"
	    "\"version\":%d,\"preprocessedProfileVersion\":%d,"
	    "\"symbolicated\":true,\n\"categories\":[{\"name\":\"Other\","
	    "\"color\":\"grey\",\"subcategories\":[\"Other\"]}],"
	    "\"markerSchema\":[]},\n\"libs\":[", GECKO_VERSION,
	    PROCESSED_VERSION);
	for (uint32_t i = MODEL_MODULES; i < m->module_count; i++)
		if (x->in.layout[i].used)
			put_lib(x, i);
	fputs("],\n\"pages\":[],\n\"threads\":[", x->out);
}

/* Writes the threads, with the metric that rows weigh at the moment. */
static int
put_threads(struct firefox *x, bool first)
{
	struct sample_spans p;
	int ret = sample_spans_make(&p, &x->in);

	if (ret == 0 && first)
		put_meta(x, p.began);
	for (size_t i = 0; i < p.threads && ret == 0; i++) {
		fputs(x->tracks++ != 0 ? ",\n" : "\n", x->out);
		put_firefox_thread(x, p.all + p.first[i],
		    p.first[i + 1] - p.first[i]);
		ret = x->tables.failed ? -ENOMEM : 0;
	}
	sample_spans_free(&p);
	return ret;
}

static int
put_file(struct firefox *x)
{
	struct model *m = x->in.model;
	const enum metric first = m->measure;
	int ret = 0;

	do {
		if (ret == 0)
			ret = put_threads(x, m->measure == first);
	} while (model_heap_set_next(m, first));
	fputs("]}\n", x->out);
	return ret;
}

int
export_firefox(struct model *m, FILE *out)
{
	struct firefox x = { .out = out, .tables.in = &x.in };
	int ret = sample_paths_open(&x.in, m);

	if (ret == 0) {
		x.libs = calloc(m->module_count, sizeof(*x.libs));
		ret = x.libs == NULL ? -ENOMEM : put_file(&x);
	}
	firefox_tables_free(&x.tables);
	sample_paths_close(&x.in);
	free(x.libs);
	return ret;
}
