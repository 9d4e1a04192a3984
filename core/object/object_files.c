/*
 * Context: O.  Finds the file of a module and its debug file, for object.c; see
 * object_files.h.
 */
#include "object_files.h"

#include "base/map_identity.h"
#include "base/maps_path.h"
#include "elf/minidebug.h"
#include "elf/own_vdso.h"
#include "elf/remote.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool
is_same_inode(const struct elf_file *f, const struct object_ref *ref)
{
	uint64_t device, inode;

	if (f->inode == ref->inode && f->device == ref->device)
		return true;
	return map_identity(f->copy->fd, &device, &inode) == 0 &&
	    inode == ref->inode && device == ref->device;
}

/*
 * Returns whether a file is the one that ran, by its build-id or, without one,
 * by device, inode and time of change.
 */
static bool
is_same_file(const struct elf_file *f, const struct object_ref *ref)
{
	if (ref->build_id_bytes != 0)
		return elf_file_has_build_id(f, ref->build_id,
		    ref->build_id_bytes);
	return f->changed <= ref->seen && is_same_inode(f, ref);
}

static enum object_state
state_of_error(int error)
{
	switch (error) {
	case -ENOEXEC:
		return OBJECT_NOT_ELF;
	case -ENOENT:
	case -ENOTDIR:
		return OBJECT_MISSING;
	case -EACCES:
	case -EPERM:
		return OBJECT_NO_PERMISSION;
	default:
		return OBJECT_UNREADABLE;
	}
}

/*
 * Opens the file at `path` into *f if it is the one that ran.  *f is open only
 * with OBJECT_FOUND.
 */
static enum object_state
try_path(struct elf_file *f, const struct object_ref *ref, const char *path)
{
	enum object_state state;
	int ret = elf_file_open(f, path);

	if (ret != 0)
		return state_of_error(ret);
	state = !is_same_file(f, ref) ? OBJECT_CHANGED :
	    elf_file_is_truncated(f) ? OBJECT_TRUNCATED : OBJECT_FOUND;
	if (state != OBJECT_FOUND)
		elf_file_close(f);
	return state;
}

/* Opens the vdso of this process if it is the one that the profile names. */
static enum object_state
open_vdso(struct elf_file *f, const struct object_ref *ref)
{
	const int ret = own_vdso_open(f);

	if (ret != 0)
		return state_of_error(ret);
	if (elf_file_has_build_id(f, ref->build_id, ref->build_id_bytes))
		return OBJECT_FOUND;
	elf_file_close(f);
	return OBJECT_CHANGED;
}

/*
 * Tries the file below `root` by all the names that it may have.  If found,
 * path[] has its path.
 */
static enum object_state
try_names(struct object_files *o, const struct object_ref *ref,
    const char *root, char *path, size_t room)
{
	enum object_state state = OBJECT_MISSING;

	for (unsigned i = 0; i < MAPS_PATH_CANDIDATES && state != OBJECT_FOUND;
	    i++) {
		enum object_state own;

		if (!maps_path_candidate(path, room, root, ref->path, i))
			continue;
		own = try_path(&o->main, ref, path);
		if (own == OBJECT_FOUND || state == OBJECT_MISSING)
			state = own;
	}
	return state;
}

/*
 * Opens the file as the process sees it: below another root, or deleted since.
 */
static enum object_state
open_in_process(struct object_files *o, const struct object_ref *ref,
    char *path, size_t room)
{
	char root[sizeof("/proc//root") + 3 * sizeof(ref->pid)];

	if (ref->pid == 0)
		return OBJECT_MISSING;
	snprintf(root, sizeof(root), "/proc/%d/root", ref->pid);
	if (try_names(o, ref, root, path, room) == OBJECT_FOUND)
		return OBJECT_FOUND;
	snprintf(path, room, "/proc/%d/exe", ref->pid);
	if (try_path(&o->main, ref, path) == OBJECT_FOUND)
		return OBJECT_FOUND;
	/* This needs CAP_CHECKPOINT_RESTORE. */
	snprintf(path, room, "/proc/%d/map_files/%llx-%llx", ref->pid,
	    (unsigned long long)ref->start, (unsigned long long)ref->end);
	return try_path(&o->main, ref, path);
}

/*
 * Returns the state for a debug file that could not be used.  A file with all
 * its symbols needs none.
 */
static enum object_state
state_without_debug(const struct object_files *o,
    const struct debugfile_refused *refused)
{
	static const enum object_state state[] = {
		[DEBUGFILE_OK] = OBJECT_FOUND,
		[DEBUGFILE_TRUNCATED] = OBJECT_DEBUG_TRUNCATED,
		[DEBUGFILE_WRONG_BUILD_ID] = OBJECT_DEBUG_WRONG_ID,
		[DEBUGFILE_WRONG_CRC] = OBJECT_DEBUG_WRONG_CRC,
		[DEBUGFILE_NOT_ELF] = OBJECT_DEBUG_NOT_ELF,
		[DEBUGFILE_NO_PERMISSION] = OBJECT_DEBUG_NO_PERMISSION,
	};

	return elf_file_section(&o->main, ".symtab") != NULL ? OBJECT_FOUND :
	    state[refused->fault];
}

/* Returns whether the file itself has debug information. */
static bool
has_lines(const struct object_files *o)
{
	return o->main.elf != NULL &&
	    (elf_file_section(&o->main, ".debug_info") != NULL ||
	    elf_file_section(&o->main, ".zdebug_info") != NULL);
}

/*
 * Opens the debug file, in addition to the file itself if `state` says that it
 * was found.  Returns OBJECT_FOUND or a state of the debug file with something
 * open, else `state`.
 */
static enum object_state
open_debug(struct object_files *o, const struct object_ref *ref,
    enum object_state state, struct debugfile_refused *refused)
{
	int mini;

	if (debugfile_by_build_id(&o->debug, ref->build_id, ref->build_id_bytes,
	    refused) == 0)
		return OBJECT_FOUND;
	if (state == OBJECT_FOUND && debugfile_by_debuglink(&o->debug, &o->main,
	    o->path, refused) == 0)
		return OBJECT_FOUND;
	if (!has_lines(o) && remote_debugfile(&o->debug, ref->build_id,
	    ref->build_id_bytes, refused) == 0)
		return OBJECT_FOUND;
	if (state != OBJECT_FOUND)
		return state;
	mini = minidebug_open(&o->mini, &o->main);
	state = state_without_debug(o, refused);
	if (state != OBJECT_FOUND)
		return state;
	return mini == -EINVAL ? OBJECT_MINIDEBUG_DAMAGED : OBJECT_FOUND;
}

enum object_state
object_files_open(struct object_files *o, const struct object_ref *ref,
    char *path, size_t room, struct debugfile_refused *refused)
{
	enum object_state state;

	memset(o, 0, sizeof(*o));
	o->path = path;
	if (ref->vdso)
		return open_vdso(&o->main, ref);
	if (ref->path[0] != '/')
		return OBJECT_MISSING;
	state = try_names(o, ref, "", path, room);
	if (state != OBJECT_FOUND &&
	    open_in_process(o, ref, path, room) == OBJECT_FOUND)
		state = OBJECT_FOUND;
	return open_debug(o, ref, state, refused);
}

void
object_files_close(struct object_files *o)
{
	elf_file_close(&o->main);
	elf_file_close(&o->debug);
	elf_file_close(&o->mini);
}
