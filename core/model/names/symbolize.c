/*
 * Context: O.  Finds the functions of all addresses of a model: batches of rows
 * of one module are looked up in its object, in /proc/kallsyms, or in maps that
 * compilers write, and then in embedded names.
 */
#include "names/symbolize.h"

#include "base/compare.h"
#include "code/jitdump.h"
#include "names/inlines.h"
#include "symbol/symbol_text.h"
#include "base/vector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Rows of one module and, for generated code, of one process. */
struct batch {
	struct model_row *rows;
	size_t count;
	struct symbol *asked;
	size_t asked_count;
	struct lines lines;	/* of these symbols, where lines are kept */
};

static int
compare_batch_symbols(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	return compare_u64(a->address, b->address);
}

static int
collect_addresses(struct batch *b)
{
	size_t kept = 0;

	b->asked = calloc(b->count, sizeof(*b->asked));
	if (b->asked == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < b->count; i++)
		b->asked[i].start = b->asked[i].address =
		    model_lookup_address(&b->rows[i]);
	qsort(b->asked, b->count, sizeof(*b->asked), compare_batch_symbols);
	for (size_t i = 1; i < b->count; i++)
		if (b->asked[i].address != b->asked[kept].address)
			b->asked[++kept] = b->asked[i];
	b->asked_count = kept + 1;
	return 0;
}

static int
append_function(struct model *m, uint32_t module, uint64_t start,
    const char *name, bool named)
{
	if (name == NULL || vector_grow(&m->functions, m->function_count,
	    &m->function_room, sizeof(*m->functions)) != 0)
		return -ENOMEM;
	m->functions[m->function_count++] = (struct model_function) {
		.module = module,
		.start = start,
		.name = name,
		.named = named,
	};
	return 0;
}

/*
 * Returns whether the symbol belongs to the one function that stands for
 * everything in its module that has no name and is in no file.
 */
static bool
is_one_function(uint32_t module, const struct symbol *s)
{
	return s->name == NULL && (model_is_absolute(module) ||
	    model_is_unresolvable(module));
}

static int
make_function(struct model *m, uint32_t module, const struct symbol *s)
{
	if (is_one_function(module, s))
		return append_function(m, module, 0,
		    m->modules[module].name, false);
	if (s->name == NULL)
		return append_function(m, module, s->start,
		    arena_offset(&m->arena, m->modules[module].name,
		    s->start), false);
	/*
	 * Code that a compiler names is generated code, even if it was too new
	 * to be in the memory map.
	 */
	return append_function(m, module == MODEL_MODULE_NONE ?
	    MODEL_MODULE_GENERATED : module, s->start, s->name, true);
}

/*
 * Sets the scopes of rows; rows of one place share theirs.  `first` is the
 * first function of the batch.
 */
static int
add_batch_scopes(struct model *m, struct batch *b, uint32_t module,
    size_t first)
{
	struct model_row *had = calloc(b->asked_count, sizeof(*had));
	struct inlines in;
	int ret = inlines_begin(&in, m, module, first);

	if (had == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < b->count && ret == 0; i++) {
		struct model_row *r = &b->rows[i];
		size_t at = symbol_lookup_lower_bound(b->asked, b->asked_count,
		    model_lookup_address(r));

		if (had[at].scopes == 0)
			ret = inlines_add(&in, &b->lines, at, r->function,
			    &had[at]);
		r->scope = had[at].scope;
		r->scopes = had[at].scopes;
	}
	inlines_end(&in);
	free(had);
	return ret;
}

/*
 * Returns the function among those in by_start that starts at `start`, or
 * HASH_INDEX_NONE.
 */
static uint32_t
find_function_at(const struct model *m, const struct hash_index *by_start,
    uint64_t start)
{
	const uint32_t hash = hash_index_hash(start);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(by_start, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (m->functions[n].start == start)
			return n;
	return HASH_INDEX_NONE;
}

/*
 * Makes the functions of the asked symbols.  Symbols ascend, and mostly so do
 * the starts of their functions, but not always: a function can lie inside
 * another, and a file can name the parts of a function anywhere.
 */
static int
make_functions(struct model *m, struct batch *b, uint32_t module,
    uint32_t *function)
{
	const size_t first = m->function_count;
	struct hash_index by_start = { .slots = NULL };
	int ret = 0;

	for (size_t i = 0; i < b->asked_count && ret == 0; i++) {
		const struct symbol *s = &b->asked[i];
		const uint64_t start = is_one_function(module, s) ? 0 :
		    s->start;

		if (m->function_count > first &&
		    m->functions[m->function_count - 1].start == start) {
			function[i] = (uint32_t)m->function_count - 1;
			continue;
		}
		function[i] = find_function_at(m, &by_start, start);
		if (function[i] != HASH_INDEX_NONE)
			continue;
		function[i] = (uint32_t)m->function_count;
		ret = make_function(m, module, s);
		if (ret == 0)
			ret = hash_index_add(&by_start, hash_index_hash(start),
			    function[i]);
	}
	hash_index_free(&by_start);
	return ret;
}

static int
assign_functions(struct model *m, struct batch *b, uint32_t module)
{
	const size_t first = m->function_count;
	uint32_t *function = calloc(b->asked_count, sizeof(*function));
	int ret = function == NULL ? -ENOMEM :
	    make_functions(m, b, module, function);

	for (size_t i = 0; i < b->count && ret == 0; i++) {
		struct model_row *r = &b->rows[i];

		r->function = function[symbol_lookup_lower_bound(b->asked,
		    b->asked_count, model_lookup_address(r))];
		r->module = m->functions[r->function].module;
	}
	if (ret == 0 && b->lines.frame_count != 0)
		ret = add_batch_scopes(m, b, module, first);
	free(function);
	return ret;
}

/*
 * Returns whether a map or dump at that path belongs to the process.  A pid is
 * reused, and with it the name of the map; only a file that was last written
 * while the process ran is its own, with some slack, as the process starts
 * before its first count and is not done at its seal.
 */
static bool
jitmap_is_of(const char *path, const struct model_process *p)
{
	const uint64_t slack = 2000000000u;
	struct stat st;
	uint64_t written;

	if (stat(path, &st) != 0)
		return false;
	written = (uint64_t)st.st_mtim.tv_sec * 1000000000u +
	    (uint64_t)st.st_mtim.tv_nsec;
	return written + slack >= p->birth_real &&
	    (p->end_real == 0 || written <= p->end_real + slack);
}

/*
 * Names generated code by a jitdump.  A compiler maps the jitdump that it
 * writes, so it is a module of the process, with the pid in its name; a perf
 * map has only its name by which it is found.
 */
static int
name_by_jitdump(struct model *m, struct batch *b, uint32_t process)
{
	const struct model_process *p = &m->processes[process];
	char name[sizeof("jit-.dump") + 3 * sizeof(p->pid)];
	int ret = 0;

	snprintf(name, sizeof(name), "jit-%" PRId32 ".dump", p->pid);
	for (size_t i = MODEL_MODULES; i < m->module_count && ret == 0; i++)
		if (m->modules[i].process == process &&
		    strcmp(m->modules[i].name, name) == 0 &&
		    jitmap_is_of(m->modules[i].path, p))
			ret = jitdump_name(m->modules[i].path, p->euid, p->pid,
			    b->asked, b->asked_count, &m->arena,
			    (m->keep & MODEL_KEEP_LINES) != 0 ? &b->lines :
			    NULL);
	return ret;
}

/*
 * Names generated code.  A jitdump or a map names what it has; what it does not
 * name is not looked up in another one.
 */
static int
name_generated_code(struct model *m, struct batch *b)
{
	const uint32_t process = b->rows[0].process;
	const struct model_process *p;
	char path[64];
	int ret;

	if (process == MODEL_NONE || !m->processes[process].here)
		return 0;
	p = &m->processes[process];
	ret = name_by_jitdump(m, b, process);
	for (size_t i = 0; i < b->asked_count; i++)
		if (ret != 0 || b->asked[i].name != NULL)
			return ret;
	if (p->life == MODEL_RUNNING) {
		snprintf(path, sizeof(path),
		    "/proc/%" PRId32 "/root/tmp/perf-%" PRId32 ".map",
		    p->pid, p->pid);
		ret = jitmap_name(path, p->euid, b->asked, b->asked_count,
		    &m->arena);
	}
	snprintf(path, sizeof(path), "/tmp/perf-%" PRId32 ".map", p->pid);
	if (ret == 0 && b->asked[0].name == NULL && jitmap_is_of(path, p))
		ret = jitmap_name(path, p->euid, b->asked, b->asked_count,
		    &m->arena);
	return ret;
}

static int
name_kernel_code(struct model *m, struct batch *b, struct model_module *own)
{
	int ret = kallsyms_name("/proc/kallsyms", b->asked, b->asked_count,
	    &m->arena);

	if (ret != -ENOENT)
		return ret;
	own->state = OBJECT_HIDDEN;
	return 0;
}

bool
symbolize_ref(const struct model *m, uint32_t module, struct object_ref *ref)
{
	const struct model_module *own = &m->modules[module];
	const struct model_process *p = own->process == MODEL_NONE ? NULL :
	    &m->processes[own->process];

	*ref = (struct object_ref) {
		.path = own->path,
		.build_id = own->build_id,
		.build_id_bytes = own->build_id_bytes,
		.device = own->device,
		.inode = own->inode,
		.seen = own->seen,
		.vdso = (own->flags & FORMAT_M_VDSO) != 0,
		.pid = p != NULL && p->life == MODEL_RUNNING ? p->pid : 0,
		.start = own->start,
		.end = own->end,
	};
	return module >= MODEL_MODULES && (own->flags & (FORMAT_M_KERNEL |
	    FORMAT_M_NO_ELF)) == 0;
}

static int
name_module_code(struct model *m, struct batch *b, struct model_module *own)
{
	struct object_ref ref;
	int ret;

	if (own == &m->modules[MODEL_MODULE_KERNEL])
		return name_kernel_code(m, b, own);
	if ((own->flags & FORMAT_M_KERNEL) != 0)
		return 0;
	/*
	 * Addresses of this module are offsets in the file, and no symbol has
	 * such a value.
	 */
	if ((own->flags & FORMAT_M_NO_ELF) != 0) {
		own->state = OBJECT_NO_BIAS;
		return 0;
	}
	symbolize_ref(m, (uint32_t)(own - m->modules), &ref);
	ret = object_resolve(&ref, b->asked, b->asked_count, &m->arena,
	    &own->state, &own->debug, (m->keep & MODEL_KEEP_LINES) != 0 ?
	    &b->lines : NULL);
	if (own->lines_fault == LINES_OK) {
		own->lines_fault = b->lines.fault;
		own->lines_apart = b->lines.apart;
	}
	return ret;
}

/* Uses the names that input files bring, where nothing else has a name. */
static int
name_by_embedded(struct model *m, struct batch *b)
{
	const uint32_t module = b->rows[0].module;
	const bool absolute = model_is_absolute(module);
	struct model_module *own = &m->modules[module];
	bool all;
	int ret;

	if (m->given.count == 0)
		return 0;
	ret = embedded_names_fill(&m->given, absolute ? MODEL_MODULE_GENERATED :
	    module, absolute ? b->rows[0].process : MODEL_NONE, b->asked,
	    b->asked_count, (m->keep & MODEL_KEEP_LINES) != 0 ? &b->lines :
	    NULL, &all);
	own->told = all;
	return ret;
}

static int
symbolize_batch(struct model *m, struct batch *b)
{
	uint32_t module = b->rows[0].module;
	int ret = collect_addresses(b);

	if (ret == 0 && model_is_absolute(module))
		ret = name_generated_code(m, b);
	else if (ret == 0 && !model_is_unresolvable(module))
		ret = name_module_code(m, b, &m->modules[module]);
	if (ret == 0)
		ret = name_by_embedded(m, b);
	if (ret == 0)
		ret = assign_functions(m, b, module);
	free(b->asked);
	lines_free(&b->lines);
	return ret;
}

/*
 * Makes the function of rows without an address: CPU time without samples,
 * cuts, or time in modules that were not watched.
 */
static int
name_rest_rows(struct model *m, struct batch *b)
{
	uint32_t module = b->rows[0].module;

	for (size_t i = 0; i < b->count; i++)
		b->rows[i].function = (uint32_t)m->function_count;
	return append_function(m, module, 0, module == MODEL_MODULE_KERNEL ?
	    "[kernel: not in a call]" : m->modules[module].name, false);
}

static bool
same_batch(const struct model_row *a, const struct model_row *b)
{
	if (a->module != b->module ||
	    (a->kind == MODEL_REST) != (b->kind == MODEL_REST))
		return false;
	return !model_is_absolute(a->module) || a->process == b->process;
}

struct named_function {
	const char *name;
	uint32_t function;
};

static int
compare_function_names(const void *left, const void *right)
{
	const struct named_function *a = left, *b = right;
	int d = strcmp(a->name, b->name);

	return d != 0 ? d : compare_u64(a->function, b->function);
}

/*
 * Sets same[f] to the first function with the name of f.  Outside of modules a
 * function is identified by its name: a compiler may generate it again at
 * another address, and each process has code of its own.
 */
static int
merge_same_names(struct model *m, uint32_t *same)
{
	struct named_function *names = calloc(m->function_count,
	    sizeof(*names));
	size_t count = 0;

	if (names == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->function_count; i++) {
		same[i] = i;
		if (model_is_absolute(m->functions[i].module))
			names[count++] = (struct named_function) {
				m->functions[i].name, i };
	}
	if (count > 1)
		qsort(names, count, sizeof(*names), compare_function_names);
	for (size_t i = 1; i < count; i++)
		if (strcmp(names[i].name, names[i - 1].name) == 0)
			same[names[i].function] = same[names[i - 1].function];
	free(names);
	return 0;
}

static int
merge_same_functions(struct model *m)
{
	uint32_t *same = calloc(m->function_count + 1, sizeof(*same));
	int ret = same == NULL ? -ENOMEM : merge_same_names(m, same);

	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		m->rows[i].function = same[m->rows[i].function];
	free(same);
	return ret;
}

static uint64_t
sum_unnamed_ns(const struct model *m)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < m->row_count; i++)
		if (m->rows[i].kind != MODEL_REST &&
		    !model_has_no_address(m->rows[i].module) &&
		    model_is_cpu(m->rows[i].kind) &&
		    !m->functions[m->rows[i].function].named)
			ns += m->rows[i].ns;
	return ns;
}

int
symbolize_all(struct model *m, symbolize_progress *progress, void *arg)
{
	size_t done = 0;
	int ret = 0;

	while (done < m->row_count && ret == 0) {
		struct batch b = { .rows = m->rows + done, .count = 1 };

		while (done + b.count < m->row_count &&
		    same_batch(b.rows, &b.rows[b.count]))
			b.count++;
		if (progress != NULL)
			progress(arg, done, m->row_count,
			    m->modules[b.rows->module].name);
		ret = b.rows->kind == MODEL_REST ||
		    model_has_no_address(b.rows->module) ? name_rest_rows(m,
		    &b) : symbolize_batch(m, &b);
		done += b.count;
	}
	if (ret == 0 && m->function_count != 0)
		ret = merge_same_functions(m);
	if (ret == 0)
		model_name_frames(m);
	if (ret == 0)
		ret = source_files_finish(&m->sources);
	if (ret == 0)
		m->unnamed_ns = sum_unnamed_ns(m);
	return ret;
}
