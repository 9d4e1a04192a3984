/* Context: O.  What a process has mapped: what is found there, one more. */
#include "space.h"

#include "grow.h"
#include "order.h"
#include "spaceproc.h"
#include "unwind.h"

#include <stdlib.h>
#include <string.h>

const struct mapping *
space_find(const struct space *own, uint64_t address)
{
	const size_t below = order_not_above(own->maps, own->map_count,
	    sizeof(*own->maps), offsetof(struct mapping, start), address);

	return below != 0 && address < own->maps[below - 1].end ?
	    &own->maps[below - 1] : NULL;
}

uint64_t
space_bias(const struct spaces *s, const struct mapping *m)
{
	const struct program_mapping map = {
		.start = m->start, .end = m->end, .offset = m->offset,
	};

	return program_bias(&s->libraries.all[m->library].program, &map);
}

static int
append(struct space *own, const struct mapping *m)
{
	if (m->start >= m->end)
		return 0;
	if (grow(&own->maps, own->map_count, &own->map_room,
	    sizeof(*m)) != 0)
		return -ENOMEM;
	own->maps[own->map_count++] = *m;
	return 0;
}

/*
 * What stands where it comes goes, as the kernel tells no munmap(2); what it
 * leaves of another on either side stays.
 */
static int
insert(struct space *own, const struct mapping *m)
{
	struct space was = *own;
	bool in = false;
	int ret = 0;

	own->maps = NULL;
	own->map_count = own->map_room = 0;
	for (size_t i = 0; i < was.map_count && ret == 0; i++) {
		const struct mapping old = was.maps[i];
		struct mapping below = old, above = old;

		if (below.end > m->start)
			below.end = m->start;
		if (above.start < m->end) {
			above.offset += m->end - above.start;
			above.start = m->end;
		}
		ret = append(own, &below);
		if (ret == 0 && !in && old.end > m->start) {
			in = true;
			ret = append(own, m);
		}
		if (ret == 0)
			ret = append(own, &above);
	}
	if (ret == 0 && !in)
		ret = append(own, m);
	free(was.maps);
	return ret;
}

/* Its compiler maps it, so that we come to know of it; nothing runs there. */
static bool
is_dump(const struct tprof_module *id)
{
	const char *name = strrchr(id->path, '/');

	return name != NULL && strncmp(name, "/jit-", 5) == 0 &&
	    strlen(name) > 10 && strcmp(name + strlen(name) - 5, ".dump") == 0;
}

void
space_add(struct spaces *s, struct space *own, const struct mapping *m)
{
	if (is_dump(&s->libraries.all[m->library].id))
		own->dump = m->library + 1;
	if (insert(own, m) != 0)
		s->out_of_memory = true;
	unwind_forget(own->unwinder);
}
