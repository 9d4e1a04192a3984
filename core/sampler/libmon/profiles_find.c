/*
 * Context: O.  Finds modules and processes that profiles share, for profiles.c
 * and profiles_modules.c; see profiles_find.h.
 */
#include "libmon/profiles_find.h"

#include "base/clock_ns.h"
#include "base/vector.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND	1000000000u

/*
 * Returns whether two modules have one kind, path and build-id, or without a
 * build-id one device and inode.
 */
static bool
same_module(const struct profiles_module *a, const struct profiles_module *b)
{
	const struct tprof_module *l = &a->id, *r = &b->id;

	if (a->kind != b->kind || l->path_bytes != r->path_bytes ||
	    memcmp(l->path, r->path, l->path_bytes) != 0 ||
	    l->build_id_bytes != r->build_id_bytes)
		return false;
	return l->build_id_bytes != 0 ?
	    memcmp(l->build_id, r->build_id, l->build_id_bytes) == 0 :
	    l->device == r->device && l->inode == r->inode;
}

uint32_t
profiles_add_module(struct profiles *p, const struct profiles_module *m)
{
	const uint32_t hash = hash_index_hash_bytes(m->id.path,
	    m->id.path_bytes);
	struct profiles_module own = *m;
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&p->by_path, hash, &at)) !=
	    HASH_INDEX_NONE;) {
		struct profiles_module *old = &p->modules[n];

		if (!same_module(old, m))
			continue;
		if (old->id.seen > m->id.seen)
			old->id.seen = m->id.seen;
		return n + 1;
	}
	if (vector_grow(&p->modules, p->module_count, &p->module_room,
	    sizeof(own)) != 0)
		return 0;
	own.id.path = strndup(m->id.path, m->id.path_bytes);
	if (own.id.path == NULL || hash_index_add(&p->by_path, hash,
	    (uint32_t)p->module_count) != 0) {
		free((char *)(uintptr_t)own.id.path);
		return 0;
	}
	p->modules[p->module_count++] = own;
	return (uint32_t)p->module_count;
}

uint64_t
profiles_start_time(struct profiles *p, const struct format_header *h)
{
	const long a_second = sysconf(_SC_CLK_TCK);
	struct timespec boot, real;

	if (a_second <= 0 || h->start_ticks == 0)
		return h->birth_real;
	if (p->boot_real == 0 && clock_gettime(CLOCK_BOOTTIME, &boot) == 0 &&
	    clock_gettime(CLOCK_REALTIME, &real) == 0)
		p->boot_real = clock_ns_of(&real) - clock_ns_of(&boot);
	return p->boot_real + h->start_ticks * (SECOND / (uint64_t)a_second);
}

uint32_t
profiles_pid(struct profiles *p, uint32_t pid)
{
	const uint32_t hash = hash_index_hash(pid);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&p->by_pid, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (p->pids[n].pid == pid)
			return n;
	if (vector_grow(&p->pids, p->pid_count, &p->pid_room,
	    sizeof(*p->pids)) != 0 ||
	    hash_index_add(&p->by_pid, hash, (uint32_t)p->pid_count) != 0)
		return UINT32_MAX;
	p->pids[p->pid_count] = (struct profiles_pid) { .pid = pid };
	return (uint32_t)p->pid_count++;
}
