/* Context: O.  Profile files made in memory, for tests. */
#include "build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND	1000000000ull

struct format_header *
build_header(struct build *b)
{
	return (struct format_header *)b->bytes;
}

size_t
build_size(struct build *b)
{
	return build_header(b)->used & ~(uint64_t)FORMAT_CLOSED;
}

void *
build_at(struct build *b, uint32_t index)
{
	return b->bytes + (size_t)index * FORMAT_UNIT;
}

struct format_module *
build_module_at(struct build *b, uint32_t index)
{
	return build_at(b, index);
}

struct format_thread *
build_thread_at(struct build *b, uint32_t index)
{
	return build_at(b, index);
}

struct format_node *
build_node_at(struct build *b, uint32_t index)
{
	return build_at(b, index);
}

static void
room(struct build *b, size_t bytes)
{
	size_t want = b->room != 0 ? b->room : FORMAT_STEP;

	while (want < bytes)
		want *= 2;
	if (want == b->room)
		return;
	b->bytes = realloc(b->bytes, want);
	if (b->bytes == NULL)
		abort();
	memset(b->bytes + b->room, 0, want - b->room);
	b->room = want;
}

uint32_t
build_take(struct build *b, size_t bytes)
{
	uint64_t at = build_size(b);
	uint64_t end = (at + bytes + FORMAT_UNIT - 1) & -(uint64_t)FORMAT_UNIT;

	if (end > build_header(b)->cap)
		abort();
	room(b, end);
	build_header(b)->used = end;
	build_header(b)->ready = b->room;
	return (uint32_t)(at / FORMAT_UNIT);
}

uint32_t
build_text(struct build *b, const void *bytes, uint32_t length)
{
	uint32_t index = build_take(b, sizeof(struct format_text) + length);
	struct format_text *t = build_at(b, index);

	t->bytes = length;
	memcpy(t->text, bytes, length);
	return index;
}

uint32_t
build_string(struct build *b, const char *string)
{
	return build_text(b, string, (uint32_t)strlen(string));
}

/* 2023-11-14 22:13:20 UTC, when the machine was up for 1000 s. */
static void
header_times(struct format_header *h)
{
	h->birth_real = 1700000000 * SECOND;
	h->birth_mono = 1000 * SECOND;
	h->start_ticks = 100000;
	h->run_start = h->start_ticks;
	h->tick_ns = 4000000;
	h->period_ns = 1013700;
	h->budget_ns = 2 * SECOND;
}

void
build_init(struct build *b)
{
	struct format_header *h;

	*b = (struct build){0};
	room(b, FORMAT_HEADER);
	h = build_header(b);
	memcpy(h->magic, FORMAT_MAGIC, sizeof h->magic);
	h->version = FORMAT_VERSION;
	h->header_bytes = FORMAT_HEADER;
	h->machine = 62;	/* EM_X86_64 */
	h->address_bits = 64;
	h->cap = BUILD_CAP;
	h->used = FORMAT_HEADER;
	h->ready = b->room;
	h->pid = h->run_pid = 4242;
	h->ppid = 4241;
	h->uid = h->euid = 1000;
	h->pid_namespace = 4026531836;	/* the initial one: PROC_PID_INIT_INO */
	memcpy(h->boot_id, "0123456789abcdef", sizeof h->boot_id);
	h->image = 1;
	h->signal = 27;		/* SIGPROF */
	h->library = 1 << 16;	/* 0.1.0 */
	h->exit_status = -1;
	h->coarse_seen = 1 << FORMAT_COARSE_CPU;
	h->fine_seen = 1 << FORMAT_FINE_NEVER;
	header_times(h);
	h->state = FORMAT_LIVE;
	build_header(b)->exe = build_string(b, "/usr/bin/prog");
	build_header(b)->cmdline = build_text(b, "prog\0-x", 8);
	build_header(b)->host = build_string(b, "host");
}

void
build_here(struct build *b)
{
	FILE *in = fopen("/proc/sys/kernel/random/boot_id", "r");
	struct stat st;

	if (in == NULL || stat("/proc/self/ns/pid", &st) != 0)
		abort();
	build_header(b)->pid_namespace = st.st_ino;
	for (int i = 0; i < 16; i++)
		if (fscanf(in, "%2hhx%*[-]",
		    &build_header(b)->boot_id[i]) < 1)
			abort();
	fclose(in);
}

void
build_fini(struct build *b)
{
	free(b->bytes);
	*b = (struct build){0};
}

uint32_t
build_module(struct build *b, const char *path, uint64_t start, uint64_t end)
{
	uint32_t text = build_string(b, path);
	uint32_t index = build_take(b, sizeof(struct format_module));
	struct format_module *m = build_module_at(b, index);

	*m = (struct format_module){
		.next = build_header(b)->modules,
		.path = text,
		.start = start,
		.end = end,
		.load_mono = build_header(b)->birth_mono,
		.flags = build_header(b)->modules == 0 ? FORMAT_M_MAIN : 0,
	};
	build_header(b)->modules = index;
	return index;
}

uint32_t
build_thread(struct build *b, int tid, const char *name)
{
	uint32_t root = build_take(b, sizeof(struct format_node));
	uint32_t index = build_take(b, sizeof(struct format_thread));
	struct format_thread *t = build_thread_at(b, index);

	*t = (struct format_thread){
		.next = build_header(b)->threads,
		.root = root,
		.tid = tid,
		.flags = tid == build_header(b)->pid ? FORMAT_T_MAIN : 0,
		.start_mono = build_header(b)->birth_mono,
		.coarse = FORMAT_COARSE_CPU,
		.members = 1,
	};
	memcpy(t->name, name, strnlen(name, sizeof t->name));
	build_header(b)->threads = index;
	return index;
}

uint32_t
build_root(struct build *b, uint32_t thread)
{
	return build_thread_at(b, thread)->root;
}

uint32_t
build_node(struct build *b, uint32_t parent, enum format_kind kind,
    uint32_t module, uint64_t address, uint64_t count, uint64_t ns)
{
	uint32_t index = build_take(b, sizeof(struct format_node));
	struct format_node *n = build_node_at(b, index);

	*n = (struct format_node){
		.parent = parent,
		.sibling = build_node_at(b, parent)->child,
		.module = module,
		.address = address,
		.kind = kind,
		.count = count,
		.ns = ns,
	};
	build_node_at(b, parent)->child = index;
	return index;
}

uint32_t
build_arcs(struct build *b, uint32_t room)
{
	uint32_t index = build_take(b, sizeof(struct format_arcs) +
	    room * sizeof(struct format_arc));
	struct format_arcs *block = build_at(b, index);

	block->next = build_header(b)->arcs;
	block->room = room;
	build_header(b)->arcs = index;
	return index;
}

void
build_arc(struct build *b, uint32_t self_module, uint64_t self,
    uint32_t from_module, uint64_t from, uint64_t count)
{
	struct format_arcs *block = build_at(b, build_header(b)->arcs);
	uint32_t i = 0;

	while (i < block->room && block->arc[i].self != 0)
		i++;
	if (i == block->room)
		abort();
	block->arc[i] = (struct format_arc){self, from, count, self_module,
	    from_module};
}

uint32_t
build_names(struct build *b, uint32_t module,
    const struct format_place *places, uint32_t count,
    const struct format_scope *scopes, uint32_t scope_count)
{
	const size_t bytes = count * sizeof(*places);
	uint32_t index = build_take(b, sizeof(struct format_names) + bytes +
	    scope_count * sizeof(*scopes));
	struct format_names *block = build_at(b, index);

	if (build_header(b)->names_at == 0)
		build_header(b)->names_at = (uint64_t)index * FORMAT_UNIT;
	*block = (struct format_names) {
		.next = build_header(b)->names, .module = module,
		.places = count, .scopes = scope_count,
	};
	memcpy(block + 1, places, bytes);
	memcpy((char *)(block + 1) + bytes, scopes,
	    scope_count * sizeof(*scopes));
	build_header(b)->names = index;
	return index;
}

uint32_t
build_moments(struct build *b, uint32_t thread,
    const struct format_logged_tick *moments, uint32_t count)
{
	uint32_t index = build_take(b, sizeof(struct format_tick_log) +
	    2 * count * sizeof(*moments));
	struct format_tick_log *block = build_at(b, index);

	*block = (struct format_tick_log) {
		.next = build_header(b)->moments, .thread = thread,
		.room = 2 * count,
	};
	memcpy(block->moment, moments, count * sizeof(*moments));
	build_header(b)->moments = index;
	return index;
}

uint32_t
build_base(struct build *b, const struct format_baseline *base,
    const struct format_baseline_word *words)
{
	uint32_t index = build_take(b, sizeof(*base) +
	    base->words * sizeof(*words));
	struct format_baseline *at = build_at(b, index);

	*at = *base;
	memcpy(at->word, words, base->words * sizeof(*words));
	build_header(b)->base = index;
	return index;
}

void
build_loss(struct build *b, enum loss loss, uint64_t count)
{
	build_header(b)->loss[loss] += count;
}

void
build_seal(struct build *b, enum format_end end, int exit_status)
{
	struct format_header *h = build_header(b);

	h->end = end;
	h->exit_status = exit_status;
	h->end_real = h->birth_real + 10 * SECOND;
	h->end_mono = h->birth_mono + 10 * SECOND;
	h->cpu_mono = h->end_mono;
	h->cpu_ns = h->user_ns + h->system_ns;
	h->used |= FORMAT_CLOSED;
	h->state = FORMAT_SEALED;
}

int
build_save(struct build *b, const char *path)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	const struct format_header *h = build_header(b);
	size_t used = build_size(b);
	off_t size = (off_t)(h->state == FORMAT_SEALED ? used : h->cap);
	ssize_t put;
	int error = 0;

	if (fd < 0)
		return -errno;
	put = write(fd, b->bytes, used);
	if (put < 0 || ftruncate(fd, size) != 0)
		error = -errno;
	else if ((size_t)put != used)
		error = -ENOSPC;
	if (close(fd) != 0 && error == 0)
		error = -errno;
	return error;
}
