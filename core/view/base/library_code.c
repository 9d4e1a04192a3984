/*
 * Context: O.  Tells the program's code from libraries', for findings and for
 * time asleep; see library_code.h.
 */
#include "base/library_code.h"

#include "derive/module_origin.h"
#include "symbol/allocator_name.h"
#include "symbol/library_name.h"

#include <string.h>

static const char go_runtime[] = "runtime.";

bool
library_code_allocates(const struct model *m, uint32_t function)
{
	enum allocator_name kind;

	if (function == MODEL_NONE || !m->functions[function].named)
		return false;
	kind = allocator_name_find(m->functions[function].name);
	return kind != ALLOCATOR_NAME_NONE && kind != ALLOCATOR_NAME_COPY;
}

static bool
is_library(const struct model_module *m)
{
	return module_origin_find(m) != MODULE_ORIGIN_USER;
}

bool
library_code_has(const struct model *m, uint32_t function)
{
	const struct model_function *f;

	if (function == MODEL_NONE)
		return false;
	f = &m->functions[function];
	return is_library(&m->modules[f->module]) || (f->named &&
	    (library_name_is_standard(f->name) ||
	    strncmp(f->name, go_runtime, strlen(go_runtime)) == 0)) ||
	    library_code_allocates(m, function);
}

/*
 * A function of the program may be inlined into a template, as a lambda into
 * that of a thread: without another function of the program it is the caller.
 */
uint32_t
library_code_caller(const struct model *m, uint32_t frame)
{
	const struct stack_frame *frames = m->stacks.frames;
	uint32_t of_program = 0;

	while (frame != 0 && (frames[frame].function == MODEL_NONE ||
	    library_code_has(m, frames[frame].function))) {
		if (of_program == 0 && frames[frame].function != MODEL_NONE &&
		    !library_code_allocates(m, frames[frame].function) &&
		    !is_library(&m->modules[frames[frame].module]))
			of_program = frame;
		frame = frames[frame].caller;
	}
	return frame == 0 || model_is_cut(frames[frame].module) ? of_program :
	    frame;
}
