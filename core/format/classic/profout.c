/*
 * Context: P.  Reader of the versioned mon.out of Solaris, for the table in
 * classic.c.  The layout is in profout.h.
 */
#include "classic/profout.h"

#include <string.h>

/* A file that is being read, and the object that has been reached. */
struct profout {
	const struct classic *file;
	const struct classic_sink *sink;	/* NULL: only check the file */
	struct fault *fault;
	uint64_t at, size;	/* offset and bytes of the object */
	/* Records that may still come; the file's length allows no more */
	uint64_t left;
	/* Offset of the first list of modules, 0: none */
	uint64_t listed;
	bool calls, samples;	/* objects of this type were met */
};

/*
 * Returns the number at `index` in the object; profout_has() has found it
 * there.
 */
static uint64_t
profout_number(const struct profout *x, uint64_t index)
{
	return bytes_get(&x->file->bytes, x->at + index, 8);
}

/* Sets *x->fault at `index` in the object.  Returns -EINVAL. */
static int
profout_fault(const struct profout *x, const char *what, uint64_t index)
{
	return fault_set(x->fault, what, x->at + index, 0);
}

static bool
profout_has(const struct profout *x, uint64_t index, uint64_t bytes)
{
	return index <= x->size && bytes <= x->size - index;
}

/*
 * Checks a record of a list.  x->left limits their number, as links may lead in
 * a circle.
 */
static int
profout_link(struct profout *x, uint64_t index, uint64_t bytes)
{
	if (!profout_has(x, index, bytes))
		return profout_fault(x, "a link leads out of its object", 0);
	if (x->left-- == 0)
		return profout_fault(x, "links lead in a circle", index);
	return 0;
}

/*
 * Hands out the samples of a buffer, each as a bin of one byte.  This and the
 * functions below return 0, what the sink returned, or -EINVAL with *x->fault
 * set.
 */
static int
profout_samples(struct profout *x)
{
	uint64_t index, count;
	int ret = 0;

	if (!profout_has(x, 0, PROFOUT_BUFFER_BYTES))
		return profout_fault(x, "samples are cut short", 0);
	index = profout_number(x, 16);
	count = profout_number(x, 24);
	if (count > x->size / 8 || !profout_has(x, index, count * 8))
		return profout_fault(x, "samples are cut short", 16);
	x->samples = true;
	for (uint64_t i = 0; i < count && ret == 0 && x->sink != NULL; i++) {
		struct classic_bin bin = {
			.low = profout_number(x, index + 8 * i),
			.count = 1,
			.offset = x->at + index + 8 * i,
		};

		bin.high = bin.low + 1;
		ret = x->sink->bin(x->sink->arg, &bin);
	}
	return ret;
}

/*
 * Hands out the calls of one function.  The record at `index` is in the list of
 * functions and is the first of its function's calls.
 */
static int
profout_callers(struct profout *x, uint64_t index)
{
	const uint64_t to = profout_number(x, index + 24);
	int ret = 0;

	while (index != 0 && ret == 0) {
		struct classic_arc arc = { .self = to, .caller = true };

		ret = profout_link(x, index, PROFOUT_CALL_BYTES);
		if (ret != 0)
			return ret;
		arc.offset = x->at + index;
		arc.from = profout_number(x, index + 16);
		arc.count = profout_number(x, index + 32);
		if (x->sink != NULL && arc.count != 0)
			ret = x->sink->arc(x->sink->arg, &arc);
		index = profout_number(x, index + 8);
	}
	return ret;
}

/* Hands out the calls of a list, function by function. */
static int
profout_calls(struct profout *x)
{
	uint64_t index;
	int ret = 0;

	if (!profout_has(x, 0, PROFOUT_LIST_BYTES))
		return profout_fault(x, "calls are cut short", 0);
	x->calls = true;
	index = profout_number(x, 16);
	while (index != 0 && ret == 0) {
		ret = profout_link(x, index, PROFOUT_CALL_BYTES);
		if (ret == 0)
			ret = profout_callers(x, index);
		if (ret == 0)
			index = profout_number(x, index);
	}
	return ret;
}

/* Hands out the module whose record, at `index`, lies in the object. */
static int
profout_module(struct profout *x, uint64_t index)
{
	const uint64_t path = profout_number(x, index + 8);
	struct classic_module m = {
		.start = profout_number(x, index + 16),
		.end = profout_number(x, index + 24),
	};
	const char *end;

	if (path >= x->size)
		return profout_fault(x, "a path leads out of its object",
		    index + 8);
	m.path = (const char *)x->file->bytes.at + x->at + path;
	end = memchr(m.path, '\0', x->size - path);
	if (end == NULL)
		return profout_fault(x, "a path has no end", path);
	m.path_bytes = (size_t)(end - m.path);
	if (m.end < m.start)
		return profout_fault(x, "a module ends before its start",
		    index + 16);
	return x->sink == NULL ? 0 : x->sink->module(x->sink->arg, &m);
}

static int
profout_modules(struct profout *x)
{
	uint64_t index;
	int ret = 0;

	if (!profout_has(x, 0, PROFOUT_LIST_BYTES))
		return profout_fault(x, "modules are cut short", 0);
	index = profout_number(x, 16);
	while (index != 0 && ret == 0) {
		ret = profout_link(x, index, PROFOUT_MODULE_BYTES);
		if (ret == 0)
			ret = profout_module(x, index);
		if (ret == 0)
			index = profout_number(x, index);
	}
	return ret;
}

/* Reads the contents of an object.  Type UINT32_MAX has no contents. */
static int
profout_contents(struct profout *x, uint32_t type)
{
	switch (type) {
	case PROFOUT_BUFFER:
		return profout_samples(x);
	case PROFOUT_CALLS:
		return profout_calls(x);
	case PROFOUT_MODULES:
		return profout_modules(x);
	case UINT32_MAX:
		return 0;
	default:
		return profout_fault(x, "there is no such object", 0);
	}
}

/*
 * Reads an object.  Objects are read in their order, as a list of modules is
 * valid for what follows it: a later library may be at the same address.  The
 * first list of modules is read before all else (first is true), as it is valid
 * also for what comes before it.
 */
static int
profout_object(struct profout *x, uint32_t type, bool first)
{
	if (first && (type != PROFOUT_MODULES || x->listed != 0))
		return 0;
	if (!first && x->at == x->listed)
		return 0;
	if (first)
		x->listed = x->at;
	return profout_contents(x, type);
}

/* Reads all objects, or only the first list of modules (first). */
static int
profout_pass(struct profout *x, bool first)
{
	const struct bytes *b = &x->file->bytes;
	int ret = 0;

	x->at = bytes_get(b, 8, 8);
	/* The first call of a function is met twice. */
	x->left = 2 * (b->size / PROFOUT_MODULE_BYTES);
	while (x->at < b->size && ret == 0) {
		if (!bytes_has(b, x->at, PROFOUT_OBJECT))
			return fault_set(x->fault, "an object is cut short",
			    b->size, 0);
		x->size = bytes_get(b, x->at + 8, 8);
		if (x->size < PROFOUT_OBJECT ||
		    !bytes_has(b, x->at, x->size))
			return profout_fault(x, "an object is cut short", 8);
		ret = profout_object(x, (uint32_t)bytes_get(b, x->at, 4),
		    first);
		x->at += x->size;
	}
	return ret;
}

bool
profout_is(const struct classic *c)
{
	return c->wide && bytes_has(&c->bytes, 0, PROFOUT_HEADER) &&
	    bytes_get(&c->bytes, 0, 4) == PROFOUT_MAGIC;
}

int
profout_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	struct profout x = { .file = c, .sink = sink, .fault = f };
	const uint64_t header = bytes_get(&c->bytes, 8, 8);
	int ret;

	if (bytes_get(&c->bytes, 4, 2) != PROFOUT_MAJOR)
		return fault_set(f, "mon.out has an unknown version",
		    4, 0);
	if (header < PROFOUT_HEADER || header > c->bytes.size)
		return fault_set(f, "mon.out is cut short", 8, 0);
	ret = profout_pass(&x, true);
	if (ret == 0)
		ret = profout_pass(&x, false);
	if (ret == 0 && !x.calls && !x.samples)
		ret = fault_set(f, "it has no samples and no calls",
		    c->bytes.size, 0);
	return ret;
}

uint64_t
profout_whole(const struct classic *c)
{
	const struct bytes *b = &c->bytes;
	struct fault unused;
	struct profout x = { .file = c, .fault = &unused };
	uint64_t whole = 0;

	x.at = bytes_get(b, 8, 8);
	x.left = b->size / PROFOUT_MODULE_BYTES;
	while (bytes_has(b, x.at, PROFOUT_OBJECT)) {
		x.size = bytes_get(b, x.at + 8, 8);
		if (x.size < PROFOUT_OBJECT || !bytes_has(b, x.at, x.size) ||
		    profout_contents(&x, (uint32_t)bytes_get(b, x.at, 4)) != 0)
			break;
		x.at += x.size;
		whole = x.at;
	}
	return whole;
}
