/*
 * Context: T.  Writes the versioned mon.out of Solaris for this process, for
 * format_writers.c, one writer at a time; the layout is in profout.h.
 */
#include "base/atomic_write.h"
#include "classic/format_writers.h"
#include "classic/store_read.h"
#include "classic/profout_put.h"
#include "store/store.h"
#include "thread/private_fds.h"
#include "ticks.h"

#include "base/store_header.h"

#include <errno.h>
#include <sys/auxv.h>

#define RATE		100u	/* the file does not say its rate */
#define SAMPLES_MOST	(1u << 28)	/* they take 2 GiB: 31 days */

/*
 * Addresses for modules that were unloaded: another module may be at theirs
 * now.
 */
#define UNLOADED_BASE		((uint64_t)1 << 48)
#define UNLOADED_STEP	((uint64_t)1 << 32)

struct prof_file {
	const char *path;
	struct atomic_write_buffer out;
	struct ticks clock;
	uint64_t arcs, samples;	/* that are still to be written */
	uint64_t in_buffer;	/* samples that still fit in the buffer */
	/* Positions in their object of the next entries. */
	uint64_t module_at, text_at, arc_at;
	uint64_t text_begin;
};

/* Returns whether the module has code of its own in a file. */
static bool
is_module_in_profout(const struct format_module *m)
{
	return (m->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
	    FORMAT_M_NO_ELF)) == 0;
}

/* Returns the load bias of the module, or one of its own if it is unloaded. */
static uint64_t
profout_bias(uint32_t index)
{
	const struct format_module *m = store_at(index);
	uint64_t place = UNLOADED_BASE;

	if (m->unload_mono == 0)
		return m->bias;
	while (m->next != 0) {
		place += UNLOADED_STEP;
		m = store_at(m->next);
	}
	return place;
}

/*
 * Returns the lowest address of the program in its file, if the program is not
 * position-independent; other objects begin at 0.
 */
static uint64_t
first_segment_base(const struct format_module *m)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	unsigned long i, n = getauxval(AT_PHNUM);
	uint64_t base = UINT64_MAX;

	if ((m->flags & FORMAT_M_MAIN) == 0 || m->bias != 0 || p == NULL)
		return 0;
	for (i = 0; i < n; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr < base)
			base = p[i].p_vaddr & ~(uint64_t)4095;
	return base;
}

static size_t
path_of_module(const struct format_module *m, const char **path)
{
	const struct format_text *t = store_at(m->path);

	*path = t->text;
	return t->bytes;
}

static void
write_object_head(struct prof_file *x, enum profout_type type, uint64_t bytes)
{
	unsigned char head[PROFOUT_OBJECT];

	profout_put_object(head, type, bytes);
	atomic_write_add(&x->out, head, sizeof(head));
}

static void
write_u64(struct prof_file *x, uint64_t value)
{
	atomic_write_number(&x->out, value, 8);
}

/* Counts the modules, and the bytes of their paths with a NUL behind each. */
static uint32_t
count_profout_modules(uint32_t first, uint64_t *bytes)
{
	const struct format_module *m;
	const char *path;
	uint32_t n = 0;

	*bytes = 0;
	for (uint32_t at = first; at != 0; at = m->next) {
		m = store_at(at);
		if (is_module_in_profout(m)) {
			*bytes += path_of_module(m, &path) + 1;
			n++;
		}
	}
	return n;
}

/*
 * Calls take() for each module, the program first: readers take the first one
 * for the program.
 */
static void
for_each_module(uint32_t first, void (*take)(struct prof_file *x, uint32_t at),
    struct prof_file *x)
{
	const struct format_module *m;

	for (uint32_t turn = 0; turn < 2; turn++)
		for (uint32_t at = first; at != 0; at = m->next) {
			m = store_at(at);
			if (is_module_in_profout(m) && (turn == 0) ==
			    ((m->flags & FORMAT_M_MAIN) != 0))
				take(x, at);
		}
}

static void
write_module_entry(struct prof_file *x, uint32_t at)
{
	const struct format_module *m = store_at(at);
	const uint64_t bias = profout_bias(at);
	const char *path;

	x->module_at += PROFOUT_MODULE_BYTES;
	write_u64(x, x->module_at < x->text_begin ? x->module_at : 0);
	write_u64(x, x->text_at);
	write_u64(x, bias + first_segment_base(m));
	write_u64(x, bias + (m->end - m->bias));
	x->text_at += path_of_module(m, &path) + 1;
}

static void
write_module_path(struct prof_file *x, uint32_t at)
{
	const char *path;
	size_t n = path_of_module(store_at(at), &path);

	atomic_write_add(&x->out, path, n);
	atomic_write_add(&x->out, "", 1);
}

static void
write_module_object(struct prof_file *x)
{
	const uint32_t first = store_header()->modules;
	static const char zeros[8];
	uint64_t bytes, pad;
	uint32_t n = count_profout_modules(first, &bytes);

	x->module_at = PROFOUT_LIST_BYTES;
	x->text_begin = x->text_at = PROFOUT_LIST_BYTES +
	    (uint64_t)n * PROFOUT_MODULE_BYTES;
	pad = -bytes & 7;
	write_object_head(x, PROFOUT_MODULES, x->text_begin + bytes + pad);
	write_u64(x, n != 0 ? PROFOUT_LIST_BYTES : 0);
	for_each_module(first, write_module_entry, x);
	for_each_module(first, write_module_path, x);
	atomic_write_add(&x->out, zeros, pad);
}

static uint64_t
profout_address(uint32_t module, uint64_t in_file)
{
	return module == 0 ? in_file : profout_bias(module) + in_file;
}

static int
count_profout_call(void *prof_file, const struct format_arc *a, uint64_t count)
{
	struct prof_file *x = prof_file;

	(void)a;
	(void)count;
	x->arcs++;
	return 0;
}

/* Writes an arc as a function of its own; readers add these up. */
static int
write_profout_call(void *prof_file, const struct format_arc *a, uint64_t count)
{
	struct prof_file *x = prof_file;

	if (x->arcs-- == 0)
		return 1;	/* this arc is new since the count */
	x->arc_at += PROFOUT_CALL_BYTES;
	write_u64(x, x->arcs != 0 ? x->arc_at : 0);
	write_u64(x, 0);
	write_u64(x, profout_address(a->from_module, a->from - 1));
	write_u64(x, profout_address(a->self_module, a->self));
	write_u64(x, count);
	write_u64(x, 0);
	return x->out.error;
}

static void
write_call_object(struct prof_file *x)
{
	x->arcs = 0;
	store_read_arcs(count_profout_call, x);
	x->arc_at = PROFOUT_LIST_BYTES;
	write_object_head(x, PROFOUT_CALLS, PROFOUT_LIST_BYTES +
	    x->arcs * PROFOUT_CALL_BYTES);
	write_u64(x, x->arcs != 0 ? PROFOUT_LIST_BYTES : 0);
	store_read_arcs(write_profout_call, x);
}

/*
 * Returns how many histogram counts the node's time gives; carries the rest of
 * one in x->clock.
 */
static uint64_t
ticks_of_node(struct prof_file *x, const struct format_node *n)
{
	return n->module == 0 || !is_module_in_profout(store_at(n->module)) ?
	    0 : ticks_whole(&x->clock, n->ns);
}

static void
count_node_samples(void *prof_file, const struct format_node *n)
{
	struct prof_file *x = prof_file;

	x->samples += ticks_of_node(x, n);
}

static void
begin_sample_buffer(struct prof_file *x)
{
	x->in_buffer = x->samples < PROFOUT_BUFFER_MOST ? x->samples :
	    PROFOUT_BUFFER_MOST;
	write_object_head(x, PROFOUT_BUFFER, PROFOUT_BUFFER_BYTES +
	    8 * x->in_buffer);
	write_u64(x, PROFOUT_BUFFER_BYTES);
	write_u64(x, x->in_buffer);
}

static void
write_profout_sample(struct prof_file *x, uint64_t at)
{
	if (x->in_buffer == 0)
		begin_sample_buffer(x);
	write_u64(x, at);
	x->in_buffer--;
	x->samples--;
}

static void
write_node_samples(void *prof_file, const struct format_node *n)
{
	struct prof_file *x = prof_file;
	uint64_t ticks = ticks_of_node(x, n);
	const uint64_t at = ticks == 0 ? 0 : profout_address(n->module,
	    n->address);

	/* Ticks that came after the count are left out. */
	for (; ticks != 0 && x->samples != 0; ticks--)
		write_profout_sample(x, at);
}

static void
write_sample_buffers(struct prof_file *x)
{
	/* Readers expect a buffer, if only an empty one. */
	if (x->samples == 0)
		begin_sample_buffer(x);
	x->clock = ticks_at(RATE);
	store_read_nodes(write_node_samples, x);
	/*
	 * Recorded time does not shrink; if it did, the file would not be
	 * valid.
	 */
	while (x->samples != 0)
		write_profout_sample(x, 0);
}

static int
write_profout_body(int fd, void *prof_file)
{
	struct prof_file *x = prof_file;
	unsigned char head[PROFOUT_HEADER];

	x->out = (struct atomic_write_buffer){.fd = fd};
	profout_put_header(head);
	atomic_write_add(&x->out, head, sizeof(head));
	write_module_object(x);
	write_call_object(x);
	write_sample_buffers(x);
	return atomic_write_flush(&x->out);
}

static int
write_profout_file(void *prof_file)
{
	struct prof_file *x = prof_file;

	return atomic_write_file(x->path, write_profout_body, x);
}

int
write_profout(const char *path)
{
	struct prof_file x = {
		.path = path, .clock = ticks_at(RATE),
	};

	store_read_nodes(count_node_samples, &x);
	if (x.samples > SAMPLES_MOST)
		return -ERANGE;
	return store_header()->modules == 0 ? -ENODATA :
	    private_fds_run(write_profout_file, &x);
}
