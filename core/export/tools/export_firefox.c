/*
 * Context: O.  Writes call stacks for the Firefox Profiler: its "processed"
 * format, of version 47, in which each thread has tables of its own.
 *
 * Tables are by column.  The weight of a sample is the time that it stands for.
 * In a heap profile a process has one track for each metric, first the one that
 * rows weigh.
 */
#include "tools/export_firefox.h"

#include "base/json.h"
#include "base/string_pool.h"
#include "derive/sample_spans.h"
#include "base/hash_index.h"
#include "base/vector.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSED_VERSION	47
#define GECKO_VERSION	27
#define LIBRARY		1	/* a kind of resource */

/* An entry of a thread's frame table. */
struct frame {
	/* Depth of inlining, 0: the compiled function */
	uint32_t site, depth;
	uint32_t function;	/* index into this thread's functions */
	uint32_t line;
};

/* An entry of a thread's stack table. */
struct stack {
	/* Index of the caller's stack + 1; 0: outermost */
	uint32_t prefix;
	uint32_t frame;
};

/* An entry of a thread's function table. */
struct function {
	uint32_t function, file, resource;
};

struct firefox {
	FILE *out;
	struct sample_paths in;
	/* By module: its number in the file's libs, + 1 */
	uint32_t *libs;
	uint32_t lib_count;
	/* Tables of the thread that is being written: */
	struct string_pool strings;
	struct function *functions;
	size_t function_count, function_room;
	struct hash_index by_function;
	struct frame *frames;
	size_t frame_count, frame_room;
	struct hash_index by_frame;
	struct stack *stacks;
	size_t stack_count, stack_room;
	struct hash_index by_stack;
	uint32_t *modules;	/* modules of its resources */
	size_t module_count, module_room;
	uint32_t *ends;		/* by sample: index of its stack */
	size_t sample_count, sample_room;
	size_t tracks;		/* tracks written so far */
	bool failed;		/* memory was out */
};

static uint32_t
firefox_string(struct firefox *x, const char *text)
{
	uint32_t n = text == NULL ? UINT32_MAX :
	    string_pool_add(&x->strings, text);

	x->failed |= n == UINT32_MAX;
	return n;
}

/*
 * Returns the resource of a module, or UINT32_MAX for what is no code and so
 * belongs to no library.
 */
static uint32_t
resource_of(struct firefox *x, uint32_t module)
{
	if (module < MODEL_MODULES)
		return UINT32_MAX;
	for (uint32_t i = 0; i < x->module_count; i++)
		if (x->modules[i] == module)
			return i;
	if (vector_grow(&x->modules, x->module_count, &x->module_room,
	    sizeof(*x->modules)) != 0) {
		x->failed = true;
		return UINT32_MAX;
	}
	x->modules[x->module_count] = module;
	return (uint32_t)x->module_count++;
}

static uint32_t
function_of(struct firefox *x, const struct sample_paths_frame *f)
{
	const uint32_t hash = hash_index_hash((uint64_t)f->function << 32 |
	    f->file);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&x->by_function, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (x->functions[n].function == f->function &&
		    x->functions[n].file == f->file)
			return n;
	n = (uint32_t)x->function_count;
	if (vector_grow(&x->functions, n, &x->function_room,
	    sizeof(*x->functions)) != 0 ||
	    hash_index_add(&x->by_function, hash, n) != 0) {
		x->failed = true;
		return 0;
	}
	x->functions[x->function_count++] = (struct function) {
		f->function, f->file, resource_of(x,
		    x->in.sites.all[f->site].module),
	};
	return n;
}

static uint32_t
frame_of(struct firefox *x, const struct sample_paths_frame *f, uint32_t depth)
{
	const uint32_t hash = hash_index_hash((uint64_t)f->site << 32 | depth);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&x->by_frame, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (x->frames[n].site == f->site && x->frames[n].depth == depth)
			return n;
	n = (uint32_t)x->frame_count;
	if (vector_grow(&x->frames, n, &x->frame_room,
	    sizeof(*x->frames)) != 0 || hash_index_add(&x->by_frame, hash,
	    n) != 0) {
		x->failed = true;
		return 0;
	}
	x->frames[x->frame_count++] = (struct frame) {
		f->site, depth, function_of(x, f), f->line,
	};
	return n;
}

static uint32_t
stack_of(struct firefox *x, uint32_t prefix, uint32_t frame)
{
	const uint32_t hash = hash_index_hash((uint64_t)prefix << 32 | frame);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&x->by_stack, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (x->stacks[n].prefix == prefix &&
		    x->stacks[n].frame == frame)
			return n;
	n = (uint32_t)x->stack_count;
	if (vector_grow(&x->stacks, n, &x->stack_room,
	    sizeof(*x->stacks)) != 0 || hash_index_add(&x->by_stack, hash,
	    n) != 0) {
		x->failed = true;
		return 0;
	}
	x->stacks[x->stack_count++] = (struct stack) { prefix, frame };
	return n;
}

/*
 * Adds the stack of a row, from the outermost frame on; inlining gets deeper
 * within one site.
 */
static void
add_sample(struct firefox *x, uint32_t row)
{
	uint32_t prefix = 0, depth = 0;

	sample_paths_get(&x->in, row);
	x->failed |= sample_paths_get_frames(&x->in) != 0;
	for (size_t i = x->in.frame_count; i-- > 0 && !x->failed;) {
		const struct sample_paths_frame *f = &x->in.frames[i];

		depth = f->inlined ? depth + 1 : 0;
		prefix = stack_of(x, prefix, frame_of(x, f, depth)) + 1;
	}
	if (x->failed || vector_grow(&x->ends, x->sample_count, &x->sample_room,
	    sizeof(*x->ends)) != 0) {
		x->failed = true;
		return;
	}
	x->ends[x->sample_count++] = prefix - 1;
}

typedef void put_one(struct firefox *x, size_t i);

static void
put_column(struct firefox *x, const char *name, size_t count, put_one *put)
{
	fprintf(x->out, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			putc(',', x->out);
		put(x, i);
	}
	putc(']', x->out);
}

static void
put_null(struct firefox *x, size_t i)
{
	(void)i;
	fputs("null", x->out);
}

static void
put_zero(struct firefox *x, size_t i)
{
	(void)i;
	putc('0', x->out);
}

static void
put_false(struct firefox *x, size_t i)
{
	(void)i;
	fputs("false", x->out);
}

static void
put_number(struct firefox *x, uint32_t n)
{
	fprintf(x->out, "%" PRIu32, n);
}

static void
put_frame_address(struct firefox *x, size_t i)
{
	const struct code_location *s = &x->in.sites.all[x->frames[i].site];

	if (s->module < MODEL_MODULES || s->address == 0)
		fputs("-1", x->out);
	else
		fprintf(x->out, "%" PRIu64, s->address);
}

static void
put_frame_depth(struct firefox *x, size_t i)
{
	put_number(x, x->frames[i].depth);
}

static void
put_frame_function(struct firefox *x, size_t i)
{
	put_number(x, x->frames[i].function);
}

static void
put_frame_line(struct firefox *x, size_t i)
{
	if (x->frames[i].line == 0)
		put_null(x, i);
	else
		put_number(x, x->frames[i].line);
}

static void
put_frames(struct firefox *x)
{
	const size_t n = x->frame_count;

	fprintf(x->out, "\"frameTable\":{\"length\":%zu", n);
	put_column(x, "address", n, put_frame_address);
	put_column(x, "inlineDepth", n, put_frame_depth);
	put_column(x, "category", n, put_zero);
	put_column(x, "subcategory", n, put_zero);
	put_column(x, "func", n, put_frame_function);
	put_column(x, "nativeSymbol", n, put_null);
	put_column(x, "innerWindowID", n, put_null);
	put_column(x, "implementation", n, put_null);
	put_column(x, "line", n, put_frame_line);
	put_column(x, "column", n, put_null);
	fputs("},\n", x->out);
}

static void
put_function_name(struct firefox *x, size_t i)
{
	const char *name = model_function_name(x->in.model,
	    x->functions[i].function);

	put_number(x, firefox_string(x, name));
}

static void
put_function_file(struct firefox *x, size_t i)
{
	if (x->functions[i].file == MODEL_NONE)
		put_null(x, i);
	else
		put_number(x, firefox_string(x, x->in.model->sources.paths.all[
		    x->functions[i].file]));
}

static void
put_function_resource(struct firefox *x, size_t i)
{
	if (x->functions[i].resource == UINT32_MAX)
		fputs("-1", x->out);
	else
		put_number(x, x->functions[i].resource);
}

static void
put_functions(struct firefox *x)
{
	const size_t n = x->function_count;

	fprintf(x->out, "\"funcTable\":{\"length\":%zu", n);
	put_column(x, "name", n, put_function_name);
	put_column(x, "isJS", n, put_false);
	put_column(x, "relevantForJS", n, put_false);
	put_column(x, "resource", n, put_function_resource);
	put_column(x, "fileName", n, put_function_file);
	put_column(x, "lineNumber", n, put_null);
	put_column(x, "columnNumber", n, put_null);
	fputs("},\n", x->out);
}

static void
put_resource_lib(struct firefox *x, size_t i)
{
	const uint32_t lib = x->libs[x->modules[i]];

	if (lib == 0)
		put_null(x, i);
	else
		put_number(x, lib - 1);
}

static void
put_resource_name(struct firefox *x, size_t i)
{
	put_number(x, firefox_string(x, model_module_name(x->in.model,
	    x->modules[i])));
}

static void
put_resource_type(struct firefox *x, size_t i)
{
	(void)i;
	put_number(x, LIBRARY);
}

static void
put_resources(struct firefox *x)
{
	const size_t n = x->module_count;

	fprintf(x->out, "\"resourceTable\":{\"length\":%zu", n);
	put_column(x, "lib", n, put_resource_lib);
	put_column(x, "name", n, put_resource_name);
	put_column(x, "host", n, put_null);
	put_column(x, "type", n, put_resource_type);
	fputs("},\n", x->out);
}

static void
put_stack_prefix(struct firefox *x, size_t i)
{
	if (x->stacks[i].prefix == 0)
		put_null(x, i);
	else
		put_number(x, x->stacks[i].prefix - 1);
}

static void
put_stack_frame(struct firefox *x, size_t i)
{
	put_number(x, x->stacks[i].frame);
}

static void
put_stacks(struct firefox *x)
{
	const size_t n = x->stack_count;

	fprintf(x->out, "\"stackTable\":{\"length\":%zu", n);
	put_column(x, "prefix", n, put_stack_prefix);
	put_column(x, "frame", n, put_stack_frame);
	put_column(x, "category", n, put_zero);
	put_column(x, "subcategory", n, put_zero);
	fputs("},\n", x->out);
}

static void
put_sample_stack(struct firefox *x, size_t i)
{
	put_number(x, x->ends[i]);
}

static void
put_ms(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

static void
put_samples(struct firefox *x, const struct sample_span *all)
{
	const bool heap = model_is_heap(x->in.model);

	fprintf(x->out, "\"samples\":{\"length\":%zu,\"weightType\":"
	    "\"%s\"", x->sample_count, !heap ? "tracing-ms" :
	    metric_is_bytes(x->in.model->measure) ? "bytes" : "samples");
	put_column(x, "stack", x->sample_count, put_sample_stack);
	fputs(",\"time\":[", x->out);
	for (size_t i = 0; i < x->sample_count; i++) {
		fputs(i != 0 ? "," : "", x->out);
		put_ms(x->out, heap ? i * 1000000 : all[i].at);
	}
	fputs("],\"weight\":[", x->out);
	for (size_t i = 0; i < x->sample_count; i++) {
		fputs(i != 0 ? "," : "", x->out);
		if (heap)
			fprintf(x->out, "%" PRIu64, all[i].ns);
		else
			put_ms(x->out, all[i].ns);
	}
	fputs("]},\n", x->out);
}

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

	x->failed |= name == NULL;
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

static void
forget_thread(struct firefox *x)
{
	string_pool_free(&x->strings);
	hash_index_free(&x->by_function);
	hash_index_free(&x->by_frame);
	hash_index_free(&x->by_stack);
	x->function_count = x->frame_count = x->stack_count = 0;
	x->module_count = x->sample_count = 0;
}

static void
put_firefox_thread(struct firefox *x, const struct sample_span *all,
    size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_sample(x, all[i].row);
	put_who(x, &x->in.model->rows[all[0].row]);
	put_frames(x);
	put_functions(x);
	put_resources(x);
	put_stacks(x);
	put_samples(x, all);
	fputs("\"stringArray\":[", x->out);
	for (size_t i = 0; i < x->strings.count; i++) {
		fputs(i != 0 ? ",\n" : "\n", x->out);
		json_text(x->out, x->strings.all[i]);
	}
	fputs("]}", x->out);
	forget_thread(x);
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

static void
put_lib(struct firefox *x, uint32_t module)
{
	const struct model_module *m = &x->in.model->modules[module];

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
	if (m->build_id_bytes == 0)
		fputs("null", x->out);
	else
		putc('"', x->out);
	for (size_t i = 0; i < m->build_id_bytes; i++)
		fprintf(x->out, "%02x", m->build_id[i]);
	fputs(m->build_id_bytes == 0 ? "}" : "\"}", x->out);
	x->libs[module] = ++x->lib_count;
}

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
		ret = x->failed ? -ENOMEM : 0;
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
	struct firefox x = { .out = out };
	int ret = sample_paths_open(&x.in, m);

	if (ret == 0) {
		x.libs = calloc(m->module_count, sizeof(*x.libs));
		ret = x.libs == NULL ? -ENOMEM : put_file(&x);
	}
	forget_thread(&x);
	sample_paths_close(&x.in);
	free(x.libs);
	free(x.functions);
	free(x.frames);
	free(x.stacks);
	free(x.modules);
	free(x.ends);
	return ret;
}
