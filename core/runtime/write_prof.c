/*
 * Context: T.  The versioned mon.out of Solaris of this process; the layout is
 * in profout.h.
 */
#include "aside.h"
#include "harvest.h"
#include "profout_put.h"
#include "store.h"
#include "ticks.h"
#include "whole.h"
#include "writers.h"

#include <errno.h>
#include <sys/auxv.h>

#define RATE		100u	/* the file does not say it */
#define SAMPLES_MOST	(1u << 28)	/* 2 GiB of them: 31 days */

/* What is unloaded gets a place of its own: its may be another's now. */
#define GONE		((uint64_t)1 << 48)
#define GONE_EACH	((uint64_t)1 << 32)

struct prof_file {
	const char *path;
	struct whole_parts out;
	struct ticks clock;
	uint64_t arcs, samples;	/* that are to be written still */
	uint64_t in_buffer;	/* of those samples */
	/* Where in their object the next ones are. */
	uint64_t module_at, text_at, arc_at;
	uint64_t text_begin;
};

/* With code of its own, in a file. */
static bool
is_listed(const struct format_module *m)
{
	return (m->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
	    FORMAT_M_NO_ELF)) == 0;
}

static uint64_t
bias_of(uint32_t index)
{
	const struct format_module *m = store_at(index);
	uint64_t place = GONE;

	if (m->unload_mono == 0)
		return m->bias;
	while (m->next != 0) {
		place += GONE_EACH;
		m = store_at(m->next);
	}
	return place;
}

/* Of its first segment: others begin at 0. */
static uint64_t
base_of(const struct format_module *m)
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
path_of(const struct format_module *m, const char **path)
{
	const struct format_text *t = store_at(m->path);

	*path = t->text;
	return t->bytes;
}

static void
put_object(struct prof_file *x, enum profout_type type, uint64_t bytes)
{
	unsigned char head[PROFOUT_OBJECT];

	profout_put_object(head, type, bytes);
	whole_add(&x->out, head, sizeof head);
}

static void
put(struct prof_file *x, uint64_t value)
{
	whole_add_number(&x->out, value, 8);
}

/* How many modules, and bytes of their paths with a NUL behind each. */
static uint32_t
count_modules(uint32_t first, uint64_t *bytes)
{
	const struct format_module *m;
	const char *path;
	uint32_t at, n = 0;

	*bytes = 0;
	for (at = first; at != 0; at = m->next) {
		m = store_at(at);
		if (is_listed(m)) {
			*bytes += path_of(m, &path) + 1;
			n++;
		}
	}
	return n;
}

/* The program first, as its reader takes the first for it. */
static void
each_module(uint32_t first, void (*take)(struct prof_file *x, uint32_t at),
    struct prof_file *x)
{
	const struct format_module *m;
	uint32_t at, turn;

	for (turn = 0; turn < 2; turn++)
		for (at = first; at != 0; at = m->next) {
			m = store_at(at);
			if (is_listed(m) && (turn == 0) ==
			    ((m->flags & FORMAT_M_MAIN) != 0))
				take(x, at);
		}
}

static void
put_module(struct prof_file *x, uint32_t at)
{
	const struct format_module *m = store_at(at);
	const uint64_t bias = bias_of(at);
	const char *path;

	x->module_at += PROFOUT_MODULE_BYTES;
	put(x, x->module_at < x->text_begin ? x->module_at : 0);
	put(x, x->text_at);
	put(x, bias + base_of(m));
	put(x, bias + (m->end - m->bias));
	x->text_at += path_of(m, &path) + 1;
}

static void
put_path(struct prof_file *x, uint32_t at)
{
	const char *path;
	size_t n = path_of(store_at(at), &path);

	whole_add(&x->out, path, n);
	whole_add(&x->out, "", 1);
}

static void
put_modules(struct prof_file *x)
{
	const uint32_t first = store_header()->modules;
	static const char zeros[8];
	uint64_t bytes, pad;
	uint32_t n = count_modules(first, &bytes);

	x->module_at = PROFOUT_LIST_BYTES;
	x->text_begin = x->text_at = PROFOUT_LIST_BYTES +
	    (uint64_t)n * PROFOUT_MODULE_BYTES;
	pad = -bytes & 7;
	put_object(x, PROFOUT_MODULES, x->text_begin + bytes + pad);
	put(x, n != 0 ? PROFOUT_LIST_BYTES : 0);
	each_module(first, put_module, x);
	each_module(first, put_path, x);
	whole_add(&x->out, zeros, pad);
}

static uint64_t
address(uint32_t module, uint64_t in_file)
{
	return module == 0 ? in_file : bias_of(module) + in_file;
}

static int
count_arc(void *prof_file, const struct format_arc *a, uint64_t count)
{
	struct prof_file *x = prof_file;

	(void)a;
	(void)count;
	x->arcs++;
	return 0;
}

/* Each is a function of its own, which adds up the same. */
static int
put_arc(void *prof_file, const struct format_arc *a, uint64_t count)
{
	struct prof_file *x = prof_file;

	if (x->arcs-- == 0)
		return 1;	/* new since they were counted */
	x->arc_at += PROFOUT_CALL_BYTES;
	put(x, x->arcs != 0 ? x->arc_at : 0);
	put(x, 0);
	put(x, address(a->from_module, a->from - 1));
	put(x, address(a->self_module, a->self));
	put(x, count);
	put(x, 0);
	return x->out.error;
}

static void
put_arcs(struct prof_file *x)
{
	x->arcs = 0;
	harvest_arcs(count_arc, x);
	x->arc_at = PROFOUT_LIST_BYTES;
	put_object(x, PROFOUT_CALLS, PROFOUT_LIST_BYTES +
	    x->arcs * PROFOUT_CALL_BYTES);
	put(x, x->arcs != 0 ? PROFOUT_LIST_BYTES : 0);
	harvest_arcs(put_arc, x);
}

static uint64_t
ticks_of(struct prof_file *x, const struct format_node *n)
{
	return n->module == 0 || !is_listed(store_at(n->module)) ? 0 :
	    ticks_whole(&x->clock, n->ns);
}

static void
count_samples(void *prof_file, const struct format_node *n)
{
	struct prof_file *x = prof_file;

	x->samples += ticks_of(x, n);
}

static void
begin_buffer(struct prof_file *x)
{
	x->in_buffer = x->samples < PROFOUT_BUFFER_MOST ? x->samples :
	    PROFOUT_BUFFER_MOST;
	put_object(x, PROFOUT_BUFFER, PROFOUT_BUFFER_BYTES +
	    8 * x->in_buffer);
	put(x, PROFOUT_BUFFER_BYTES);
	put(x, x->in_buffer);
}

static void
put_sample(struct prof_file *x, uint64_t at)
{
	if (x->in_buffer == 0)
		begin_buffer(x);
	put(x, at);
	x->in_buffer--;
	x->samples--;
}

static void
put_samples(void *prof_file, const struct format_node *n)
{
	struct prof_file *x = prof_file;
	uint64_t ticks = ticks_of(x, n);
	const uint64_t at = ticks == 0 ? 0 : address(n->module, n->address);

	/* What came since they were counted is left out. */
	for (; ticks != 0 && x->samples != 0; ticks--)
		put_sample(x, at);
}

static void
put_time(struct prof_file *x)
{
	/* Its reader wants a buffer, if only an empty one. */
	if (x->samples == 0)
		begin_buffer(x);
	x->clock = ticks_at(RATE);
	harvest_nodes(put_samples, x);
	/* Time does not shrink; if it did, the file would be no file. */
	while (x->samples != 0)
		put_sample(x, 0);
}

static int
put_all(int fd, void *prof_file)
{
	struct prof_file *x = prof_file;
	unsigned char head[PROFOUT_HEADER];

	x->out = (struct whole_parts){.fd = fd};
	profout_put_header(head);
	whole_add(&x->out, head, sizeof head);
	put_modules(x);
	put_arcs(x);
	put_time(x);
	return whole_end(&x->out);
}

static int
put_file(void *prof_file)
{
	struct prof_file *x = prof_file;

	return whole_write(x->path, put_all, x);
}

int
write_prof(const char *path)
{
	struct prof_file x = {
		.path = path, .clock = ticks_at(RATE),
	};

	harvest_nodes(count_samples, &x);
	if (x.samples > SAMPLES_MOST)
		return -ERANGE;
	return store_header()->modules == 0 ? -ENODATA : aside(put_file, &x);
}
