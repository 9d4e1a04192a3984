/* Context: O.  Processes and threads that a tprof.out names. */
#include "owners.h"

#include "alive.h"
#include "grow.h"
#include "image.h"

static uint32_t
hash_of(const struct owner *k)
{
	return finder_hash((uint64_t)k->pid << 32 ^ (uint64_t)k->kind << 30 ^
	    k->tid) ^ finder_hash((uintptr_t)k->program);
}

static struct owner *
find(const struct owners *o, const struct owner *k)
{
	const uint32_t hash = hash_of(k);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&o->by_key, hash, &at)) !=
	    FINDER_NONE;) {
		struct owner *own = &o->all[n];

		/* These texts are single copies. */
		if (own->kind == k->kind && own->pid == k->pid &&
		    own->tid == k->tid && own->program == k->program)
			return own;
	}
	return NULL;
}

static struct owner *
enter(struct owners *o, const struct owner *k)
{
	struct owner *own = find(o, k);

	if (own != NULL)
		return own;
	if (o->count >= FINDER_NONE - 1 || grow(&o->all, o->count, &o->room,
	    sizeof(*own)) != 0 || finder_add(&o->by_key, hash_of(k),
	    (uint32_t)o->count) != 0)
		return NULL;
	o->all[o->count] = *k;
	return &o->all[o->count++];
}

static const char *
program_of(const struct owners *o, uint32_t pid)
{
	const struct owner key = { .kind = OWNER_NOW, .pid = pid };
	const struct owner *now = find(o, &key);

	return now == NULL ? NULL : now->name;
}

void
owners_begin(struct owners *o, struct model *m)
{
	*o = (struct owners) { .whose = { .model = m, .images = true } };
}

/* Of a kernel thread a slash is part of its name. */
static int
note_process(struct owners *o, const struct tprof_note *n, const char *name)
{
	const char *last = *name != '/' ? name : image_program(name);
	struct owner key = { .kind = OWNER_NOW, .pid = n->a }, *own;

	own = enter(o, &key);
	key.kind = OWNER_IMAGE;
	key.program = model_text(o->whose.model, last, strlen(last));
	if (own == NULL || key.program == NULL)
		return -ENOMEM;
	own->name = key.program;
	if (find(o, &key) == NULL)
		key.images = own->images++;
	own = enter(o, &key);
	if (own == NULL)
		return -ENOMEM;
	own->uid = n->b;
	own->birth = n->d;
	return 0;
}

int
owners_note(struct owners *o, const struct tprof_note *n, const char *text,
    size_t bytes)
{
	const char *name = model_text(o->whose.model, text, strnlen(text,
	    bytes));
	struct owner key = { .kind = OWNER_THREAD, .pid = n->a, .tid = n->b };
	struct owner *own;

	if (name == NULL)
		return -ENOMEM;
	if (tprof_kind(n->flags) == TPROF_N_PROCESS)
		return note_process(o, n, name);
	key.program = program_of(o, n->a);
	own = enter(o, &key);
	if (own == NULL)
		return -ENOMEM;
	own->name = name;
	return 0;
}

static int32_t
number_of(uint32_t id)
{
	return id <= INT32_MAX ? (int32_t)id : IMPORT_NOBODY;
}

static struct text
text_or_none(const char *name)
{
	return name == NULL || *name == '\0' ?
	    (struct text) { .at = NULL } : text_of(name);
}

struct import_sample
owners_of(const struct owners *o, uint32_t pid, uint32_t tid)
{
	const struct owner key = {
		.kind = OWNER_THREAD, .pid = pid, .tid = tid,
		.program = program_of(o, pid),
	};
	const struct owner *thread = find(o, &key);

	return (struct import_sample) {
		.pid = number_of(pid), .tid = number_of(tid),
		.program = text_or_none(key.program),
		.thread = text_or_none(thread == NULL ? NULL : thread->name),
	};
}

/* Only what a pid runs in the end can be what it runs now. */
static void
settle(const struct owners *o, const struct owner *own)
{
	struct model *m = o->whose.model;
	const struct import_sample s = {
		.pid = number_of(own->pid), .tid = IMPORT_NOBODY,
		.program = text_or_none(own->program),
	};
	const uint32_t n = whose_process(&o->whose, &s);
	struct model_process *p;

	if (n == MODEL_NONE)
		return;
	p = &m->processes[n];
	p->image = own->images;
	memcpy(p->boot_id, o->boot.boot_id, sizeof(p->boot_id));
	p->euid = own->uid;
	p->birth_real = own->birth;
	p->same_boot = o->booted && alive_is_boot(p->boot_id);
	p->here = o->booted && alive_is_here(&o->boot);
	if (p->here && own->birth != 0 &&
	    program_of(o, own->pid) == own->program &&
	    alive_was_born(p->pid, own->birth))
		p->life = MODEL_RUNNING;
}

void
owners_settle(struct owners *o)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i].kind == OWNER_IMAGE)
			settle(o, &o->all[i]);
	/* It begins anew. */
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i].kind == OWNER_NOW)
			o->all[i].name = NULL;
}

bool
owners_run(const struct owners *o, const char *name)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i].kind == OWNER_IMAGE &&
		    strcmp(o->all[i].program, name) == 0)
			return true;
	return false;
}

void
owners_free(struct owners *o)
{
	whose_free(&o->whose);
	finder_free(&o->by_key);
	free(o->all);
}
