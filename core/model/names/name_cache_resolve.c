/*
 * Context: O.  Looks up all places of a name cache that are due, for tprof top:
 * puts them into a model of their own, whose rows symbolize_all() gives
 * functions, and takes the names from there.
 */
#include "names/name_cache.h"

#include "base/clock_ns.h"
#include "names/symbolize.h"
#include "process_state.h"
#include "read/module_add.h"
#include "base/vector.h"

#include <string.h>

#define KALLSYMS	"/proc/kallsyms"

/*
 * Least time between two reads of kallsyms.  Kernel modules come and go, but
 * reading their names takes 55 ms.
 */
#define KERNEL_NS	10000000000u

/*
 * Time between two tries.  A compiler writes its map some time after the code
 * that it describes.
 */
#define RETRY_NS	5000000000u
#define TRIES_MAX		4u

/* State of one call of name_cache_resolve(). */
struct name_lookup {
	struct name_cache *n;
	struct model m;
	uint64_t now;
	/* 1 + module of the model, by module of the cache */
	uint32_t *modules;
	/* 1 + process of the model, by process of the cache */
	uint32_t *processes;
	uint32_t *places;	/* places that are looked up */
	uint32_t *rows;		/* number of the row of each of these places */
	size_t count;
};

/*
 * Names a place in the kernel.  If no symbol is found, kallsyms is read again,
 * as a module may have been loaded since, but not for each address.  Returns 0
 * or -ENOMEM.
 */
static int
name_kernel_place(struct name_lookup *w, struct name_cache_place *p)
{
	struct name_cache *n = w->n;
	const struct kallsym *s = kallsyms_find(&n->kernel, p->address);
	struct name_cache_function f = {
		.kernel = true, .text = "[kernel]",
		.module = name_cache_intern(n, "[kernel]"),
	};

	if (s == NULL && (n->kernel_read == 0 ||
	    w->now - n->kernel_read >= KERNEL_NS)) {
		n->kernel_read = w->now;
		if (kallsyms_read(&n->kernel, KALLSYMS) == -ENOMEM)
			return -ENOMEM;
		s = kallsyms_find(&n->kernel, p->address);
	}
	if (s != NULL) {
		f.text = s->name;
		f.start = s->start;
		f.named = true;
		if (s->module != NULL)
			f.module = name_cache_intern(n, s->module);
	}
	f.text = name_cache_intern(n, f.text);
	p->function = name_cache_add_function(n, &f);
	return 0;
}

/* Names a cut as the model does, by the reason why there are no callers. */
static void
name_cut_place(struct name_lookup *w, struct name_cache_place *p)
{
	const uint64_t why = p->address < FORMAT_CUTS ? p->address : 0;
	const struct name_cache_function f = {
		.text = name_cache_intern(w->n, w->m.modules[MODEL_MODULE_CUT +
		    why].name),
		.module = name_cache_intern(w->n, ""),
	};

	p->function = name_cache_add_function(w->n, &f);
}

/*
 * Returns whether the pid still belongs to that process.  A birth is computed
 * from clock ticks and the time of the boot, so two figures of one birth may
 * differ by up to a second.
 */
static bool
process_still_runs(const struct name_cache_process *p)
{
	const uint64_t birth = process_state_start_ns(p->pid);
	const uint64_t slack = 1000000000u;

	return birth != 0 && (p->birth == 0 || (birth < p->birth + slack &&
	    p->birth < birth + slack));
}

/*
 * Sets *own to the process of the model for one of the cache, which is added if
 * it is missing; MODEL_NONE for NAME_CACHE_ANY_PROCESS.  Returns 0 or -ENOMEM.
 */
static int
add_cache_process(struct name_lookup *w, uint32_t process, uint32_t *own)
{
	const struct name_cache_process *p = &w->n->processes[process];
	struct model *m = &w->m;

	*own = MODEL_NONE;
	if (process == NAME_CACHE_ANY_PROCESS)
		return 0;
	*own = w->processes[process] - 1;
	if (w->processes[process] != 0)
		return 0;
	if (vector_grow(&m->processes, m->process_count, &m->process_room,
	    sizeof(*m->processes)) != 0)
		return -ENOMEM;
	*own = (uint32_t)m->process_count++;
	w->processes[process] = *own + 1;
	m->processes[*own] = (struct model_process) {
		.pid = p->pid, .euid = p->uid, .birth_real = p->birth,
		.program = "", .here = true, .same_boot = true,
		.foreign = true, .life = process_still_runs(p) ? MODEL_RUNNING :
		    MODEL_ENDED,
	};
	return 0;
}

/*
 * Sets *own to the module of the model for one of the cache, which is added if
 * it is missing.  Returns 0 or -ENOMEM.
 */
static int
add_cache_module(struct name_lookup *w, uint32_t module, uint32_t *own)
{
	const struct name_cache_module *from = &w->n->modules[module];
	struct elf_layout p = {
		.device = from->device, .inode = from->inode,
		.changed = from->seen, .build_id_bytes = from->build_id_bytes,
	};
	const char *path;
	uint32_t process;

	*own = w->modules[module] - 1;
	if (w->modules[module] != 0)
		return 0;
	path = model_intern(&w->m, from->path, from->path_bytes);
	memcpy(p.build_id, from->build_id, from->build_id_bytes);
	if (path == NULL || module_add(&w->m, path, &p, from->flags,
	    own) != 0 || add_cache_process(w, from->process, &process) != 0)
		return -ENOMEM;
	w->m.modules[*own].process = process;
	w->modules[module] = *own + 1;
	return 0;
}

/* Adds a row for a place of the cache.  Returns 0 or -ENOMEM. */
static int
add_cache_row(struct name_lookup *w, uint32_t place)
{
	const struct name_cache_place *p = &w->n->places[place];
	struct model_row row = {
		.kind = FORMAT_USER, .address = p->address,
		.process = MODEL_NONE, .thread = MODEL_NONE, .count = 1,
	};
	int ret;

	if (p->module == NAME_CACHE_NO_MODULE ||
	    p->module == NAME_CACHE_GENERATED) {
		row.module = p->module == NAME_CACHE_NO_MODULE ?
		    MODEL_MODULE_NONE : MODEL_MODULE_GENERATED;
		ret = add_cache_process(w, p->process, &row.process);
	} else {
		ret = add_cache_module(w, p->module, &row.module);
	}
	if (ret == 0)
		ret = model_merge_row(&w->m, &row, &w->rows[w->count]);
	if (ret == 0)
		w->places[w->count++] = place;
	return ret;
}

/*
 * Sets the function of a place from its row, which has one.  Returns 0 or
 * -ENOMEM.
 */
static int
take_row_name(struct name_lookup *w, const struct model_row *r,
    struct name_cache_place *p)
{
	struct model *m = &w->m;
	const struct model_function *from = &m->functions[r->function];
	const char *shown = model_function_name(m, r->function);
	struct name_cache_function f = {
		.start = from->start, .named = from->named,
		.module = name_cache_intern(w->n, model_module_name(m,
		    from->module)),
	};

	if (shown == NULL)
		return -ENOMEM;
	f.text = name_cache_intern(w->n, shown);
	/*
	 * In no module, a function is identified by its name, wherever its code
	 * is now.
	 */
	if (model_is_absolute(from->module))
		f.start = 0;
	p->function = name_cache_add_function(w->n, &f);
	return 0;
}

/*
 * Sets the functions of all places that were looked up, after the rows were
 * sorted.  Returns 0 or -ENOMEM.
 */
static int
take_row_names(struct name_lookup *w)
{
	uint32_t *now = malloc((w->m.row_count + 1) * sizeof(*now));
	int ret = now == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < w->m.row_count && ret == 0; i++)
		now[w->m.rows[i].number] = (uint32_t)i;
	for (size_t i = 0; i < w->count && ret == 0; i++)
		ret = take_row_name(w, &w->m.rows[now[w->rows[i]]],
		    &w->n->places[w->places[i]]);
	free(now);
	return ret;
}

/*
 * Adds the places that are due to the model.  Places in the kernel, and those
 * that need no file, get their names at once.  Returns 0 or -ENOMEM.
 */
static int
add_due_places(struct name_lookup *w)
{
	struct name_cache *n = w->n;
	int ret = 0;

	for (size_t i = 0; i < n->wait_count && ret == 0; i++) {
		struct name_cache_place *p = &n->places[n->waiting[i]];

		if (p->again > w->now)
			continue;
		if (p->module == NAME_CACHE_KERNEL)
			ret = name_kernel_place(w, p);
		else if (p->module == NAME_CACHE_CUT)
			name_cut_place(w, p);
		else if (p->module != NAME_CACHE_KNOWN)
			ret = add_cache_row(w, n->waiting[i]);
	}
	return ret;
}

/*
 * Keeps the places that still wait: those that are not due, and code that its
 * compiler may name yet, up to TRIES_MAX look-ups.
 */
static void
requeue_places(struct name_lookup *w)
{
	struct name_cache *n = w->n;
	size_t kept = 0;

	for (size_t i = 0; i < n->wait_count; i++) {
		struct name_cache_place *p = &n->places[n->waiting[i]];
		const bool due = p->again <= w->now;

		if (due && p->function != HASH_INDEX_NONE &&
		    ((p->module != NAME_CACHE_NO_MODULE &&
		    p->module != NAME_CACHE_GENERATED) ||
		    n->functions[p->function].named || ++p->tries == TRIES_MAX))
			continue;
		if (due)
			p->again = w->now + RETRY_NS;
		n->waiting[kept++] = n->waiting[i];
	}
	n->wait_count = kept;
}

/*
 * Makes all steps of the look-up in w->m, which is empty.  Returns 0 or
 * -ENOMEM.
 */
static int
resolve_places(struct name_lookup *w)
{
	const struct name_cache *n = w->n;
	int ret;

	w->modules = calloc(n->module_count, sizeof(*w->modules));
	w->processes = calloc(n->process_count, sizeof(*w->processes));
	w->places = calloc(n->wait_count, sizeof(*w->places));
	w->rows = calloc(n->wait_count, sizeof(*w->rows));
	if (w->modules == NULL || w->processes == NULL || w->places == NULL ||
	    w->rows == NULL)
		return -ENOMEM;
	ret = add_due_places(w);
	if (ret == 0 && w->count != 0)
		ret = model_finish(&w->m);
	if (ret == 0 && w->count != 0)
		ret = symbolize_all(&w->m, NULL, NULL);
	return ret == 0 ? take_row_names(w) : ret;
}

int
name_cache_resolve(struct name_cache *n)
{
	static const struct filter all;
	struct name_lookup w = {
		.n = n, .now = clock_ns_now(CLOCK_MONOTONIC),
	};
	int ret;

	if (n->wait_count == 0)
		return n->out_of_memory ? -ENOMEM : 0;
	ret = model_init(&w.m, &all, MODEL_KEEP_PROCESS, DEMANGLE_SHORT);
	if (ret == 0)
		ret = resolve_places(&w);
	if (ret == 0)
		requeue_places(&w);
	model_free(&w.m);
	free(w.modules);
	free(w.processes);
	free(w.places);
	free(w.rows);
	return ret != 0 ? ret : n->out_of_memory ? -ENOMEM : 0;
}
