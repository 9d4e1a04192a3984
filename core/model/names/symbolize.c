/*
 * Context: O.  Finds the functions of all addresses of a model, for all tools
 * that show names: batches of rows of one module are looked up in its object,
 * in /proc/kallsyms, or in maps that compilers write, and then in embedded
 * names.
 */
#include "names/symbolize.h"

#include "base/compare.h"
#include "names/generated_names.h"
#include "names/symbol_batch.h"
#include "symbol/symbol_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Names code of the running kernel.  Returns 0 or -ENOMEM; if the kernel hides
 * its symbols, notes that in own->state.
 */
static int
name_kernel_code(struct model *m, struct symbol_batch *b,
    struct model_module *own)
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

/*
 * Names code of a module that is a file, the vdso or a kernel.  Returns 0 or
 * -ENOMEM.
 */
static int
name_module_code(struct model *m, struct symbol_batch *b,
    struct model_module *own)
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

/*
 * Uses the names that input files bring, where nothing else has a name.
 * Returns 0 or -ENOMEM.
 */
static int
name_by_embedded(struct model *m, struct symbol_batch *b)
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
	own->named_all = all;
	return ret;
}

/* Gives the rows of a batch their functions.  Returns 0 or -ENOMEM. */
static int
symbolize_batch(struct model *m, struct symbol_batch *b)
{
	uint32_t module = b->rows[0].module;
	int ret = symbol_batch_collect(b);

	if (ret == 0 && model_is_absolute(module))
		ret = generated_names_find(m, b);
	else if (ret == 0 && !model_is_unresolvable(module))
		ret = name_module_code(m, b, &m->modules[module]);
	if (ret == 0)
		ret = name_by_embedded(m, b);
	if (ret == 0)
		ret = symbol_batch_assign(m, b, module);
	free(b->asked);
	lines_free(&b->lines);
	return ret;
}

/*
 * Makes the function of rows without an address: CPU time without samples,
 * paused time, cuts, or time in modules that were not watched.  Returns 0 or
 * -ENOMEM.
 */
static int
name_rest_rows(struct model *m, struct symbol_batch *b)
{
	uint32_t module = b->rows[0].module;

	for (size_t i = 0; i < b->count; i++)
		b->rows[i].function = (uint32_t)m->function_count;
	return symbol_batch_add_function(m, module, 0,
	    module == MODEL_MODULE_KERNEL ? MODEL_KERNEL_REST :
	    m->modules[module].name, false);
}

/*
 * Returns whether two rows, neighbours in the order of model_rows_sort(), are
 * looked up in one batch.
 */
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
 * another address, and each process has code of its own.  Returns 0 or -ENOMEM.
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

/*
 * Gives rows of functions that are the same outside of modules one of these.
 * Returns 0 or -ENOMEM.
 */
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

/* Returns the CPU time of rows without a symbol, in ns. */
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
		struct symbol_batch b = { .rows = m->rows + done, .count = 1 };

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
