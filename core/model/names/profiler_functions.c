/*
 * Context: O.  Makes the functions of libmon.so one, for prof; see
 * profiler_functions.h.
 */
#include "names/profiler_functions.h"

#include "names/symbol_batch.h"

int
profiler_functions_merge(struct model *m)
{
	uint32_t one = MODEL_NONE;
	int ret = 0;

	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		struct model_row *r = &m->rows[i];

		if ((m->modules[r->module].flags & FORMAT_M_OURS) == 0)
			continue;
		if (one == MODEL_NONE) {
			one = (uint32_t)m->function_count;
			ret = symbol_batch_add_function(m, r->module, 0,
			    PROFILER_FUNCTIONS_NAME, false);
		}
		if (ret == 0) {
			r->function = one;
			r->scopes = 0;
		}
	}
	if (one != MODEL_NONE && ret == 0)
		model_name_frames(m);
	return ret;
}

uint64_t
profiler_functions_ns(const struct model *m)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if ((m->modules[r->module].flags & FORMAT_M_OURS) != 0 &&
		    model_is_cpu(r->kind) && !model_is_caller(r->kind))
			ns += r->ns;
	}
	return ns;
}
