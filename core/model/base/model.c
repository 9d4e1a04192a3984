/*
 * Context: O.  The model: its begin and end, its texts, and the names of its
 * functions.  For readers, views, exporters and tools; see model.h.
 */
#include "base/model.h"

#include "base/vector.h"

#include <string.h>

/* Names of the modules with fixed numbers. */
static const char *const fixed_names[MODEL_MODULES] = {
	[MODEL_MODULE_NONE] = "[no module]",
	[MODEL_MODULE_GENERATED] = "[generated code]",
	[MODEL_MODULE_PYTHON] = "[python]",
	[MODEL_MODULE_UNLISTED] = "[module not in the file]",
	[MODEL_MODULE_KERNEL] = "[kernel]",
	[MODEL_MODULE_REBOOTED] = "[kernel before a reboot]",
	[MODEL_MODULE_REST] = "[not sampled]",
	[MODEL_MODULE_UNPROFILED] = "[outside of profiles]",
	[MODEL_MODULE_PAUSED] = "[paused by the program]",
	[MODEL_MODULE_UNWATCHED] = "[not watched]",
	[MODEL_MODULE_CUT] = "[no callers: not said why]",
	[MODEL_MODULE_CUT + FORMAT_CUT_DEPTH] =
	    "[more callers than depth= keeps]",
	[MODEL_MODULE_CUT + FORMAT_CUT_TABLE] =
	    "[no callers: no unwind table or frame pointer]",
	[MODEL_MODULE_CUT + FORMAT_CUT_RULE] =
	    "[no callers: unwind table not understood]",
	[MODEL_MODULE_CUT + FORMAT_CUT_UNREADABLE] =
	    "[no callers: stack not readable]",
	[MODEL_MODULE_CUT + FORMAT_CUT_UNMAPPED] =
	    "[no callers: return address in no code]",
	[MODEL_MODULE_CUT + FORMAT_CUT_ORDER] =
	    "[no callers: stack out of order]",
	[MODEL_MODULE_CUT + FORMAT_CUT_LATE] =
	    "[no callers: the sample came late]",
	[MODEL_MODULE_CUT + FORMAT_CUT_FROZEN] =
	    "[no callers: behind seccomp]",
	[MODEL_MODULE_CUT + FORMAT_CUT_COST] =
	    "[more callers than a tick can look for]",
	[MODEL_MODULE_CUT + FORMAT_CUT_NO_MEMORY] =
	    "[no callers: no memory to look for them]",
	[MODEL_MODULE_CUT + FORMAT_CUT_COPY] =
	    "[no callers: not in the copy of the stack]",
	[MODEL_MODULE_CUT + FORMAT_CUT_REGISTER] =
	    "[no callers: asleep, its frame pointer is not known]",
	[MODEL_MODULE_CUT + FORMAT_CUT_AWAKE] =
	    "[no callers: awake when looked for]",
	[MODEL_MODULE_CUT + FORMAT_CUT_UNLOAD] =
	    "[no callers: a library was being unloaded]",
	[MODEL_MODULE_CUT + FORMAT_CUT_INDEX] =
	    "[no callers: unwind table without an index]",
};

int
model_init(struct model *m, const struct filter *filter, unsigned keep,
    enum demangle demangle)
{
	memset(m, 0, sizeof(*m));
	m->filter = filter;
	m->keep = keep;
	m->demangle = demangle;
	if (vector_grow(&m->modules, 0, &m->module_room,
	    sizeof(*m->modules)) != 0)
		return -ENOMEM;
	memset(m->modules, 0, MODEL_MODULES * sizeof(*m->modules));
	for (size_t i = 0; i < MODEL_MODULES; i++)
		m->modules[i].path = m->modules[i].name =
		    fixed_names[i];
	m->modules[MODEL_MODULE_KERNEL].flags = FORMAT_M_KERNEL;
	m->module_count = MODEL_MODULES;
	return 0;
}

void
model_free(struct model *m)
{
	merge_key_free(&m->module_keys);
	merge_key_free(&m->process_keys);
	merge_key_free(&m->pid_keys);
	merge_key_free(&m->file_keys);
	string_pool_free(&m->texts);
	arena_free(&m->arena);
	stack_frames_free(&m->stacks);
	hash_index_free(&m->by_key);
	free(m->rows);
	free(m->focus_marks);
	free(m->sleep_reasons);
	free(m->heaps);
	free(m->points);
	free(m->arcs);
	free(m->modules);
	free(m->processes);
	free(m->threads);
	free(m->runs);
	free(m->moments);
	free(m->functions);
	free(m->scopes);
	source_files_free(&m->sources);
	embedded_names_free(&m->given);
	free(m->origins);
	free(m->imports);
	free(m->samplings);
	free(m->lost);
	free(m->below);
	free(m->left);
	memset(m, 0, sizeof(*m));
}

const char *
model_intern(struct model *m, const char *text, size_t bytes)
{
	const size_t kept = strnlen(text,
	    bytes < MODEL_TEXT_MAX ? bytes : MODEL_TEXT_MAX);
	uint32_t n = string_pool_find(&m->texts, text, kept);

	if (n == UINT32_MAX) {
		const char *copy = arena_copy(&m->arena, text, kept);

		if (copy != NULL)
			n = string_pool_add(&m->texts, copy);
	}
	return n == UINT32_MAX ? NULL : m->texts.all[n];
}

const char *
model_function_name(struct model *m, uint32_t function)
{
	struct model_function *f = &m->functions[function];

	if (f->shown == NULL && f->named)
		f->shown = demangle_name(&m->arena, f->name, m->demangle);
	return f->shown != NULL ? f->shown : f->name;
}

const char *
model_function_full_name(struct model *m, uint32_t function)
{
	struct model_function *f = &m->functions[function];

	if (f->full == NULL)
		f->full = f->named && m->demangle == DEMANGLE_SHORT ?
		    demangle_name(&m->arena, f->name, DEMANGLE_FULL) :
		    model_function_name(m, function);
	return f->full;
}
