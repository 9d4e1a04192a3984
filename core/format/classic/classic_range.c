/*
 * Context: P.  The range of bins that the classic formats have in common, for
 * gmon.c, bsdgmon.c and monout.c; see classic.h.
 */
#include "classic/classic.h"

int
classic_range_check(const struct classic *c, const struct classic_range *r,
    uint64_t header, struct fault *f)
{
	if (r->high < r->low || (r->bins != 0 && r->high - r->low < r->bins))
		return fault_set(f, "the range of the bins is "
		    "empty", header, 0);
	/*
	 * `bins` was read as 32 bits or follows from the file's length, so 2 *
	 * bins cannot overflow.
	 */
	if (!bytes_has(&c->bytes, r->offset, 2 * r->bins))
		return fault_set(f, "bins are cut short", c->bytes.size, 0);
	return 0;
}

int
classic_range_read(const struct classic *c, const struct classic_range *r,
    const struct classic_sink *sink)
{
	int ret = 0;

	for (uint64_t i = 0; i < r->bins && ret == 0; i++) {
		struct classic_bin bin = {
			.offset = r->offset + 2 * i,
			.rate = r->rate,
		};

		bin.count = bytes_get(&c->bytes, bin.offset, 2);
		if (bin.count == 0)
			continue;
		bin.low = classic_bound(r, i);
		bin.high = classic_bound(r, i + 1);
		ret = sink->bin(sink->arg, &bin);
	}
	return ret;
}
