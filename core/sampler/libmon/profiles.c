/*
 * Context: O.  Reads profiles of libmon.so, for backend_preload_end(); see
 * profiles.h.
 */
#include "libmon/profiles.h"

#include "decode/header.h"
#include "libmon/profiles_modules.h"
#include "libmon/profiles_find.h"
#include "sample_scale.h"
#include "base/vector.h"

#include <string.h>

/* State while one profile is read: its records, and what they became. */
struct profile_reading {
	struct profiles *to;
	struct decode *from;
	struct fault *fault;
	struct profiles_modules known;
	uint32_t *frames;	/* 1 + index of the frame of each node */
	uint32_t *places;	/* 1 + index of the place of each node */
	struct sample_scale scale;
	uint64_t ns;		/* CPU time of its nodes */
};

/* Returns whether a node is a frame alone, which counts nothing itself. */
static bool
is_caller(const struct format_node *n)
{
	return n->kind == FORMAT_FRAME || n->kind == FORMAT_INTERRUPTED ||
	    n->kind == FORMAT_CUT;
}

/* Returns the frame of a node.  *bias: the load bias of its module. */
static struct tprof_writer_frame
frame_of(const struct profile_reading *x, const struct format_node *n,
    uint64_t *bias)
{
	const struct profiles_known k = profiles_modules_find(&x->known,
	    n->module);
	struct tprof_writer_frame f = { .module = k.module, .address =
	    n->address };

	*bias = k.bias;
	if (n->kind == FORMAT_CUT) {
		f.flags = TPROF_F_CUT;
		f.module = 0;
	} else if (n->kind == FORMAT_KFUNC) {
		f.flags = TPROF_F_KERNEL;
		f.address += k.bias;
		f.module = 0;
		*bias = 0;
	} else if (n->kind == FORMAT_FRAME ||
	    n->kind == FORMAT_KERNEL || n->kind == FORMAT_SLEEP) {
		f.flags = TPROF_F_CALLER;
	}
	return f;
}

/* Adds a frame.  Returns 1 + its index; 0 without memory. */
static uint32_t
add_frame(struct profiles *p, uint32_t caller,
    const struct tprof_writer_frame *f)
{
	if (p->frame_count >= UINT32_MAX - 1 || vector_grow(&p->frames,
	    p->frame_count, &p->frame_room, sizeof(*p->frames)) != 0)
		return 0;
	p->frames[p->frame_count++] = (struct profiles_frame) {
		.caller = caller, .frame = *f,
	};
	return (uint32_t)p->frame_count;
}

/*
 * Adds the frame of node number `index`.  Returns 0, or -ENOMEM with *x->fault
 * set.
 */
static int
read_caller(struct profile_reading *x, uint32_t index,
    const struct format_node *n)
{
	uint64_t bias;
	const struct tprof_writer_frame f = frame_of(x, n, &bias);

	x->frames[index] = x->frames[n->parent];
	/* Skip frames of libmon.so between the program and libc. */
	if (f.module != 0 && (x->to->modules[f.module - 1].kind &
	    FORMAT_M_OURS) != 0)
		return 0;
	x->frames[index] = add_frame(x->to, x->frames[n->parent], &f);
	return x->frames[index] != 0 ? 0 : fault_set_no_memory(x->fault);
}

/* Returns whether a node has counted samples at a place. */
static bool
is_place(const struct format_node *n)
{
	return (n->kind == FORMAT_USER || n->kind == FORMAT_KERNEL ||
	    n->kind == FORMAT_KFUNC || n->kind == FORMAT_SLEEP) &&
	    (n->count != 0 || n->ns != 0);
}

/* Adds time that is counted without a place. */
static void
add_time(struct profile_reading *x, const struct format_node *n)
{
	const uint64_t ns = sample_scale_ns(&x->scale, n->kind, n->ns);

	if (n->kind == FORMAT_SLEEP || format_has_heap(n->kind) ||
	    (n->kind == FORMAT_UNWATCHED && n->address != 0))
		return;
	x->ns += ns;
	if (n->kind == FORMAT_PAUSED)
		x->to->paused_ns += ns;
	if (n->kind == FORMAT_UNWATCHED)
		x->to->elsewhere_ns += ns;
}

/*
 * Adds a node: a frame, a place, or time without a place.  A decode_visit.
 * Returns 0, or -ENOMEM with *x->fault set.
 */
static int
read_node(void *arg, uint32_t index, const struct format_node *n)
{
	struct profile_reading *x = arg;
	struct profiles *p = x->to;
	struct profiles_place own = {
		.thread = (uint32_t)p->thread_count - 1,
		.event = n->kind == FORMAT_SLEEP ? PROFILES_SLEEP :
		    PROFILES_CPU,
		.kernel = n->kind == FORMAT_KFUNC,
		.kind = n->kind,
		.count = n->count,
		.ns = sample_scale_ns(&x->scale, n->kind, n->ns),
	};
	struct tprof_writer_frame f;
	uint64_t bias;

	if (is_caller(n))
		return read_caller(x, index, n);
	add_time(x, n);
	if (!is_place(n))
		return 0;
	f = frame_of(x, n, &bias);
	own.pc = f.address + bias;
	own.frame = add_frame(p, x->frames[n->parent], &f);
	if (own.frame == 0 || p->place_count >= UINT32_MAX - 1 ||
	    vector_grow(&p->places, p->place_count, &p->place_room,
	    sizeof(own)) != 0)
		return fault_set_no_memory(x->fault);
	p->places[p->place_count++] = own;
	x->places[index] = (uint32_t)p->place_count;
	return 0;
}

/*
 * Reads the threads and their calling-context trees.  Returns 0, or -errno with
 * *x->fault set.
 */
static int
read_threads(struct profile_reading *x)
{
	struct profiles *p = x->to;
	struct format_thread t;
	uint32_t cursor = 0;
	int got;

	while ((got = decode_thread(x->from, &cursor, &t, x->fault)) == 1) {
		struct profiles_thread own = {
			.process = (uint32_t)p->process_count - 1,
			.tid = (uint32_t)t.tid,
		};

		memcpy(own.name, t.name, sizeof(t.name));
		if (vector_grow(&p->threads, p->thread_count, &p->thread_room,
		    sizeof(own)) != 0)
			return fault_set_no_memory(x->fault);
		p->threads[p->thread_count++] = own;
		got = decode_tree(x->from, t.root, read_node, x, x->fault);
		if (got != 0)
			return got;
	}
	return got;
}

/*
 * Adds a logged tick.  A tick beyond what its place counts is dropped: both are
 * still being counted while they are read.
 */
static int
read_moment(void *arg, uint32_t thread, const struct format_logged_tick *m)
{
	struct profile_reading *x = arg;
	struct profiles *p = x->to;
	struct profiles_moment own = { .time = m->mono, .ns = m->ns };
	struct profiles_place *place;

	(void)thread;
	if (m->node > x->from->size / FORMAT_UNIT || x->places[m->node] == 0)
		return 0;
	own.place = x->places[m->node] - 1;
	place = &p->places[own.place];
	/* Scale so that all logged ticks of a place add up to its time. */
	own.ns = (uint32_t)(sample_scale_ns(&x->scale, place->kind,
	    place->raw_ns + m->ns) - sample_scale_ns(&x->scale, place->kind,
	    place->raw_ns));
	place->raw_ns += m->ns;
	if (own.ns > place->ns - place->timed_ns)
		own.ns = (uint32_t)(place->ns - place->timed_ns);
	if (own.ns == 0 && m->ns != 0)
		return 0;
	if (vector_grow(&p->moments, p->moment_count, &p->moment_room,
	    sizeof(own)) != 0)
		return fault_set_no_memory(x->fault);
	p->moments[p->moment_count++] = own;
	place->timed++;
	place->timed_ns += own.ns;
	return 0;
}

/*
 * Adds the process image of the profile.  Returns 0, or -errno with *x->fault
 * set.
 */
static int
read_process(struct profile_reading *x)
{
	struct profiles *p = x->to;
	const struct format_header *h = &x->from->header;
	struct profiles_process own = {
		.pid = (uint32_t)h->pid, .uid = h->euid,
		.began = h->birth_mono,
		.birth = profiles_start_time(p, h),
		.entry = profiles_pid(p, (uint32_t)h->pid),
	};
	uint32_t bytes;
	const char *exe = decode_text(x->from, h->exe, &bytes, x->fault);
	const char *slash;

	if (exe == NULL)
		return -EINVAL;
	slash = memrchr(exe, '/', bytes);
	if (slash != NULL && slash + 1 < exe + bytes) {
		bytes -= (uint32_t)(slash + 1 - exe);
		exe = slash + 1;
	}
	if (own.entry == UINT32_MAX || vector_grow(&p->processes,
	    p->process_count, &p->process_room, sizeof(own)) != 0 ||
	    (own.program = strndup(exe, bytes)) == NULL)
		return fault_set_no_memory(x->fault);
	p->processes[p->process_count++] = own;
	return 0;
}

/*
 * Reads all of the profile.  profiles_add() takes back what a failure leaves.
 * Returns 0, or -errno with *x->fault set.
 */
static int
read_all(struct profile_reading *x)
{
	const size_t units = x->from->size / FORMAT_UNIT + 1;
	int ret = decode_counts_check(x->from, x->fault);

	if (ret != 0)
		return ret;
	x->frames = calloc(units, sizeof(*x->frames));
	x->places = calloc(units, sizeof(*x->places));
	if (x->frames == NULL || x->places == NULL)
		return fault_set_no_memory(x->fault);
	ret = read_process(x);
	if (ret == 0)
		ret = profiles_modules_read(&x->known, x->to, x->from,
		    x->fault);
	if (ret == 0)
		ret = read_threads(x);
	return ret != 0 ? ret : decode_tick_log(x->from, read_moment, x,
	    x->fault);
}

/* Returns the kernel's CPU time of the image, while time was counted, in ns. */
static uint64_t
cpu_of(const struct format_header *h)
{
	const uint64_t cpu = h->cpu_ns > h->cpu_birth_ns ?
	    h->cpu_ns - h->cpu_birth_ns : 0;
	const uint64_t stopped = header_stopped_ns(h, h->cpu_ns);

	return cpu > stopped ? cpu - stopped : 0;
}

/*
 * Returns the final CPU time of the image, in ns; 0 if it may have used more.
 */
static uint64_t
final_cpu(const struct format_header *h)
{
	return h->state == FORMAT_SEALED ? cpu_of(h) : 0;
}

/* Adds the CPU time of the image, and what of it no sample stands for. */
static void
add_unsampled(struct profile_reading *x)
{
	const uint64_t cpu = cpu_of(&x->from->header);

	x->to->unsampled_ns += cpu > x->ns ? cpu - x->ns : 0;
	x->to->known_ns += (cpu > x->ns ? cpu : x->ns) +
	    header_stopped_ns(&x->from->header, x->from->header.cpu_ns);
}

int
profiles_add(struct profiles *p, struct decode *d, struct fault *f)
{
	const struct profiles was = *p;
	struct profile_reading x = { .to = p, .from = d, .fault = f,
		.scale = sample_scale_of(&d->header, final_cpu(&d->header)) };
	const int ret = read_all(&x);

	profiles_modules_free(&x.known);
	free(x.frames);
	free(x.places);
	if (ret == 0) {
		add_unsampled(&x);
		p->empty += p->place_count == was.place_count;
		for (unsigned i = 0; i < LOSS_MAX; i++)
			p->loss[i] += d->header.loss[i];
		return 0;
	}
	/* Modules and pids may stay: unused ones are not written. */
	if (p->process_count > was.process_count)
		free(p->processes[--p->process_count].program);
	p->thread_count = was.thread_count;
	p->frame_count = was.frame_count;
	p->place_count = was.place_count;
	p->moment_count = was.moment_count;
	p->paused_ns = was.paused_ns;
	p->elsewhere_ns = was.elsewhere_ns;
	return ret;
}

void
profiles_free(struct profiles *p)
{
	for (size_t i = 0; i < p->module_count; i++)
		free((char *)(uintptr_t)p->modules[i].id.path);
	for (size_t i = 0; i < p->process_count; i++)
		free(p->processes[i].program);
	free(p->modules);
	free(p->processes);
	free(p->pids);
	free(p->threads);
	free(p->frames);
	free(p->places);
	free(p->moments);
	free(p->stack);
	hash_index_free(&p->by_path);
	hash_index_free(&p->by_pid);
	*p = (struct profiles) { 0 };
}
