/*
 * Context: O.  Finds the format of a file of another profiler and calls its
 * reader, for core/model/foreign/read_import.c.  Option parsers ask it for the
 * names of formats.
 */
#include "import.h"

#include "base/inflate.h"

#include <errno.h>
#include <stdlib.h>

/*
 * A file is refused if no record is right, or if the number of wrong records,
 * divided by this and rounded down, is more than the number of right ones.
 * Tracers write about as many lines of their own as samples, so a smaller
 * number would refuse readable files; a text of another kind has hardly a line
 * that fits by chance.
 */
#define IMPORT_FEW	5

/* The formats: name in options, title in messages, functions. */
static const struct {
	const char *name, *title;
	import_is *is;
	import_reader *read;
} formats[IMPORT_FORMATS] = {
	[IMPORT_GPERFTOOLS] = { "gperftools", "CPU profile of gperftools",
	    gperftools_is, gperftools_read },
	[IMPORT_PPROF] = { "pprof", "profile of pprof", pprof_is, pprof_read },
	[IMPORT_CALLGRIND] = { "callgrind", "callgrind.out", callgrind_is,
	    callgrind_read },
	[IMPORT_PERF] = { "perf", "text of perf script", perf_script_is,
	    perf_script_read },
	[IMPORT_FOLDED] = { "folded", "folded stacks", folded_is,
	    folded_read },
};

const char *
import_format_name(unsigned format)
{
	return format < IMPORT_FORMATS ? formats[format].name :
	    format == IMPORT_TPROF ? "tprof" : NULL;
}

const char *
import_format_title(enum import_format format)
{
	return formats[format].title;
}

/*
 * Moves x->bytes behind the mark of UTF-8, which some editors and shells put
 * before a text.  Offsets count from there then.
 */
static void
pass_mark(struct import *x)
{
	static const char mark[] = { '\xef', '\xbb', '\xbf' };

	if (x->size < sizeof(mark) || memcmp(x->bytes, mark, sizeof(mark)) != 0)
		return;
	x->bytes += sizeof(mark);
	x->size -= sizeof(mark);
}

/*
 * Sets x->format to the first format whose function accepts the file.  Returns
 * 0, or IMPORT_OTHER if none does.
 */
static int
detect_import_format(struct import *x)
{
	for (unsigned i = IMPORT_NONE + 1; i < IMPORT_FORMATS; i++)
		if (formats[i].is(x)) {
			x->format = (enum import_format)i;
			return 0;
		}
	return IMPORT_OTHER;
}

int
import_open(struct import *x, const void *bytes, size_t size,
    enum import_format asked, struct fault *f)
{
	struct fault damage;
	int ret = 0;

	*x = (struct import) { .format = asked, .bytes = bytes, .size = size };
	if (inflate_is(bytes, size)) {
		ret = inflate_all(bytes, size, &x->inflated, &x->size,
		    &damage);
		x->bytes = x->inflated;
		x->damaged = ret != 0 ? damage.what : NULL;
	}
	if (x->bytes != NULL)
		pass_mark(x);
	if ((ret == 0 || x->inflated != NULL) && (asked != IMPORT_NONE ||
	    detect_import_format(x) == 0))
		return 0;
	if (ret == 0)
		return IMPORT_OTHER;
	*f = damage;
	return ret;
}

/*
 * Refuses the file: sets *f to its first wrong record.  Returns -EINVAL.  *x
 * must have skipped a record.
 */
static int
refuse_import(const struct import *x, struct fault *f)
{
	if (x->line != 0)
		return fault_set_line(f, x->skipped.what, x->skipped.first);
	return fault_set(f, x->skipped.what, x->inflated != NULL ?
	    FAULT_NO_OFFSET : x->skipped.first, 0);
}

int
import_read(struct import *x, const struct import_sink *sink, struct fault *f)
{
	int ret;

	x->taken = x->rounded = x->others = x->line = x->offset = 0;
	x->skipped = (struct import_skipped) { .count = 0 };
	ret = formats[x->format].read(x, sink, f);
	if (ret == 0 && x->damaged != NULL)
		import_skip(x, x->damaged);
	if (ret <= 0 && ret != -ENOMEM && x->skipped.count > 0 &&
	    (x->taken == 0 || x->taken < x->skipped.count / IMPORT_FEW))
		ret = refuse_import(x, f);
	return ret;
}

void
import_close(struct import *x)
{
	free(x->inflated);
	x->inflated = NULL;
}
