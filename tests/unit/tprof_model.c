/* Context: O.  See tprof_model.h. */
#include "tprof_model.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct sampled s;
struct filter filter;
struct model m;
struct fault f;

void
tprof_make(void)
{
	sampled_all(&s, SAMPLED_HEAD);
}

void
tprof_clean(void)
{
	model_free(&m);
	filter_free(&filter);
	sampled_free(&s);
}

int
tprof_add(size_t size, const char *event, unsigned keep)
{
	unsigned char *copy = tail_copy(s.bytes, size);
	const struct read_tprof_request own = {
		.bytes = copy, .size = size, .asked = true, .event = event,
	};
	int ret;

	model_free(&m);
	cr_assert_eq(model_init(&m, &filter, keep, DEMANGLE_OFF), 0);
	f.what = NULL;
	ret = read_tprof_add(&m, &own, &f);
	cr_assert_eq(ret == 0, f.what == NULL);
	tail_free(copy, size);
	return ret;
}

void
tprof_finish(void)
{
	cr_assert_eq(model_finish(&m), 0);
	cr_assert_eq(symbolize_all(&m, NULL, NULL), 0);
}

uint64_t
tprof_count_all(void)
{
	uint64_t count = 0;

	for (size_t i = 0; i < m.row_count; i++)
		count += m.rows[i].count;
	return count;
}

uint64_t
tprof_ns_all(void)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < m.row_count; i++)
		ns += m.rows[i].ns;
	return ns;
}

const struct model_row *
tprof_row(uint32_t kind, uint64_t address)
{
	for (size_t i = 0; i < m.row_count; i++)
		if (m.rows[i].kind == kind && m.rows[i].address == address &&
		    m.rows[i].count != 0)
			return &m.rows[i];
	cr_assert_fail("nothing at %#llx", (unsigned long long)address);
	return NULL;
}

const char *
tprof_name(const struct model_row *r)
{
	return m.functions[r->function].name;
}
