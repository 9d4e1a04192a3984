/*
 * Context: O.  Writes mon.out of Solaris, for export_write(): samples, calls
 * and modules in one file.
 */
#include "classic/export_profout.h"

#include "bytes.h"
#include "foreign/provenance.h"
#include "classic/profout_put.h"
#include "ticks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * First address for modules, and their alignment.  Addresses in the file are
 * run-time addresses.  As the profiles may be of many processes, modules get
 * addresses of their own, one behind the other from here on; a program that
 * cannot be moved stays at its own.
 */
#define PROF_FIRST	0x7f0000000000u
#define PROF_ALIGN	0x200000u

/* Most samples: 2 GiB of them, or 31 days. */
#define PROF_MOST	(1u << 28)

struct prof_file {
	FILE *out;
	const struct model *model;
	struct object_profile *parts;
	size_t count;
	uint64_t *bias;		/* bias of each part */
};

static void
put_profout_number(FILE *out, uint64_t value)
{
	unsigned char bytes[8];

	bytes_put(bytes, value, sizeof(bytes));
	fwrite(bytes, 1, sizeof(bytes), out);
}

static void
put_object(FILE *out, enum profout_type type, uint64_t bytes)
{
	unsigned char head[PROFOUT_OBJECT];

	profout_put_object(head, type, bytes);
	fwrite(head, 1, sizeof(head), out);
}

/*
 * Returns the address in the object's ELF headers at which it begins; 0 if it
 * can be moved or its file is gone.
 */
static uint64_t
prof_base(const struct object_profile *e)
{
	return e->program.high != 0 ? e->program.base : 0;
}

/*
 * Extends modules whose callers lie behind their known end: a module whose file
 * is gone reaches as far as its calls show.
 */
static void
prof_hold_callers(struct prof_file *x, const struct object_profile *of)
{
	for (size_t i = 0; i < of->call_count; i++)
		for (size_t k = 0; k < x->count; k++) {
			struct object_profile *e = &x->parts[k];
			uint64_t from = of->calls[i].from;

			if (e->module == of->calls[i].from_module &&
			    from >= e->high && from < UINT64_MAX / 2)
				e->high = from + 1;
		}
}

/* Gives each object that can be moved a bias, one behind the other. */
static void
prof_place(struct prof_file *x)
{
	uint64_t next = PROF_FIRST;

	for (size_t i = 0; i < x->count; i++)
		prof_hold_callers(x, &x->parts[i]);

	for (size_t i = 0; i < x->count; i++) {
		const struct object_profile *e = &x->parts[i];

		if (prof_base(e) != 0)
			continue;
		x->bias[i] = next;
		next += (e->high / PROF_ALIGN + 1) * PROF_ALIGN;
	}
}

/* Writes the modules: a list of records, then the texts that they name. */
static void
prof_modules(const struct prof_file *x)
{
	uint64_t text = PROFOUT_LIST_BYTES + x->count * PROFOUT_MODULE_BYTES;
	uint64_t bytes = text;

	for (size_t i = 0; i < x->count; i++)
		bytes += strlen(x->model->modules[x->parts[i].module].path) + 1;
	bytes = (bytes + 7) & ~(uint64_t)7;
	put_object(x->out, PROFOUT_MODULES, bytes);
	put_profout_number(x->out, x->count != 0 ? PROFOUT_LIST_BYTES : 0);
	for (size_t i = 0; i < x->count; i++) {
		const struct object_profile *e = &x->parts[i];

		put_profout_number(x->out, i + 1 == x->count ? 0 :
		    PROFOUT_LIST_BYTES + (i + 1) * PROFOUT_MODULE_BYTES);
		put_profout_number(x->out, text);
		put_profout_number(x->out, x->bias[i] + prof_base(e));
		put_profout_number(x->out, x->bias[i] + e->high);
		text += strlen(x->model->modules[e->module].path) + 1;
	}
	for (size_t i = 0; i < x->count; i++) {
		const char *path = x->model->modules[x->parts[i].module].path;

		fwrite(path, 1, strlen(path) + 1, x->out);
	}
	for (; text < bytes; text++)
		putc(0, x->out);
}

/*
 * Returns the address in the file for an address in a module, or 0 if the
 * module is not in the file.
 */
static uint64_t
prof_address(const struct prof_file *x, uint32_t module, uint64_t address)
{
	for (size_t i = 0; i < x->count; i++)
		if (x->parts[i].module == module)
			return address + x->bias[i];
	return 0;
}

/* Returns how many calls from `first` on are of the same function. */
static size_t
prof_same(const struct object_profile *e, size_t first)
{
	size_t n = 1;

	while (first + n < e->call_count &&
	    e->calls[first + n].self == e->calls[first].self)
		n++;
	return n;
}

/*
 * Writes the calls of an object: the callers of each function in a chain, and
 * the first callers in a chain of functions.
 */
static void
prof_chain(const struct prof_file *x, const struct object_profile *e,
    uint64_t *at, uint64_t last)
{
	for (size_t i = 0, n = 0; i < e->call_count; i += n) {
		n = prof_same(e, i);
		for (size_t k = i; k < i + n; k++) {
			const struct object_profile_call *c = &e->calls[k];
			uint64_t next = *at + (i + n - k) * PROFOUT_CALL_BYTES;

			put_profout_number(x->out, k == i && next < last ?
			    next : 0);
			put_profout_number(x->out, k + 1 < i + n ?
			    *at + PROFOUT_CALL_BYTES : 0);
			put_profout_number(x->out, prof_address(x,
			    c->from_module, c->from));
			put_profout_number(x->out, prof_address(x, e->module,
			    c->self));
			put_profout_number(x->out, c->count);
			put_profout_number(x->out, 0);
			*at += PROFOUT_CALL_BYTES;
		}
	}
}

static void
prof_calls(const struct prof_file *x)
{
	uint64_t at = PROFOUT_LIST_BYTES, last = at;

	for (size_t i = 0; i < x->count; i++)
		last += x->parts[i].call_count * PROFOUT_CALL_BYTES;
	put_object(x->out, PROFOUT_CALLS, last);
	put_profout_number(x->out, last > at ? at : 0);
	for (size_t i = 0; i < x->count; i++)
		prof_chain(x, &x->parts[i], &at, last);
}

/* The samples of all modules in a row, cut into buffers of the largest size. */
struct prof_samples {
	FILE *out;
	uint64_t all;		/* samples in buffers that are not begun yet */
	uint64_t left;		/* samples left in this buffer */
};

static void
prof_sample(struct prof_samples *s, uint64_t address)
{
	if (s->left == 0) {
		s->left = s->all < PROFOUT_BUFFER_MOST ? s->all :
		    PROFOUT_BUFFER_MOST;
		s->all -= s->left;
		put_object(s->out, PROFOUT_BUFFER, PROFOUT_BUFFER_BYTES +
		    8 * s->left);
		put_profout_number(s->out, PROFOUT_BUFFER_BYTES);
		put_profout_number(s->out, s->left);
	}
	put_profout_number(s->out, address);
	s->left--;
}

/* Returns the number of samples; if s is not NULL, also writes them. */
static uint64_t
prof_ticks(const struct prof_file *x, struct prof_samples *s)
{
	struct ticks clock = ticks_at(PROVENANCE_RATE);
	uint64_t all = 0;

	for (size_t i = 0; i < x->count; i++)
		for (size_t k = 0; k < x->parts[i].time_count; k++) {
			const struct object_profile_time *t =
			    &x->parts[i].times[k];
			uint64_t n = ticks_whole(&clock, t->ns);

			all += n;
			for (; s != NULL && n != 0 && !ferror(x->out); n--)
				prof_sample(s, t->address + x->bias[i]);
		}
	return all;
}

/*
 * Writes the samples.  The reader of Solaris needs a buffer, if only an empty
 * one.
 */
static void
prof_buffers(const struct prof_file *x)
{
	struct prof_samples s = { .out = x->out, .all = prof_ticks(x, NULL) };

	if (s.all == 0) {
		put_object(x->out, PROFOUT_BUFFER, PROFOUT_BUFFER_BYTES);
		put_profout_number(x->out, PROFOUT_BUFFER_BYTES);
		put_profout_number(x->out, 0);
	}
	prof_ticks(x, &s);
}

int
export_profout(FILE *out, const struct model *m, struct object_profile *parts,
    size_t count, struct fault *f)
{
	struct prof_file x = { .out = out, .model = m, .parts = parts,
		.count = count };
	unsigned char head[PROFOUT_HEADER];

	x.bias = calloc(count + 1, sizeof(*x.bias));
	if (x.bias == NULL)
		return fault_set_no_memory(f);
	if (prof_ticks(&x, NULL) > PROF_MOST) {
		free(x.bias);
		return fault_set(f, "cannot be written: there are more than "
		    "31 days", FAULT_NO_OFFSET, 0);
	}
	prof_place(&x);
	profout_put_header(head);
	fwrite(head, 1, sizeof(head), out);
	prof_modules(&x);
	prof_calls(&x);
	prof_buffers(&x);
	free(x.bias);
	return 0;
}
