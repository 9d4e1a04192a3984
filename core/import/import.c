/* Context: O.  Files of other profilers of today: which it is, what it has. */
#include "import.h"

#include "inflate.h"

#include <stdlib.h>

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
	[IMPORT_PERF] = { "perf", "text of perf script", perf_is, perf_read },
	[IMPORT_FOLDED] = { "folded", "folded stacks", folded_is,
	    folded_read },
};

const char *
import_name(unsigned format)
{
	return format < IMPORT_FORMATS ? formats[format].name :
	    format == IMPORT_TPROF ? "tprof" : NULL;
}

const char *
import_title(enum import_format format)
{
	return formats[format].title;
}

static int
recognise(struct import *x)
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
	int ret;

	*x = (struct import) { .format = asked, .bytes = bytes, .size = size };
	if (inflate_is(bytes, size)) {
		ret = inflate_all(bytes, size, &x->inflated, &x->size, f);
		x->bytes = x->inflated;
		if (ret != 0)
			return ret;
	}
	return asked == IMPORT_NONE ? recognise(x) : 0;
}

int
import_read(struct import *x, const struct import_sink *sink, struct fault *f)
{
	return formats[x->format].read(x, sink, f);
}

void
import_close(struct import *x)
{
	free(x->inflated);
	x->inflated = NULL;
}
