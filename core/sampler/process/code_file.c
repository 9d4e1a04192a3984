/*
 * Context: O.  Keeps the files whose code is mapped, for the address spaces of
 * a sampler; see code_file.h.
 */
#define _GNU_SOURCE		/* for asprintf */
#include "process/code_file.h"

#include "base/clock_ns.h"
#include "elf/elf_layout.h"
#include "elf/own_vdso.h"
#include "base/maps_path.h"
#include "process/perf_unwind_state.h"
#include "base/vector.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Returns whether a mapped file is the known one: both have one path and, as
 * far as both are known, one inode or one build-id.
 */
static bool
same_file(const struct code_file *own, const struct tprof_module *b)
{
	const struct tprof_module *a = &own->id;
	const bool mapped = own->map_inode != 0;
	const uint64_t inode = mapped ? own->map_inode : a->inode;

	if (a->path_bytes != b->path_bytes ||
	    memcmp(a->path, b->path, a->path_bytes) != 0)
		return false;
	if (inode != 0 && b->inode != 0)
		return inode == b->inode &&
		    (mapped ? own->map_device : a->device) == b->device;
	return a->build_id_bytes == b->build_id_bytes &&
	    memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
}

/* Adds a file, with a copy of its path.  Returns 0 or -ENOMEM. */
static int
add_code_file(struct code_files *l, const struct tprof_module *id,
    uint32_t hash)
{
	struct code_file own = {
		.id = *id, .map_device = id->device, .map_inode = id->inode,
	};
	char *path;

	if (l->count >= HASH_INDEX_NONE - 1 || vector_grow(&l->all, l->count,
	    &l->room, sizeof(own)) != 0)
		return -ENOMEM;
	path = strndup(id->path, id->path_bytes);
	if (path == NULL || hash_index_add(&l->by_path, hash,
	    (uint32_t)l->count) != 0) {
		free(path);
		return -ENOMEM;
	}
	own.id.path = path;
	own.id.seen = clock_ns_now(CLOCK_REALTIME);
	if (strcmp(path, "[vdso]") == 0)
		own.flags = TPROF_M_VDSO;
	else if (*path != '/' || strncmp(path, "//", 2) == 0)
		own.flags = TPROF_M_NO_FILE;
	l->all[l->count++] = own;
	return 0;
}

uint32_t
code_files_find(struct code_files *l, const struct tprof_module *id)
{
	const uint32_t hash = hash_index_hash_bytes(id->path, id->path_bytes);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&l->by_path, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (same_file(&l->all[n], id))
			return n;
	return add_code_file(l, id, hash) == 0 ? (uint32_t)l->count - 1 :
	    UINT32_MAX;
}

/* Returns whether the file that was read is the one that is mapped. */
static bool
is_it(const struct elf_layout *p, const struct tprof_module *id)
{
	if (id->build_id_bytes != 0)
		return p->build_id_bytes == id->build_id_bytes &&
		    memcmp(p->build_id, id->build_id, p->build_id_bytes) == 0;
	/* On btrfs and overlayfs, maps and stat(2) have different devices. */
	return p->inode == id->inode;
}

/*
 * Notes what was read from the file at `path`, which is the one that is mapped.
 */
static void
set_file_layout(struct code_file *own, const struct elf_layout *p,
    const char *path)
{
	own->found = strdup(path);
	own->bias = p->low - p->offset;
	own->program = *p;
	own->flags |= TPROF_M_BIASED;
	own->id.device = p->device;
	own->id.inode = p->inode;
	own->id.build_id_bytes = (uint32_t)p->build_id_bytes;
	memcpy(own->id.build_id, p->build_id, p->build_id_bytes);
}

/* Looks for the file below `root`, by all names that it may have. */
static bool
resolve_below_root(struct code_file *own, const char *root)
{
	struct elf_layout p;
	char path[PATH_MAX];

	for (unsigned i = 0; i < MAPS_PATH_CANDIDATES; i++)
		if (maps_path_candidate(path, sizeof(path), root, own->id.path,
		    i) && elf_layout_read(&p, path) == 0 && is_it(&p,
		    &own->id)) {
			set_file_layout(own, &p, path);
			return true;
		}
	return false;
}

/*
 * Looks for a file of a program in a chroot.  /proc/PID/root leads there only
 * while the program runs; the path that it links to stays valid.  For a program
 * in another mount namespace this is no path of ours.
 */
static bool
resolve_outside_root(struct code_file *own, int32_t pid)
{
	char link[32], root[PATH_MAX];
	ssize_t bytes;

	snprintf(link, sizeof(link), "/proc/%" PRId32 "/root", pid);
	bytes = readlink(link, root, sizeof(root) - 1);
	if (bytes <= 1)
		return false;
	root[bytes] = '\0';
	if (!resolve_below_root(own, root))
		return false;
	if (asprintf(&own->outside, "%s%s", root, own->id.path) < 0)
		own->outside = NULL;
	return true;
}

void
code_files_resolve(struct code_files *l, uint32_t n, int32_t pid)
{
	struct code_file *own = &l->all[n];
	char root[32];

	if (own->settled)
		return;
	own->settled = true;
	if ((own->flags & TPROF_M_VDSO) != 0) {
		own->flags |= TPROF_M_BIASED;
		own->id.build_id_bytes =
		    (uint32_t)own_vdso_build_id(own->id.build_id);
	}
	if (own->flags != 0 || resolve_below_root(own, "") ||
	    resolve_outside_root(own, pid))
		return;
	snprintf(root, sizeof(root), "/proc/%" PRId32 "/root", pid);
	resolve_below_root(own, root);
}

struct tprof_module
code_file_id(const struct code_file *own)
{
	struct tprof_module id = own->id;

	if (own->outside != NULL) {
		id.path = own->outside;
		id.path_bytes = (uint32_t)strlen(id.path);
	}
	return id;
}

void
code_files_free(struct code_files *l)
{
	for (size_t i = 0; i < l->count; i++) {
		perf_unwind_state_close(l->all[i].tables);
		free(l->all[i].found);
		free(l->all[i].outside);
		free((char *)(uintptr_t)l->all[i].id.path);
	}
	free(l->all);
	hash_index_free(&l->by_path);
	*l = (struct code_files) { 0 };
}
