/*
 * Context: O.  Opens the file of a module and its debug file, and names
 * addresses by them.
 */
#include "object.h"

#include "elf/debugfile.h"
#include "elf/ehframe.h"
#include "elf_foreign.h"
#include "base/map_identity.h"
#include "base/maps_path.h"
#include "elf/minidebug.h"
#include "symbol/plt.h"
#include "elf/remote.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/*
 * The files of a module that were found: the file itself, its debug file, or
 * both.
 */
struct object {
	struct elf_file main;
	struct elf_file debug;
	struct elf_file mini;	/* inside of main, if there is no debug file */
	const char *path;	/* of main */
};

static bool
object_is_same_inode(const struct elf_file *f, const struct object_ref *ref)
{
	uint64_t device, inode;

	if (f->inode == ref->inode && f->device == ref->device)
		return true;
	return map_identity(f->copy->fd, &device, &inode) == 0 &&
	    inode == ref->inode && device == ref->device;
}

static bool
object_is_same_file(const struct elf_file *f, const struct object_ref *ref)
{
	if (ref->build_id_bytes != 0)
		return elf_file_has_build_id(f, ref->build_id,
		    ref->build_id_bytes);
	return f->changed <= ref->seen && object_is_same_inode(f, ref);
}

static enum object_state
object_state_of_error(int error)
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

static enum object_state
object_try(struct elf_file *f, const struct object_ref *ref, const char *path)
{
	enum object_state state;
	int ret = elf_file_open(f, path);

	if (ret != 0)
		return object_state_of_error(ret);
	state = !object_is_same_file(f, ref) ? OBJECT_CHANGED :
	    elf_file_is_truncated(f) ? OBJECT_TRUNCATED : OBJECT_FOUND;
	if (state != OBJECT_FOUND)
		elf_file_close(f);
	return state;
}

/*
 * Opens the tool's own vdso, which is the one that ran if the kernel is the
 * same.
 */
static enum object_state
object_open_own_vdso(struct elf_file *f)
{
	const Elf64_Ehdr *image = (const Elf64_Ehdr *)getauxval(
	    AT_SYSINFO_EHDR);
	size_t size;

	if (image == NULL)
		return OBJECT_MISSING;
	size = image->e_shoff + (size_t)image->e_shnum * image->e_shentsize;
	return elf_file_open_memory(f, image, size) == 0 ? OBJECT_FOUND :
	    OBJECT_NOT_ELF;
}

size_t
object_vdso_id(unsigned char *id)
{
	const unsigned char *own;
	struct elf_file f;
	size_t bytes;

	if (object_open_own_vdso(&f) != OBJECT_FOUND)
		return 0;
	bytes = elf_file_build_id(&f, &own);
	if (bytes > OBJECT_BUILD_ID_MAX)
		bytes = 0;
	memcpy(id, own, bytes);
	elf_file_close(&f);
	return bytes;
}

static enum object_state
object_open_vdso(struct elf_file *f, const struct object_ref *ref)
{
	const enum object_state state = object_open_own_vdso(f);

	if (state != OBJECT_FOUND)
		return state;
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
object_try_names(struct object *o, const struct object_ref *ref,
    const char *root, char *path, size_t room)
{
	enum object_state state = OBJECT_MISSING;

	for (unsigned i = 0; i < MAPS_PATH_CANDIDATES && state != OBJECT_FOUND;
	    i++) {
		enum object_state own;

		if (!maps_path_candidate(path, room, root, ref->path, i))
			continue;
		own = object_try(&o->main, ref, path);
		if (own == OBJECT_FOUND || state == OBJECT_MISSING)
			state = own;
	}
	return state;
}

/*
 * Opens the file as the process sees it: below another root, or deleted since.
 */
static enum object_state
object_open_in_process(struct object *o, const struct object_ref *ref,
    char *path, size_t room)
{
	char root[sizeof("/proc//root") + 3 * sizeof(ref->pid)];

	if (ref->pid == 0)
		return OBJECT_MISSING;
	snprintf(root, sizeof(root), "/proc/%d/root", ref->pid);
	if (object_try_names(o, ref, root, path, room) == OBJECT_FOUND)
		return OBJECT_FOUND;
	snprintf(path, room, "/proc/%d/exe", ref->pid);
	if (object_try(&o->main, ref, path) == OBJECT_FOUND)
		return OBJECT_FOUND;
	/* This needs CAP_CHECKPOINT_RESTORE. */
	snprintf(path, room, "/proc/%d/map_files/%llx-%llx", ref->pid,
	    (unsigned long long)ref->start, (unsigned long long)ref->end);
	return object_try(&o->main, ref, path);
}

/*
 * Returns the state for a debug file that could not be used.  A file with all
 * its symbols needs none.
 */
static enum object_state
object_missing_debug(const struct object *o,
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

static bool
object_has_lines(const struct object *o)
{
	return o->main.elf != NULL &&
	    (elf_file_section(&o->main, ".debug_info") != NULL ||
	    elf_file_section(&o->main, ".zdebug_info") != NULL);
}

/*
 * Opens the debug file, in addition to the file itself if `state` says that it
 * was found.
 */
static enum object_state
object_open_debug(struct object *o, const struct object_ref *ref,
    enum object_state state, struct debugfile_refused *refused)
{
	int mini;

	if (debugfile_by_build_id(&o->debug, ref->build_id, ref->build_id_bytes,
	    refused) == 0)
		return OBJECT_FOUND;
	if (state == OBJECT_FOUND && debugfile_by_debuglink(&o->debug, &o->main,
	    o->path, refused) == 0)
		return OBJECT_FOUND;
	if (!object_has_lines(o) && remote_debugfile(&o->debug, ref->build_id,
	    ref->build_id_bytes, refused) == 0)
		return OBJECT_FOUND;
	if (state != OBJECT_FOUND)
		return state;
	mini = minidebug_open(&o->mini, &o->main);
	state = object_missing_debug(o, refused);
	if (state != OBJECT_FOUND)
		return state;
	return mini == -EINVAL ? OBJECT_MINIDEBUG_DAMAGED : OBJECT_FOUND;
}

static enum object_state
object_open(struct object *o, const struct object_ref *ref, char *path,
    size_t room, struct debugfile_refused *refused)
{
	enum object_state state;

	memset(o, 0, sizeof(*o));
	o->path = path;
	if (ref->vdso)
		return object_open_vdso(&o->main, ref);
	if (ref->path[0] != '/')
		return OBJECT_MISSING;
	state = object_try_names(o, ref, "", path, room);
	if (state != OBJECT_FOUND &&
	    object_open_in_process(o, ref, path, room) == OBJECT_FOUND)
		state = OBJECT_FOUND;
	return object_open_debug(o, ref, state, refused);
}

static void
object_close(struct object *o)
{
	elf_file_close(&o->main);
	elf_file_close(&o->debug);
	elf_file_close(&o->mini);
}

static int
object_add_symbols(struct symbol_lookup *s, const struct object *o)
{
	const struct elf_file *const file[] = { &o->main, &o->debug, &o->mini };
	int ret = 0;

	for (size_t i = 0; i < 3 && ret == 0; i++)
		if (file[i]->elf != NULL)
			ret = symbol_lookup_add_file(s, file[i]);
	return ret;
}

/* Sets the bounds of the function for code without a name. */
static void
object_set_bounds(const struct ehframe *bounds, struct symbol *asked,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ehframe_range range;

		if (asked[i].bounded ||
		    !ehframe_before(bounds, asked[i].address, &range) ||
		    asked[i].address >= range.end)
			continue;
		asked[i].start = range.start;
		asked[i].bounded = true;
	}
}

static int
object_name(const struct object *o, struct symbol *asked, size_t count,
    struct arena *arena, const struct ehframe *bounds)
{
	struct symbol_lookup set;
	int ret = symbol_lookup_begin(&set, asked, count);

	if (ret == 0 && o->main.elf != NULL)
		ret = plt_name(&o->main, asked, count, arena);
	if (ret == 0)
		ret = object_add_symbols(&set, o);
	if (ret == 0)
		ret = symbol_lookup_resolve(&set, bounds, arena);
	symbol_lookup_end(&set);
	if (ret == 0 && bounds != NULL)
		object_set_bounds(bounds, asked, count);
	return ret;
}

static void
object_clear_names(struct symbol *asked, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		asked[i].start = asked[i].address;
		asked[i].name = NULL;
		asked[i].bounded = false;
	}
}

static int
object_lines(const struct object *o, const struct symbol *asked, size_t count,
    struct arena *arena, struct lines *lines)
{
	const bool apart = o->debug.elf != NULL &&
	    (elf_file_section(&o->debug, ".debug_info") != NULL ||
	    elf_file_section(&o->debug, ".zdebug_info") != NULL);

	return lines_read(lines, apart ? &o->debug : &o->main, o->path, asked,
	    count, arena);
}

int
object_resolve(const struct object_ref *ref, struct symbol *asked,
    size_t count, struct arena *arena, enum object_state *state,
    const char **debug, struct lines *lines)
{
	struct debugfile_refused refused = { .fault = DEBUGFILE_OK };
	char path[PATH_MAX];
	struct ehframe bounds;
	struct object o;
	int ret = 0;

	object_clear_names(asked, count);
	*debug = NULL;
	*state = object_open(&o, ref, path, sizeof(path), &refused);
	if (*state == OBJECT_NOT_ELF)
		return elf_foreign_resolve(ref, asked, count, arena, state);
	if (!object_is_found(*state))
		return 0;
	memset(&bounds, 0, sizeof(bounds));
	if (object_is_debug(*state)) {
		*debug = arena_copy(arena, refused.path, strlen(refused.path));
		ret = *debug == NULL ? -ENOMEM : 0;
	}
	if (ret == 0 && o.main.elf != NULL)
		ret = ehframe_open(&bounds, &o.main);
	if (ret == 0)
		ret = object_name(&o, asked, count, arena,
		    o.main.elf != NULL ? &bounds : NULL);
	if (ret == 0 && lines != NULL)
		ret = object_lines(&o, asked, count, arena, lines);
	if (!elf_file_is_unchanged(&o.main) ||
	    !elf_file_is_unchanged(&o.debug)) {
		object_clear_names(asked, count);
		if (lines != NULL)
			lines_free(lines);
		*state = OBJECT_CHANGED;
		*debug = NULL;
	}
	ehframe_close(&bounds);
	object_close(&o);
	return ret;
}

/* Copies code from a file.  A separate debug file has no code. */
static int
copy_code(const struct elf_file *f, uint64_t address, size_t size,
    struct object_code *code)
{
	size_t left = 0;
	const unsigned char *at = f->elf == NULL ? NULL :
	    elf_file_at(f, address, size, &left);

	if (at == NULL || left == 0)
		return 0;
	code->bytes = malloc(left);
	if (code->bytes == NULL)
		return -ENOMEM;
	memcpy(code->bytes, at, left);
	code->size = left;
	code->machine = f->machine;
	return 0;
}

int
object_read_code(const struct object_ref *ref, uint64_t address, size_t size,
    struct object_code *code)
{
	struct debugfile_refused refused = { .fault = DEBUGFILE_OK };
	char path[PATH_MAX];
	struct object o;
	int ret = 0;

	memset(code, 0, sizeof(*code));
	if (!object_is_found(object_open(&o, ref, path, sizeof(path),
	    &refused)))
		return 0;
	ret = copy_code(&o.main, address, size, code);
	if (!elf_file_is_unchanged(&o.main)) {
		free(code->bytes);
		memset(code, 0, sizeof(*code));
	}
	object_close(&o);
	return ret;
}
