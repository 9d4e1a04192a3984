/*
 * Context: O.  Reads the tick logs of a profile, for read_profile.c; see
 * profile_log.h.
 */
#include "read/profile_log.h"

#include "base/vector.h"
#include "decode/decode_tick_log.h"

#include <stdlib.h>
#include <string.h>

/*
 * Returns the scaled time of a moment of a node, in ns, so that the moments of
 * the node add up to its scaled time.
 */
static uint32_t
scale_moment(const struct profile_reader *x, const struct format_logged_tick *r,
    uint32_t kind)
{
	uint64_t before;

	if (x->timed == NULL)
		return r->ns;
	before = sample_scale_ns(&x->scale, kind, x->timed[r->node]);
	x->timed[r->node] += r->ns;
	return (uint32_t)(sample_scale_ns(&x->scale, kind,
	    x->timed[r->node]) - before);
}

/*
 * Adds a logged tick, as a callback of decode_tick_log() with the reader as
 * `arg`.  A node that was left out, or that a truncated file does not have, has
 * no row; its ticks are ignored.  Returns 0, or -ENOMEM with the fault set.
 */
static int
add_profile_moment(void *arg, uint32_t thread,
    const struct format_logged_tick *r)
{
	const struct profile_reader *x = arg;
	struct model_moment own = { .real = x->real + r->mono };

	(void)thread;
	if (r->node > x->file->size / FORMAT_UNIT || x->rows[r->node] == 0)
		return 0;
	own.row = x->rows[r->node] - 1;
	own.ns = scale_moment(x, r, x->model->rows[own.row].kind);
	return model_add_moment(x->model, &own) == 0 ? 0 :
	    fault_set_no_memory(x->fault);
}

/*
 * Sets x->real, the offset of real time, for the file's run.  The clock is kept
 * by run, not by boot, as time namespaces have clocks of their own.  Returns 0,
 * or -ENOMEM with the fault set.
 */
static int
find_run_clock(struct profile_reader *x)
{
	const struct format_header *h = &x->file->header;
	struct model *m = x->model;
	struct model_run own = {
		.pid = h->run_pid, .start = h->run_start,
		.pid_namespace = h->pid_namespace,
		.real = h->birth_real - h->birth_mono,
	};

	memcpy(own.boot_id, h->boot_id, sizeof(own.boot_id));
	for (size_t i = m->run_count; i-- > 0;) {
		const struct model_run *r = &m->runs[i];

		if (r->pid == own.pid && r->start == own.start &&
		    r->pid_namespace == own.pid_namespace &&
		    memcmp(r->boot_id, own.boot_id, sizeof(own.boot_id)) == 0) {
			x->real = r->real;
			return 0;
		}
	}
	if (vector_grow(&m->runs, m->run_count, &m->run_room, sizeof(own)) != 0)
		return fault_set_no_memory(x->fault);
	m->runs[m->run_count++] = own;
	x->real = own.real;
	return 0;
}

int
profile_log_read(struct profile_reader *x)
{
	int ret = x->rows == NULL ? 0 : find_run_clock(x);

	if (x->rows != NULL && x->scale.taken_ns != 0) {
		x->timed = calloc(x->file->size / FORMAT_UNIT + 1,
		    sizeof(*x->timed));
		if (x->timed == NULL)
			return fault_set_no_memory(x->fault);
	}
	return x->rows == NULL || ret != 0 ? ret :
	    decode_tick_log(x->file, add_profile_moment, x, x->fault);
}
