/*
 * Context: O.  Writes call stacks as the CPU profiler of gperftools does, for
 * export_write(): words of this machine, then a memory map as text.  A sample
 * is a microsecond.
 */
#include "classic/export_gperftools.h"

#include "derive/sample_paths.h"

#include <errno.h>
#include <inttypes.h>

#define PERIOD_NS	1000u
/* Address for samples that are in no code. */
#define NOWHERE		UINT64_C(0x7ffffffff000)

static void
put_gperftools_word(FILE *out, uint64_t word)
{
	const uintptr_t own = (uintptr_t)word;

	fwrite(&own, sizeof(own), 1, out);
}

/*
 * Returns frame i as the file has it: callers as return addresses, one behind
 * their call.  The innermost is never 0, which would end the file.
 */
static uint64_t
stack_pc(const struct sample_paths *s, size_t i)
{
	const uint64_t at = sample_paths_address(s, s->path[i]);

	return i == 0 ? (at != 0 ? at : NOWHERE) : at != 0 ? at + 1 : 0;
}

/* Writes a sample.  A caller that has no address gets no frame. */
static void
put_gperftools_sample(FILE *out, const struct sample_paths *s, uint64_t ns)
{
	const uint64_t count = (ns + PERIOD_NS / 2) / PERIOD_NS;
	uint64_t depth = 0;

	for (size_t i = 0; i < s->depth; i++)
		depth += stack_pc(s, i) != 0;
	if (count == 0)
		return;
	put_gperftools_word(out, count);
	put_gperftools_word(out, depth);
	for (size_t i = 0; i < s->depth; i++)
		if (stack_pc(s, i) != 0)
			put_gperftools_word(out, stack_pc(s, i));
}

/* Writes the memory map: the modules at the addresses of the file. */
static void
put_maps(FILE *out, const struct sample_paths *s)
{
	const struct model *m = s->model;

	for (size_t i = MODEL_MODULES; i < m->module_count; i++) {
		const struct address_layout_module *l = &s->layout[i];

		if (l->used)
			fprintf(out, "%08" PRIx64 "-%08" PRIx64 " r-xp %08"
			    PRIx64 " 00:00 0 %s\n", l->start, l->limit,
			    l->offset, m->modules[i].path);
	}
}

int
export_gperftools(struct model *m, FILE *out)
{
	static const uint64_t head[] = { 0, 3, 0, PERIOD_NS / 1000, 0 };
	static const uint64_t tail[] = { 0, 1, 0 };
	struct sample_paths s;
	int ret = sample_paths_open(&s, m);

	for (size_t i = 0; i < 5 && ret == 0; i++)
		put_gperftools_word(out, head[i]);
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (sample_paths_get(&s, i))
			put_gperftools_sample(out, &s, m->rows[i].ns);
	for (size_t i = 0; i < 3 && ret == 0; i++)
		put_gperftools_word(out, tail[i]);
	if (ret == 0)
		put_maps(out, &s);
	sample_paths_close(&s);
	return ret;
}
