/*
 * Context: O.  Finds and adds mappings of a process, for event_order.c, the
 * unwinder and the other address_space files; see address_space.h.
 */
#include "process/address_space.h"

#include "process/address_space_proc.h"
#include "base/compare.h"
#include "process/perf_unwind_state.h"
#include "base/vector.h"

#include <stdlib.h>
#include <string.h>

const struct address_mapping *
address_space_find(const struct address_space *own, uint64_t address)
{
	const size_t below = compare_upper_bound(own->maps, own->map_count,
	    sizeof(*own->maps), offsetof(struct address_mapping, start),
	    address);

	return below != 0 && address < own->maps[below - 1].end ?
	    &own->maps[below - 1] : NULL;
}

uint64_t
address_space_bias(const struct address_spaces *s,
    const struct address_mapping *m)
{
	const struct elf_layout_mapping map = {
		.start = m->start, .end = m->end, .offset = m->offset,
	};

	return elf_layout_bias(&s->libraries.all[m->library].program, &map);
}

/*
 * Appends a mapping behind all others, unless it is empty.  Returns 0 or
 * -ENOMEM.
 */
static int
append_mapping(struct address_space *own, const struct address_mapping *m)
{
	if (m->start >= m->end)
		return 0;
	if (vector_grow(&own->maps, own->map_count, &own->map_room,
	    sizeof(*m)) != 0)
		return -ENOMEM;
	own->maps[own->map_count++] = *m;
	return 0;
}

/*
 * Inserts a mapping.  It replaces what was mapped in its range, as the kernel
 * does not report munmap(2).  The parts of older mappings on both sides stay.
 */
static int
insert_mapping(struct address_space *own, const struct address_mapping *m)
{
	struct address_space was = *own;
	bool in = false;
	int ret = 0;

	own->maps = NULL;
	own->map_count = own->map_room = 0;
	for (size_t i = 0; i < was.map_count && ret == 0; i++) {
		const struct address_mapping old = was.maps[i];
		struct address_mapping below = old, above = old;

		if (below.end > m->start)
			below.end = m->start;
		if (above.start < m->end) {
			above.offset += m->end - above.start;
			above.start = m->end;
		}
		ret = append_mapping(own, &below);
		if (ret == 0 && !in && old.end > m->start) {
			in = true;
			ret = append_mapping(own, m);
		}
		if (ret == 0)
			ret = append_mapping(own, &above);
	}
	if (ret == 0 && !in)
		ret = append_mapping(own, m);
	free(was.maps);
	return ret;
}

/*
 * Returns whether the file is a dump of generated code.  A just-in-time
 * compiler maps it so that profilers learn of it; no code runs there.
 */
static bool
is_dump(const struct tprof_module *id)
{
	const char *name = strrchr(id->path, '/');

	return name != NULL && strncmp(name, "/jit-", 5) == 0 &&
	    strlen(name) > 10 && strcmp(name + strlen(name) - 5, ".dump") == 0;
}

void
address_space_add(struct address_spaces *s, struct address_space *own,
    const struct address_mapping *m)
{
	if (is_dump(&s->libraries.all[m->library].id))
		own->dump = m->library + 1;
	if (insert_mapping(own, m) != 0)
		s->out_of_memory = true;
	perf_unwind_state_forget(own->unwinder);
}
