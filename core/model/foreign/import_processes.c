/*
 * Context: O.  Finds the processes and threads that a file of another profiler
 * names, and adds them to the model, for the readers of such files and of
 * tprof.out; see import_processes.h.
 */
#include "foreign/import_processes.h"

#include "base/vector.h"

/*
 * Returns the pid of a sample.  If a file names only threads, all of them are
 * of one process, 0.
 */
static int32_t
sample_pid(const struct import_sample *s)
{
	return s->pid != IMPORT_NO_PID ? s->pid : 0;
}

/* Returns whether the file names the process or the thread of the sample. */
static bool
has_process(const struct import_sample *s)
{
	return s->pid != IMPORT_NO_PID || s->tid != IMPORT_NO_PID;
}

static struct text
sample_program(const struct import_sample *s)
{
	return s->program.at != NULL ? s->program : text_of("-");
}

static uint32_t
hash_import_process(const struct import_processes *w,
    const struct import_sample *s)
{
	const struct text program = sample_program(s);
	const uint32_t pid = hash_index_hash((uint64_t)sample_pid(s));

	return w->images ? pid ^ hash_index_hash_bytes(program.at,
	    program.bytes) : pid;
}

static bool
is_import_process(const struct import_processes *w, uint32_t process,
    const struct import_sample *s)
{
	const struct model_process *p = &w->model->processes[process];

	return p->pid == sample_pid(s) && (!w->images ||
	    text_equal_str(sample_program(s), p->program));
}

uint32_t
import_processes_find(const struct import_processes *w,
    const struct import_sample *s)
{
	const uint32_t hash = hash_import_process(w, s);
	uint32_t n;

	if (!has_process(s))
		return MODEL_NONE;
	for (size_t at = hash; (n = hash_index_next(&w->by_pid, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (is_import_process(w, n, s))
			return n;
	return MODEL_NONE;
}

/* Adds the process of a sample to the model.  Returns 0 or -ENOMEM. */
static int
add_import_process(struct import_processes *w, const struct import_sample *s)
{
	struct model *m = w->model;
	const int32_t pid = sample_pid(s);

	if (m->process_count >= HASH_INDEX_NONE - 1 ||
	    vector_grow(&m->processes, m->process_count, &m->process_room,
	    sizeof(*m->processes)) != 0 || hash_index_add(&w->by_pid,
	    hash_import_process(w, s), (uint32_t)m->process_count) != 0)
		return -ENOMEM;
	m->processes[m->process_count++] = (struct model_process) {
		.pid = pid, .program = "-", .foreign = true,
	};
	return 0;
}

/* The last name is used: it is that of the program executed last. */
int
import_processes_note(struct import_processes *w, const struct import_sample *s)
{
	struct model_process *p;
	uint32_t process = import_processes_find(w, s);
	const char *program;

	if (!has_process(s))
		return 0;
	if (process == MODEL_NONE) {
		if (add_import_process(w, s) != 0)
			return -ENOMEM;
		process = (uint32_t)w->model->process_count - 1;
	}
	p = &w->model->processes[process];
	if (s->program.at == NULL || (strlen(p->program) == s->program.bytes &&
	    memcmp(p->program, s->program.at, s->program.bytes) == 0))
		return 0;
	program = model_intern(w->model, s->program.at, s->program.bytes);
	if (program != NULL)
		p->program = program;
	return program == NULL ? -ENOMEM : 0;
}

static uint32_t
hash_import_thread(uint32_t process, int32_t tid)
{
	return hash_index_hash((uint64_t)process << 32 | (uint32_t)tid);
}

/* Adds the thread of a sample to the model.  Returns 0 or -ENOMEM. */
static int
add_import_thread(struct import_processes *w, uint32_t process,
    const struct import_sample *s)
{
	struct model *m = w->model;
	struct format_thread *t;

	if (m->thread_count >= HASH_INDEX_NONE - 1 || vector_grow(&m->threads,
	    m->thread_count, &m->thread_room, sizeof(*m->threads)) != 0 ||
	    hash_index_add(&w->by_tid, hash_import_thread(process, s->tid),
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
import_processes_thread(struct import_processes *w,
    const struct import_sample *s, uint32_t *thread)
{
	const uint32_t process = import_processes_find(w, s);
	const uint32_t hash = hash_import_thread(process, s->tid);

	*thread = MODEL_NONE;
	if (s->tid == IMPORT_NO_PID)
		return 0;
	for (size_t at = hash; (*thread = hash_index_next(&w->by_tid, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (w->model->threads[*thread].process == process &&
		    w->model->threads[*thread].thread.tid == s->tid)
			return 0;
	*thread = (uint32_t)w->model->thread_count;
	return add_import_thread(w, process, s);
}

/* Returns whether the filter selects the thread, by name or number. */
static bool
import_thread_selected(const struct filter *f, const struct import_sample *s)
{
	char name[16 + 1] = "";

	if (!filter_is_on(f, FILTER_THREAD))
		return true;
	if (s->thread.at != NULL)
		memcpy(name, s->thread.at, s->thread.bytes < 16 ?
		    s->thread.bytes : 16);
	return (*name != '\0' && filter_match_text(f, FILTER_THREAD, name)) ||
	    (s->tid != IMPORT_NO_PID &&
	    filter_match_number(f, FILTER_THREAD, s->tid));
}

bool
import_processes_selected(const struct import_processes *w,
    const struct import_sample *s)
{
	struct model *m = w->model;
	const struct filter *f = m->filter;
	const uint32_t process = import_processes_find(w, s);

	if (filter_is_on(f, FILTER_PID) && (s->pid == IMPORT_NO_PID ||
	    !filter_match_number(f, FILTER_PID, s->pid)))
		return false;
	m->met[FILTER_PID] = true;
	if (filter_is_on(f, FILTER_PROGRAM) && (process == MODEL_NONE ||
	    !filter_match_text(f, FILTER_PROGRAM,
	    m->processes[process].program)))
		return false;
	m->met[FILTER_PROGRAM] = true;
	if (!import_thread_selected(f, s))
		return false;
	m->met[FILTER_THREAD] = true;
	return true;
}

void
import_processes_free(struct import_processes *w)
{
	hash_index_free(&w->by_pid);
	hash_index_free(&w->by_tid);
}
