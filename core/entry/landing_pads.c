/*
 * Context: P.  Reads tables of landing pads, in the format that the compilers
 * of C++, Rust, Ada and Go share; see landing_pads.h.
 */
#include "landing_pads.h"
#include "code_reader.h"

/* A place without a landing pad has the distance 0. */
static void
visit_places(struct code_reader *r, unsigned form, uint64_t base, uint64_t end,
    landing_pads_visit *visit, void *arg)
{
	const unsigned value = form & CODE_READER_VALUE;

	while (!r->failed && r->address < end) {
		uint64_t distance;

		code_reader_pointer(r, value, 0);	/* its start */
		code_reader_pointer(r, value, 0);	/* its length */
		distance = code_reader_pointer(r, value, 0);
		code_reader_uleb(r);			/* what is done there */
		if (!r->failed && distance != 0)
			visit(base + distance, arg);
	}
}

bool
landing_pads_each(const struct code_image *image,
    const struct unwind_function *function, landing_pads_visit *visit,
    void *arg)
{
	uint64_t base = function->start, bytes;
	struct code_reader r;
	unsigned form;

	if (function->landing_pads == 0)
		return true;
	code_reader_start(&r, image, function->landing_pads);
	form = (unsigned)code_reader_number(&r, 1);
	if (form != CODE_READER_OMITTED)
		base = code_reader_pointer(&r, form, 0);
	form = (unsigned)code_reader_number(&r, 1);
	if (form != CODE_READER_OMITTED)
		code_reader_uleb(&r);		/* to the table of types */
	form = (unsigned)code_reader_number(&r, 1);
	bytes = code_reader_uleb(&r);
	if (r.failed || bytes > r.room)
		return false;
	visit_places(&r, form, base, r.address + bytes, visit, arg);
	return !r.failed;
}
