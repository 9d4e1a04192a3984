/*
 * Context: O.  Adds the frames of callers, for the readers of a profile's time
 * and allocations; see profile_frames.h.
 */
#include "read/profile_frames.h"

#include "read/profile_modules.h"

uint32_t
profile_frames_process(const struct profile_reader *x, uint32_t module)
{
	return model_is_absolute(module) ||
	    (x->model->keep & MODEL_KEEP_PROCESS) != 0 ? x->process :
	    MODEL_NONE;
}

bool
profile_frames_is_caller(const struct format_node *n)
{
	return n->kind == FORMAT_FRAME || n->kind == FORMAT_INTERRUPTED ||
	    n->kind == FORMAT_CUT;
}

int
profile_frames_add(struct profile_reader *x, uint32_t index,
    const struct format_node *n)
{
	struct stack_frame key = {
		.caller = x->frames[n->parent],
		.kind = n->kind,
		.process = MODEL_NONE,
	};

	if (n->kind == FORMAT_CUT) {
		key.kind = FORMAT_FRAME;
		key.module = MODEL_MODULE_CUT + (n->address < FORMAT_CUTS ?
		    (uint32_t)n->address : 0);
	} else {
		key.module = profile_modules_of_node(x, n);
		/*
		 * Frames of libmon.so stand between the program and libc, and
		 * are left out.
		 */
		if ((x->model->modules[key.module].flags & FORMAT_M_OURS)) {
			x->frames[index] = key.caller;
			return 0;
		}
		key.address = n->address;
		key.process = profile_frames_process(x, key.module);
	}
	x->frames[index] = model_add_frame(x->model, &key);
	if (x->frames[index] == 0)
		return fault_set_no_memory(x->fault);
	if (n->how == FORMAT_HOW_GUESSED)
		x->model->stacks.frames[x->frames[index]].guessed = 1;
	return 0;
}
