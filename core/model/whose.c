/* Context: O.  Processes and threads that a file of another profiler tells. */
#include "whose.h"

#include "grow.h"

/* Where only the thread is told, those of a file are of one process, 0. */
static int32_t
pid_of(const struct import_sample *s)
{
	return s->pid != IMPORT_NOBODY ? s->pid : 0;
}

static bool
is_told(const struct import_sample *s)
{
	return s->pid != IMPORT_NOBODY || s->tid != IMPORT_NOBODY;
}

static struct text
program_of(const struct import_sample *s)
{
	return s->program.at != NULL ? s->program : text_of("-");
}

static uint32_t
hash_of(const struct whose *w, const struct import_sample *s)
{
	const struct text program = program_of(s);
	const uint32_t pid = finder_hash((uint64_t)pid_of(s));

	return w->images ? pid ^ finder_hash_bytes(program.at,
	    program.bytes) : pid;
}

static bool
is_it(const struct whose *w, uint32_t process, const struct import_sample *s)
{
	const struct model_process *p = &w->model->processes[process];

	return p->pid == pid_of(s) && (!w->images || text_is(program_of(s),
	    p->program));
}

uint32_t
whose_process(const struct whose *w, const struct import_sample *s)
{
	const uint32_t hash = hash_of(w, s);
	uint32_t n;

	if (!is_told(s))
		return MODEL_NONE;
	for (size_t at = hash; (n = finder_next(&w->by_pid, hash, &at)) !=
	    FINDER_NONE;)
		if (is_it(w, n, s))
			return n;
	return MODEL_NONE;
}

static int
add_process(struct whose *w, const struct import_sample *s)
{
	struct model *m = w->model;
	const int32_t pid = pid_of(s);

	if (m->process_count >= FINDER_NONE - 1 || grow(&m->processes,
	    m->process_count, &m->process_room, sizeof(*m->processes)) != 0 ||
	    finder_add(&w->by_pid, hash_of(w, s),
	    (uint32_t)m->process_count) != 0)
		return -ENOMEM;
	m->processes[m->process_count++] = (struct model_process) {
		.pid = pid, .program = "-", .foreign = true,
	};
	return 0;
}

/* The last name is that of what it executed last. */
int
whose_note(struct whose *w, const struct import_sample *s)
{
	struct model_process *p;
	uint32_t process = whose_process(w, s);
	const char *program;

	if (!is_told(s))
		return 0;
	if (process == MODEL_NONE) {
		if (add_process(w, s) != 0)
			return -ENOMEM;
		process = (uint32_t)w->model->process_count - 1;
	}
	p = &w->model->processes[process];
	if (s->program.at == NULL || (strlen(p->program) == s->program.bytes &&
	    memcmp(p->program, s->program.at, s->program.bytes) == 0))
		return 0;
	program = model_text(w->model, s->program.at, s->program.bytes);
	if (program != NULL)
		p->program = program;
	return program == NULL ? -ENOMEM : 0;
}

static uint32_t
thread_hash(uint32_t process, int32_t tid)
{
	return finder_hash((uint64_t)process << 32 | (uint32_t)tid);
}

static int
add_thread(struct whose *w, uint32_t process, const struct import_sample *s)
{
	struct model *m = w->model;
	struct format_thread *t;

	if (m->thread_count >= FINDER_NONE - 1 || grow(&m->threads,
	    m->thread_count, &m->thread_room, sizeof(*m->threads)) != 0 ||
	    finder_add(&w->by_tid, thread_hash(process, s->tid),
	    (uint32_t)m->thread_count) != 0)
		return -ENOMEM;
	m->threads[m->thread_count] = (struct model_thread) {
		.process = process, .thread = { .tid = s->tid, .members = 1 },
	};
	t = &m->threads[m->thread_count++].thread;
	if (s->thread.at != NULL)
		memcpy(t->name, s->thread.at, s->thread.bytes <
		    sizeof(t->name) ? s->thread.bytes : sizeof(t->name));
	return 0;
}

int
whose_thread(struct whose *w, const struct import_sample *s, uint32_t *thread)
{
	const uint32_t process = whose_process(w, s);
	const uint32_t hash = thread_hash(process, s->tid);

	*thread = MODEL_NONE;
	if (s->tid == IMPORT_NOBODY)
		return 0;
	for (size_t at = hash; (*thread = finder_next(&w->by_tid, hash, &at)) !=
	    FINDER_NONE;)
		if (w->model->threads[*thread].process == process &&
		    w->model->threads[*thread].thread.tid == s->tid)
			return 0;
	*thread = (uint32_t)w->model->thread_count;
	return add_thread(w, process, s);
}

static bool
wants_thread(const struct filter *f, const struct import_sample *s)
{
	char name[16 + 1] = "";

	if (!filter_is_on(f, FILTER_THREAD))
		return true;
	if (s->thread.at != NULL)
		memcpy(name, s->thread.at, s->thread.bytes < 16 ?
		    s->thread.bytes : 16);
	return (*name != '\0' && filter_text(f, FILTER_THREAD, name)) ||
	    (s->tid != IMPORT_NOBODY &&
	    filter_number(f, FILTER_THREAD, s->tid));
}

bool
whose_wants(const struct whose *w, const struct import_sample *s)
{
	struct model *m = w->model;
	const struct filter *f = m->filter;
	const uint32_t process = whose_process(w, s);

	if (filter_is_on(f, FILTER_PID) && (s->pid == IMPORT_NOBODY ||
	    !filter_number(f, FILTER_PID, s->pid)))
		return false;
	m->met[FILTER_PID] = true;
	if (filter_is_on(f, FILTER_PROGRAM) && (process == MODEL_NONE ||
	    !filter_text(f, FILTER_PROGRAM, m->processes[process].program)))
		return false;
	m->met[FILTER_PROGRAM] = true;
	if (!wants_thread(f, s))
		return false;
	m->met[FILTER_THREAD] = true;
	return true;
}

void
whose_free(struct whose *w)
{
	finder_free(&w->by_pid);
	finder_free(&w->by_tid);
}
