/* Context: O.  tprof top of one process under libmon.so: its profile. */
#include "tprof_top.h"

#include "alive.h"
#include "gather.h"
#include "load.h"
#include "symbolise.h"
#include "whom.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEY_MS	100	/* a key is looked for so often */

/* Reading it may take this part of the time. */
#define READING_PART	4u

struct topfile {
	struct input input;
	struct model model;
	struct census sums;	/* of one reading, by nodes of the data */
	uint32_t *nodes;	/* of the model's frames, + 1 */
	struct top_event event;
	char scope[64];
	bool ended;
	uint64_t again;		/* not before */
	struct fault fault;
};

/* Since when it counts, on our clock; and what it is called. */
static void
take_header(struct tprof_top *t, const char *pid)
{
	struct topfile *own = t->file;
	struct format_header h;
	struct timespec now;
	char path[64], name[SPACE_NAME + 1] = "";
	uint64_t real;
	FILE *in;

	if (load_header(own->input.files[0].path, &h) == 0) {
		clock_gettime(CLOCK_REALTIME, &now);
		real = (uint64_t)now.tv_sec * 1000000000u +
		    (uint64_t)now.tv_nsec;
		t->data.cleared -= real > h.birth_real ?
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
topfile_open(struct tprof_top *t, const char *pid, struct fault *f)
{
	struct topfile *own = t->file = calloc(1, sizeof(*own));
	struct top_input *in = &t->data.in;
	int ret;

	if (own == NULL)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	ret = whom_find(&own->input, pid, f);
	if (ret != 0)
		return ret;
	census_init(&own->sums, SIZE_MAX);
	own->event = (struct top_event) { "CPU time", true };
	take_header(t, pid);
	in->scope = own->scope;
	in->events = &own->event;
	in->event_count = 1;
	in->stat_count = 1;
	in->stat_names[0] = "sample";
	return 0;
}

bool
topfile_has_ended(const struct tprof_top *t)
{
	return t->file->ended;
}

/* Until then, a key or a signal. */
int
topfile_wait(struct tprof_top *t, uint64_t until)
{
	struct pollfd p[] = {
		{ .fd = t->signals, .events = POLLIN },
		{ .fd = isatty(STDIN_FILENO) ? STDIN_FILENO : -1,
		    .events = POLLIN },
	};
	const uint64_t now = buffer_now();
	const uint64_t left = now < until ? (until - now) / 1000000 + 1 : 0;

	poll(p, 2, left < KEY_MS ? (int)left : KEY_MS);
	if ((p[0].revents & POLLIN) != 0)
		tprof_top_signals(t);
	return __atomic_load_n(&t->over, __ATOMIC_ACQUIRE) ? 0 : 1;
}

static bool
still_runs(const struct topfile *own)
{
	struct format_header h;

	return own->input.count != 0 &&
	    load_header(own->input.files[0].path, &h) == 0 &&
	    alive_check(&h) == 1;
}

static void
take_fault(void *arg, const struct fault *f)
{
	*(struct fault *)arg = *f;
}

/* Time in a call is the kernel's, and is in a line of its own. */
static uint32_t
place_of(struct topdata *d, struct model *m, uint32_t function, bool kernel)
{
	const char *name = model_function_shown(m, function);
	const char *module = model_module_shown(m,
	    m->functions[function].module);
	char text[512];

	if (!kernel || *name == '[')
		return namer_known(&d->namer, name, module, kernel ||
		    m->functions[function].module == MODEL_MODULE_KERNEL);
	snprintf(text, sizeof(text), "%s [in the kernel]", name);
	return namer_known(&d->namer, text, module, true);
}

/* Callers of the model come before those whom they called. */
static int
make_nodes(struct topfile *own, struct topdata *d)
{
	const struct stacks *s = &own->model.stacks;

	free(own->nodes);
	own->nodes = calloc(s->count + 1, sizeof(*own->nodes));
	if (own->nodes == NULL)
		return -ENOMEM;
	for (size_t i = 1; i < s->count; i++) {
		const struct stack_frame *f = &s->frames[i];

		own->nodes[i] = census_node(&d->census, own->nodes[f->caller],
		    place_of(d, &own->model, f->function, false));
		if (own->nodes[i] == 0)
			return -ENOMEM;
	}
	return 0;
}

static int
key_of(struct topfile *own, struct topdata *d, const struct model_row *r,
    struct census_key *key)
{
	const struct model *m = &own->model;
	const struct model_process *p = r->process == MODEL_NONE ? NULL :
	    &m->processes[r->process];
	const struct format_thread *t = r->thread == MODEL_NONE ? NULL :
	    &m->threads[r->thread].thread;
	const bool kernel = r->kind == FORMAT_KERNEL ||
	    r->module == MODEL_MODULE_KERNEL;
	char name[sizeof(t->name) + 1];

	*key = (struct census_key) {
		.process = topdata_process(d, p == NULL ? 0 : p->pid, 0,
		    p == NULL ? "" : p->program),
		.tid = t == NULL ? 0 : (uint32_t)t->tid,
	};
	key->node = census_node(&d->census, own->nodes[r->stack],
	    place_of(d, &own->model, r->function, kernel));
	if (key->process == UINT32_MAX || key->node == 0)
		return -ENOMEM;
	if (!topdata_is_new(d, key->process, key->tid))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)sizeof(t->name),
	    t == NULL ? "[not sampled]" : t->name);
	return topdata_thread(d, key->process, key->tid, name);
}

static int
take_rows(struct topfile *own, struct topdata *d)
{
	const struct model *m = &own->model;
	int ret = make_nodes(own, d);

	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct model_row *r = &m->rows[i];
		const struct census_value v = { r->count, r->ns };
		struct census_key key;

		if (!model_is_cpu(r->kind) || model_is_caller(r->kind) ||
		    r->kind == MODEL_CALLS || (r->count | r->ns) == 0)
			continue;
		ret = key_of(own, d, r, &key);
		if (ret == 0)
			ret = census_add(&own->sums, &key, &v);
	}
	d->in.stats_before[0] = d->in.stats[0];
	d->in.stats[0] = 0;
	for (size_t i = 0; i < own->sums.cell_count && ret == 0; i++) {
		const struct census_cell *c = &own->sums.cells[i];

		d->in.stats[0] += c->all.count;
		ret = census_set(&d->census, &c->key, &c->all);
	}
	census_free(&own->sums);
	return ret;
}

static int
read_profile(struct topfile *own, struct topdata *d, struct fault *f)
{
	static const struct filter all;
	int ret = model_init(&own->model, &all, MODEL_KEEP_PROCESS |
	    MODEL_KEEP_THREAD | MODEL_KEEP_STACKS, DEMANGLE_SHORT);

	f->what = NULL;
	if (ret == 0)
		ret = gather_all(&own->model, &own->input, take_fault, NULL,
		    f);
	if (ret == 0)
		ret = symbolise_all(&own->model, NULL, NULL);
	if (ret == 0 && f->what == NULL)
		ret = take_rows(own, d);
	model_free(&own->model);
	return ret;
}

int
topfile_look(struct tprof_top *t, struct fault *f)
{
	struct topfile *own = t->file;
	const uint64_t began = buffer_now();
	int ret;

	if (own->ended || began < own->again)
		return 0;
	/* What it counted before it ended is in the file: it is read after. */
	own->ended = !still_runs(own);
	ret = read_profile(own, &t->data, f);
	if (own->ended)
		t->data.in.note = "the process has ended: this is its last "
		    "state";
	if (ret == 0 && f->what != NULL && own->ended)
		return -EIO;
	own->again = buffer_now();
	own->again += READING_PART * (own->again - began);
	if (own->again - began < 100000000u)
		own->again = 0;
	return ret;
}

void
topfile_close(struct tprof_top *t)
{
	struct topfile *own = t->file;

	if (own == NULL)
		return;
	census_free(&own->sums);
	input_free(&own->input);
	free(own->nodes);
	free(own);
	t->file = NULL;
}
