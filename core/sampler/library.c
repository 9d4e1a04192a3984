/* Context: O.  Files whose code is mapped, of any process. */
#define _GNU_SOURCE		/* asprintf */
#include "library.h"

#include "grow.h"
#include "object.h"
#include "program.h"
#include "spelling.h"
#include "unwind.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t
real_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool
same_file(const struct tprof_module *a, const struct tprof_module *b)
{
	if (a->path_bytes != b->path_bytes ||
	    memcmp(a->path, b->path, a->path_bytes) != 0)
		return false;
	if (a->inode != 0 && b->inode != 0)
		return a->inode == b->inode && a->device == b->device;
	return a->build_id_bytes == b->build_id_bytes &&
	    memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
}

static int
add(struct libraries *l, const struct tprof_module *id, uint32_t hash)
{
	struct library own = { .id = *id };
	char *path;

	if (l->count >= FINDER_NONE - 1 || grow(&l->all, l->count, &l->room,
	    sizeof(own)) != 0)
		return -ENOMEM;
	path = strndup(id->path, id->path_bytes);
	if (path == NULL || finder_add(&l->by_path, hash,
	    (uint32_t)l->count) != 0) {
		free(path);
		return -ENOMEM;
	}
	own.id.path = path;
	own.id.seen = real_now();
	if (strcmp(path, "[vdso]") == 0)
		own.flags = TPROF_M_VDSO;
	else if (*path != '/' || strncmp(path, "//", 2) == 0)
		own.flags = TPROF_M_NO_FILE;
	l->all[l->count++] = own;
	return 0;
}

uint32_t
libraries_find(struct libraries *l, const struct tprof_module *id)
{
	const uint32_t hash = finder_hash_bytes(id->path, id->path_bytes);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&l->by_path, hash, &at)) !=
	    FINDER_NONE;)
		if (same_file(&l->all[n].id, id))
			return n;
	return add(l, id, hash) == 0 ? (uint32_t)l->count - 1 : UINT32_MAX;
}

/* Is the file that was read the one that is mapped? */
static bool
is_it(const struct program *p, const struct tprof_module *id)
{
	if (id->build_id_bytes != 0)
		return p->build_id_bytes == id->build_id_bytes &&
		    memcmp(p->build_id, id->build_id, p->build_id_bytes) == 0;
	/* Devices differ between a map and stat(2) on btrfs and overlayfs. */
	return p->inode == id->inode;
}

static void
take(struct library *own, const struct program *p, const char *path)
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

/* Below that root, by all names that it may have. */
static bool
take_below(struct library *own, const char *root)
{
	struct program p;
	char path[PATH_MAX];

	for (unsigned i = 0; i < SPELLINGS; i++)
		if (spelling_make(path, sizeof(path), root, own->id.path, i) &&
		    program_read(&p, path) == 0 && is_it(&p, &own->id)) {
			take(own, &p, path);
			return true;
		}
	return false;
}

/*
 * Of a program in a chroot: /proc/PID/root leads there as long as it runs, and
 * that path for good.  Of one in another mount namespace it is no path of ours.
 */
static bool
take_outside(struct library *own, int32_t pid)
{
	char link[32], root[PATH_MAX];
	ssize_t bytes;

	snprintf(link, sizeof(link), "/proc/%" PRId32 "/root", pid);
	bytes = readlink(link, root, sizeof(root) - 1);
	if (bytes <= 1)
		return false;
	root[bytes] = '\0';
	if (!take_below(own, root))
		return false;
	if (asprintf(&own->outside, "%s%s", root, own->id.path) < 0)
		own->outside = NULL;
	return true;
}

void
libraries_settle(struct libraries *l, uint32_t n, int32_t pid)
{
	struct library *own = &l->all[n];
	char root[32];

	if (own->settled)
		return;
	own->settled = true;
	if ((own->flags & TPROF_M_VDSO) != 0) {
		own->flags |= TPROF_M_BIASED;
		own->id.build_id_bytes =
		    (uint32_t)object_vdso_id(own->id.build_id);
	}
	if (own->flags != 0 || take_below(own, "") || take_outside(own, pid))
		return;
	snprintf(root, sizeof(root), "/proc/%" PRId32 "/root", pid);
	take_below(own, root);
}

struct tprof_module
library_id(const struct library *own)
{
	struct tprof_module id = own->id;

	if (own->outside != NULL) {
		id.path = own->outside;
		id.path_bytes = (uint32_t)strlen(id.path);
	}
	return id;
}

void
libraries_free(struct libraries *l)
{
	for (size_t i = 0; i < l->count; i++) {
		unwind_close(l->all[i].tables);
		free(l->all[i].found);
		free(l->all[i].outside);
		free((char *)(uintptr_t)l->all[i].id.path);
	}
	free(l->all);
	finder_free(&l->by_path);
	*l = (struct libraries) { .all = NULL };
}
