/*
 * Context: O.  Writes a tprof.out, for recorder.c, libmon/profiles_write.c and
 * both backends of tprof monitor; see tprof_writer.h.
 */
#include "tprof_writer.h"

#include "base/vector.h"

#include <string.h>

static void
put_record(struct tprof_writer *p, const struct tprof_record *r)
{
	unsigned char bytes[TPROF_RECORD];

	tprof_put_record(bytes, r);
	fwrite(bytes, 1, sizeof(bytes), p->out);
}

static void
put_note(struct tprof_writer *p, enum tprof_kind kind,
    const struct tprof_note *n)
{
	const struct tprof_record r = {
		.pid = n->a, .lwp = n->b, .cpu = n->c, .pc = n->d,
		.flags = n->flags | TPROF_F_NOTE |
		    (uint32_t)kind << TPROF_KIND_SHIFT,
	};

	put_record(p, &r);
}

/* Writes a note and its text, of at most TPROF_TEXT_MAX bytes. */
static void
put_text(struct tprof_writer *p, enum tprof_kind kind, struct tprof_note n,
    const char *text, size_t bytes)
{
	if (bytes > TPROF_TEXT_MAX)
		bytes = TPROF_TEXT_MAX;
	n.c = (uint32_t)bytes;
	put_note(p, kind, &n);
	for (size_t at = 0; at < bytes; at += TPROF_TEXT_EACH) {
		unsigned char own[TPROF_RECORD];

		tprof_put_text(own, text + at, (uint32_t)(bytes - at));
		fwrite(own, 1, sizeof(own), p->out);
	}
}

void
tprof_writer_begin(struct tprof_writer *p, FILE *out, const char *head,
    uint64_t real)
{
	const struct tprof_note n = {
		.a = TPROF_MAGIC, .b = TPROF_VERSION, .d = real,
	};

	*p = (struct tprof_writer) { .out = out };
	put_text(p, TPROF_N_HEAD, n, head, strlen(head));
}

void
tprof_writer_event(struct tprof_writer *p, uint32_t number, const char *name,
    bool ns, uint64_t period)
{
	const struct tprof_note n = { .a = number, .b = ns, .d = period };

	put_text(p, TPROF_N_EVENT, n, name, strlen(name));
}

void
tprof_writer_process(struct tprof_writer *p, uint32_t pid, uint32_t uid,
    uint64_t birth, const char *program)
{
	const struct tprof_note n = { .a = pid, .b = uid, .d = birth };

	put_text(p, TPROF_N_PROCESS, n, program, strlen(program));
}

void
tprof_writer_thread(struct tprof_writer *p, uint32_t pid, uint32_t tid,
    const char *name)
{
	const struct tprof_note n = { .a = pid, .b = tid };

	put_text(p, TPROF_N_THREAD, n, name, strlen(name));
}

uint32_t
tprof_writer_module(struct tprof_writer *p, const struct tprof_module *m,
    uint32_t flags, uint64_t bias)
{
	const struct tprof_note n = {
		.a = ++p->modules, .b = flags, .d = bias,
	};
	char text[2 * 32 + 3 * 21 + 4096 + 8];
	size_t bytes = tprof_module_put(m, text, sizeof(text));

	if (bytes > sizeof(text))
		bytes = sizeof(text);
	put_text(p, TPROF_N_MODULE, n, text, bytes);
	return p->modules;
}

static uint32_t
hash_of(const struct tprof_writer_key *k)
{
	return hash_index_hash(k->address ^ (uint64_t)hash_index_hash(
	    (uint64_t)k->caller << 32 | k->module) << 20 ^
	    (uint64_t)k->pid << 40 ^ (uint64_t)k->flags << 12);
}

static bool
same_key(const struct tprof_writer_key *a, const struct tprof_writer_key *b)
{
	return a->caller == b->caller && a->module == b->module &&
	    a->pid == b->pid && a->flags == b->flags &&
	    a->address == b->address;
}

/*
 * Notes the address of a kernel function whose name will be needed.  Returns 0
 * or -ENOMEM.
 */
static int
note_kernel(struct tprof_writer *p, const struct tprof_writer_key *k)
{
	const uint64_t address = k->address -
	    ((k->flags & TPROF_F_CALLER) != 0);
	const uint32_t hash = hash_index_hash(address);
	uint32_t n;

	if ((k->flags & TPROF_F_KERNEL) == 0)
		return 0;
	for (size_t at = hash; (n = hash_index_next(&p->by_address, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (p->kernel[n] == address)
			return 0;
	if (vector_grow(&p->kernel, p->kernel_count, &p->kernel_room,
	    sizeof(address)) != 0 || hash_index_add(&p->by_address, hash,
	    (uint32_t)p->kernel_count) != 0)
		return -ENOMEM;
	p->kernel[p->kernel_count++] = address;
	return 0;
}

/*
 * Forgets all nodes if there are too many.  Not within a stack: its frames
 * refer to nodes by number.
 */
static void
forget_nodes(struct tprof_writer *p)
{
	if (p->node_count < TPROF_WRITER_NODES)
		return;
	p->forgotten += (uint32_t)p->node_count;
	p->node_count = 0;
	hash_index_free(&p->by_key);
}

/* Returns the number of a node and writes it if it is new; 0 without memory. */
static uint32_t
node_of(struct tprof_writer *p, const struct tprof_writer_key *k)
{
	const uint32_t hash = hash_of(k);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&p->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (same_key(&p->nodes[n], k))
			return p->forgotten + n + 1;
	if (p->node_count >= UINT32_MAX - 1 - p->forgotten ||
	    vector_grow(&p->nodes, p->node_count, &p->node_room,
	    sizeof(*k)) != 0 || note_kernel(p, k) != 0 ||
	    hash_index_add(&p->by_key, hash, (uint32_t)p->node_count) != 0)
		return 0;
	p->nodes[p->node_count++] = *k;
	put_note(p, TPROF_N_NODE, &(struct tprof_note) {
		.a = k->caller, .b = k->module, .c = k->pid, .d = k->address,
		.flags = k->flags });
	return p->forgotten + (uint32_t)p->node_count;
}

/*
 * Writes the new nodes of a stack.  Returns the innermost node; 0 if there is
 * no frame, or no memory.
 */
static uint32_t
stack_of(struct tprof_writer *p, const struct tprof_writer_sample *s)
{
	uint32_t node = 0;

	forget_nodes(p);
	for (size_t i = s->depth; i-- > 0;) {
		const struct tprof_writer_frame *f = &s->frames[i];
		const struct tprof_writer_key k = {
			.caller = node, .module = f->module,
			.flags = f->flags, .address = f->address,
			.pid = f->module == 0 && (f->flags &
			    (TPROF_F_KERNEL | TPROF_F_CUT)) == 0 ? s->pid : 0,
		};

		node = node_of(p, &k);
		if (node == 0) {
			p->out_of_memory = true;
			return 0;
		}
	}
	return node;
}

uint32_t
tprof_writer_sample(struct tprof_writer *p, const struct tprof_writer_sample *s)
{
	const struct tprof_record r = {
		.pid = s->pid, .lwp = s->tid, .cpu = s->cpu, .pc = s->pc,
		.flags = (s->kernel ? TPROF_F_KERNEL : 0) |
		    s->event << TPROF_KIND_SHIFT,
	};
	const struct tprof_note place = {
		.a = s->node != 0 ? s->node : stack_of(p, s),
		.b = (uint32_t)s->weight,
		.c = (uint32_t)(s->weight >> 32), .d = s->time,
	};

	put_record(p, &r);
	put_note(p, TPROF_N_PLACE, &place);
	return place.a;
}

void
tprof_writer_name(struct tprof_writer *p, uint64_t start, uint32_t bytes,
    const char *name)
{
	const struct tprof_note n = { .b = bytes, .d = start };

	put_text(p, TPROF_N_NAME, n, name, strlen(name));
}

void
tprof_writer_loss(struct tprof_writer *p, uint64_t samples, const char *how)
{
	const struct tprof_note n = { .d = samples };

	put_text(p, TPROF_N_LOSS, n, how, strlen(how));
}

void
tprof_writer_count(struct tprof_writer *p, uint32_t event, uint32_t cpu,
    uint64_t value)
{
	put_note(p, TPROF_N_COUNT, &(struct tprof_note) {
		.a = event, .b = cpu, .d = value });
}

int
tprof_writer_end(struct tprof_writer *p, int status, uint64_t now,
    struct fault *f)
{
	for (uint32_t i = 0; i < TPROF_STATS; i++)
		put_note(p, TPROF_N_STAT, &(struct tprof_note) {
			.a = i, .d = p->stats[i] });
	put_note(p, TPROF_N_END, &(struct tprof_note) {
		.a = (uint32_t)status, .d = now });
	if (fflush(p->out) != 0 || ferror(p->out))
		return fault_set(f, "cannot be written", FAULT_NO_OFFSET,
		    errno != 0 ? errno : EIO);
	return p->out_of_memory ? fault_set(f, "out of memory: some stacks "
	    "are missing", FAULT_NO_OFFSET, ENOMEM) : 0;
}

void
tprof_writer_free(struct tprof_writer *p)
{
	free(p->nodes);
	free(p->kernel);
	hash_index_free(&p->by_key);
	hash_index_free(&p->by_address);
	*p = (struct tprof_writer) { 0 };
}
