/*
 * Context: O.  tprof top of one process under libmon.so, or of a directory, by
 * reading its profiles again and again, for tprof_top.c; see tprof_top.h.
 */
#include "top/tprof_top.h"

#include "base/clock_ns.h"
#include "load.h"
#include "names/symbolize.h"
#include "process_state.h"
#include "read/read_inputs.h"
#include "target_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Reading the profile may take this part of the time. */
#define READING_PART	4u

/* The profile as the source. */
struct top_profile {
	struct input input;
	struct model model;
	/* counts of one reading, by nodes of the data */
	struct aggregate sums;
	/* nodes of the data, by frames of the model */
	uint32_t *nodes;
	struct top_event event;
	char scope[64];
	bool ended;
	uint64_t again;		/* do not read the profile before this time */
};

/*
 * Sets when the profile began to count, on our clock, and the title of the
 * screen.
 */
static void
set_profile_scope(struct tprof_top *t, const char *pid)
{
	struct top_profile *own = t->profile;
	struct format_header h;
	char path[64], name[ADDRESS_SPACE_NAME + 1] = "";
	uint64_t real;
	FILE *in;

	if (load_header(own->input.files[0].path, &h) == 0) {
		real = clock_ns_now(CLOCK_REALTIME);
		t->data.start -= real > h.birth_real ?
		    real - h.birth_real : 0;
	}
	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	in = fopen(path, "re");
	if (in != NULL && fgets(name, sizeof(name), in) != NULL)
		name[strcspn(name, "\n")] = '\0';
	if (in != NULL)
		fclose(in);
	snprintf(own->scope, sizeof(own->scope), "process %.20s%s%s", pid,
	    *name != '\0' ? " " : "", name);
}

int
top_profile_open(struct tprof_top *t, const char *pid, struct fault *f)
{
	struct top_profile *own = t->profile = calloc(1, sizeof(*own));
	struct top_input *in = &t->data.in;
	int ret;

	if (own == NULL)
		return fault_set_no_memory(f);
	ret = target_profile_find(&own->input, pid, f);
	if (ret != 0)
		return ret;
	if (own->input.count == 0) {
		ret = fault_set(f, "no profile in it", FAULT_NO_OFFSET, 0);
		f->file = pid;
		f->remedy = "a process that counted nothing leaves none";
		return ret;
	}
	aggregate_init(&own->sums, SIZE_MAX);
	own->event = (struct top_event) { "CPU time", true };
	set_profile_scope(t, pid);
	in->scope = own->scope;
	in->events = &own->event;
	in->event_count = 1;
	in->stat_count = 1;
	in->stat_names[0] = "sample";
	return 0;
}

bool
top_profile_has_ended(const struct tprof_top *t)
{
	return t->profile->ended;
}

/* Returns whether the process of the first profile still runs. */
static bool
still_runs(const struct top_profile *own)
{
	struct format_header h;

	return own->input.count != 0 &&
	    load_header(own->input.files[0].path, &h) == 0 &&
	    process_state_check(&h) == 1;
}

static void
keep_last_fault(void *arg, const struct fault *f)
{
	*(struct fault *)arg = *f;
}

/*
 * Returns the place of a function.  Time in a system call is the kernel's and
 * has a line of its own.
 */
static uint32_t
function_place(struct top_data *d, struct model *m, uint32_t function,
    bool kernel)
{
	const char *name = model_function_name(m, function);
	const char *module = model_module_name(m,
	    m->functions[function].module);
	char text[512];

	if (!kernel || *name == '[')
		return name_cache_add_known(&d->names, name, module, kernel ||
		    m->functions[function].module == MODEL_MODULE_KERNEL);
	snprintf(text, sizeof(text), "%s [in the kernel]", name);
	return name_cache_add_known(&d->names, text, module, true);
}

/* Makes the nodes of all frames.  Callers come before callees in the model. */
static int
make_census_nodes(struct top_profile *own, struct top_data *d)
{
	const struct stack_frames *s = &own->model.stacks;

	free(own->nodes);
	own->nodes = calloc(s->count + 1, sizeof(*own->nodes));
	if (own->nodes == NULL)
		return -ENOMEM;
	for (size_t i = 1; i < s->count; i++) {
		const struct stack_frame *f = &s->frames[i];

		own->nodes[i] = aggregate_find_node(&d->aggregate,
		    own->nodes[f->caller], function_place(d, &own->model,
		    f->function, false));
		if (own->nodes[i] == 0)
			return -ENOMEM;
	}
	return 0;
}

/* Sets *key to the process, thread and node of a row.  Returns 0 or -ENOMEM. */
static int
make_census_key(struct top_profile *own, struct top_data *d,
    const struct model_row *r, struct aggregate_key *key)
{
	const struct model *m = &own->model;
	const struct model_process *p = r->process == MODEL_NONE ? NULL :
	    &m->processes[r->process];
	const struct format_thread *t = r->thread == MODEL_NONE ? NULL :
	    &m->threads[r->thread].thread;
	const bool kernel = r->kind == FORMAT_KERNEL ||
	    r->module == MODEL_MODULE_KERNEL;
	char name[sizeof(t->name) + 1];

	*key = (struct aggregate_key) {
		.process = top_data_add_process(d, p == NULL ? 0 : p->pid, 0,
		    p == NULL ? "" : p->program),
		.tid = t == NULL ? 0 : (uint32_t)t->tid,
	};
	key->node = aggregate_find_node(&d->aggregate, own->nodes[r->stack],
	    function_place(d, &own->model, r->function, kernel));
	if (key->process == UINT32_MAX || key->node == 0)
		return -ENOMEM;
	if (!top_data_is_new_thread(d, key->process, key->tid))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)sizeof(t->name),
	    t == NULL ? "[not sampled]" : t->name);
	return top_data_add_thread(d, key->process, key->tid, name);
}

/*
 * Sums the CPU time of the rows, and sets the counts of the data to it.
 * Returns 0 or -ENOMEM.
 */
static int
add_profile_rows(struct top_profile *own, struct top_data *d)
{
	const struct model *m = &own->model;
	int ret = make_census_nodes(own, d);

	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct model_row *r = &m->rows[i];
		const struct aggregate_value v = { r->count, r->ns };
		struct aggregate_key key;

		if (!model_is_cpu(r->kind) || model_is_caller(r->kind) ||
		    r->kind == MODEL_CALLS || (r->count | r->ns) == 0)
			continue;
		ret = make_census_key(own, d, r, &key);
		if (ret == 0)
			ret = aggregate_add(&own->sums, &key, &v);
	}
	d->in.stats_before[0] = d->in.stats[0];
	d->in.stats[0] = 0;
	for (size_t i = 0; i < own->sums.cell_count && ret == 0; i++) {
		const struct aggregate_cell *c = &own->sums.cells[i];

		d->in.stats[0] += c->all.count;
		ret = aggregate_set(&d->aggregate, &c->key, &c->all);
	}
	aggregate_free(&own->sums);
	return ret;
}

/*
 * Reads the profile into the data.  f->what: NULL unless the profile has a
 * fault, in which case the data stay as they were.  Returns 0 or -ENOMEM.
 */
static int
read_profile(struct top_profile *own, struct top_data *d, struct fault *f)
{
	static const struct filter all;
	int ret = model_init(&own->model, &all, MODEL_KEEP_PROCESS |
	    MODEL_KEEP_THREAD | MODEL_KEEP_STACKS, DEMANGLE_SHORT);

	f->what = NULL;
	if (ret == 0)
		ret = read_inputs(&own->model, &own->input, keep_last_fault,
		    NULL, f);
	if (ret == 0)
		ret = symbolize_all(&own->model, NULL, NULL);
	if (ret == 0 && f->what == NULL)
		ret = add_profile_rows(own, d);
	model_free(&own->model);
	return ret;
}

int
top_profile_update(struct tprof_top *t, struct fault *f)
{
	struct top_profile *own = t->profile;
	const uint64_t began = perf_buffer_now();
	int ret;

	if (own->ended || began < own->again)
		return 0;
	/*
	 * Look first whether the process runs, then read: the file then has all
	 * that it counted before its end.
	 */
	own->ended = !still_runs(own);
	ret = read_profile(own, &t->data, f);
	if (own->ended)
		t->data.in.note = "the process has ended: this is its last "
		    "state";
	if (ret == 0 && f->what != NULL && own->ended)
		return -EIO;
	own->again = perf_buffer_now();
	own->again += READING_PART * (own->again - began);
	if (own->again - began < 100000000u)
		own->again = 0;
	return ret;
}

void
top_profile_close(struct tprof_top *t)
{
	struct top_profile *own = t->profile;

	if (own == NULL)
		return;
	aggregate_free(&own->sums);
	input_free(&own->input);
	free(own->nodes);
	free(own);
	t->profile = NULL;
}
