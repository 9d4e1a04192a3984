/*
 * Context: O.  Finds the processes and threads that a tprof.out names: a table
 * of pids, of pids with programs, and of threads.  For read_tprof.c and
 * tprof_stacks.c.
 */
#include "foreign/tprof_processes.h"

#include "process_state.h"
#include "read/process_image.h"
#include "base/vector.h"

static uint32_t
hash_tprof_process(const struct tprof_processes_entry *k)
{
	return hash_index_hash((uint64_t)k->pid << 32 ^ (uint64_t)k->kind <<
	    30 ^ k->tid) ^ hash_index_hash((uintptr_t)k->program);
}

/* Returns the entry with the key of *k, or NULL. */
static struct tprof_processes_entry *
find_tprof_process(const struct tprof_processes *o,
    const struct tprof_processes_entry *k)
{
	const uint32_t hash = hash_tprof_process(k);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&o->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;) {
		struct tprof_processes_entry *own = &o->all[n];

		/* These texts are single copies, so pointers are compared. */
		if (own->kind == k->kind && own->pid == k->pid &&
		    own->tid == k->tid && own->program == k->program)
			return own;
	}
	return NULL;
}

/*
 * Returns the entry with the key of *k, which is made as a copy of *k if it is
 * missing; NULL if memory is out.
 */
static struct tprof_processes_entry *
add_tprof_process(struct tprof_processes *o,
    const struct tprof_processes_entry *k)
{
	struct tprof_processes_entry *own = find_tprof_process(o, k);

	if (own != NULL)
		return own;
	if (o->count >= HASH_INDEX_NONE - 1 || vector_grow(&o->all, o->count,
	    &o->room, sizeof(*own)) != 0 || hash_index_add(&o->by_key,
	    hash_tprof_process(k), (uint32_t)o->count) != 0)
		return NULL;
	o->all[o->count] = *k;
	return &o->all[o->count++];
}

/* Returns the program that the pid runs at this place of the file, or NULL. */
static const char *
current_program(const struct tprof_processes *o, uint32_t pid)
{
	const struct tprof_processes_entry key = { .kind =
	    TPROF_PROCESSES_CURRENT, .pid = pid };
	const struct tprof_processes_entry *now = find_tprof_process(o, &key);

	return now == NULL ? NULL : now->name;
}

void
tprof_processes_begin(struct tprof_processes *o, struct model *m)
{
	*o = (struct tprof_processes) { .processes = { .model = m, .images =
	    true } };
}

/*
 * Notes that a pid runs a program from here on.  Only a name that begins with a
 * slash is a path: the name of a kernel thread may have a slash in it.  Returns
 * 0 or -ENOMEM.
 */
static int
note_tprof_process(struct tprof_processes *o, const struct tprof_note *n,
    const char *name)
{
	const char *last = *name != '/' ? name : process_image_basename(name);
	struct tprof_processes_entry key = { .kind = TPROF_PROCESSES_CURRENT,
	    .pid = n->a }, *own;

	own = add_tprof_process(o, &key);
	key.kind = TPROF_PROCESSES_IMAGE;
	key.program = model_intern(o->processes.model, last, strlen(last));
	if (own == NULL || key.program == NULL)
		return -ENOMEM;
	own->name = key.program;
	if (find_tprof_process(o, &key) == NULL)
		key.images = own->images++;
	own = add_tprof_process(o, &key);
	if (own == NULL)
		return -ENOMEM;
	own->uid = n->b;
	own->birth = n->d;
	return 0;
}

int
tprof_processes_note(struct tprof_processes *o, const struct tprof_note *n,
    const char *text, size_t bytes)
{
	const char *name = model_intern(o->processes.model, text, strnlen(text,
	    bytes));
	struct tprof_processes_entry key = { .kind = TPROF_PROCESSES_THREAD,
	    .pid = n->a, .tid = n->b };
	struct tprof_processes_entry *own;

	if (name == NULL)
		return -ENOMEM;
	if (tprof_kind(n->flags) == TPROF_N_PROCESS)
		return note_tprof_process(o, n, name);
	key.program = current_program(o, n->a);
	own = add_tprof_process(o, &key);
	if (own == NULL)
		return -ENOMEM;
	own->name = name;
	return 0;
}

static int32_t
id_or_nobody(uint32_t id)
{
	return id <= INT32_MAX ? (int32_t)id : IMPORT_NO_PID;
}

static struct text
text_or_none(const char *name)
{
	return name == NULL || *name == '\0' ?
	    (struct text) { 0 } : text_of(name);
}

struct import_sample
tprof_processes_find(const struct tprof_processes *o, uint32_t pid,
    uint32_t tid)
{
	const struct tprof_processes_entry key = {
		.kind = TPROF_PROCESSES_THREAD, .pid = pid, .tid = tid,
		.program = current_program(o, pid),
	};
	const struct tprof_processes_entry *thread = find_tprof_process(o,
	    &key);

	return (struct import_sample) {
		.pid = id_or_nobody(pid), .tid = id_or_nobody(tid),
		.program = text_or_none(key.program),
		.thread = text_or_none(thread == NULL ? NULL : thread->name),
	};
}

/*
 * Fills in what is known of a process in the model; does nothing if no sample
 * was of it.  It can only be running now if its program is the last that its
 * pid executed.
 */
static void
fill_tprof_process(const struct tprof_processes *o,
    const struct tprof_processes_entry *own)
{
	struct model *m = o->processes.model;
	const struct import_sample s = {
		.pid = id_or_nobody(own->pid), .tid = IMPORT_NO_PID,
		.program = text_or_none(own->program),
	};
	const uint32_t n = import_processes_find(&o->processes, &s);
	struct model_process *p;

	if (n == MODEL_NONE)
		return;
	p = &m->processes[n];
	p->image = own->images;
	memcpy(p->boot_id, o->boot.boot_id, sizeof(p->boot_id));
	p->euid = own->uid;
	p->birth_real = own->birth;
	p->same_boot = o->booted && process_state_same_boot(p->boot_id);
	p->here = o->booted && process_state_is_local(&o->boot);
	if (p->here && own->birth != 0 &&
	    current_program(o, own->pid) == own->program &&
	    process_state_started_at(p->pid, own->birth))
		p->life = MODEL_RUNNING;
}

void
tprof_processes_finish(struct tprof_processes *o)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i].kind == TPROF_PROCESSES_IMAGE)
			fill_tprof_process(o, &o->all[i]);
	/* The second pass begins with no programs. */
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i].kind == TPROF_PROCESSES_CURRENT)
			o->all[i].name = NULL;
}

bool
tprof_processes_has(const struct tprof_processes *o, const char *name)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i].kind == TPROF_PROCESSES_IMAGE &&
		    strcmp(o->all[i].program, name) == 0)
			return true;
	return false;
}

void
tprof_processes_free(struct tprof_processes *o)
{
	import_processes_free(&o->processes);
	hash_index_free(&o->by_key);
	free(o->all);
}
