/*
 * Context: S.  Finds the object that a mapping belongs to, for module_table.c,
 * in the thread that reads the memory map, whose buffers in `mon` it
 * overwrites; doc/design/modules.md.
 */
#include "module/mapped_object.h"

#include "base/state.h"
#include "base/str.h"
#include "module/elf_compare.h"
#include "module/link_map.h"
#include "thread/private_fds.h"

static bool
is_file_mapping(const struct proc_maps_line *line)
{
	return line->inode != 0 || str_equal(line->path, "[vdso]");
}

static bool
is_same_file(const struct mapped_object *o, const struct proc_maps_line *line)
{
	return o->head != 0 && o->device == line->device &&
	    o->inode == line->inode;
}

/* Reads the bounds of the object below, once. */
static bool
is_within_object(struct mapped_object *o, uint64_t at)
{
	struct elf_headers e;

	if (o->head == 0)
		return false;
	if (!o->asked) {
		o->asked = true;
		o->low = o->high = 0;
		if (elf_headers_read(&e, o->head, "", o->head,
		    ELF_HEADERS_NO_OFFSET) == 0) {
			o->low = e.low;
			o->high = e.high;
		}
	}
	return at >= o->low && at < o->high;
}

void
mapped_object_note_line(struct mapped_object *o,
    const struct proc_maps_line *line)
{
	if (line->head != line->start)
		return;		/* no file begins in this line */
	/*
	 * Several segments can have the first page of a file, and the program
	 * can map other files over its text.
	 */
	if ((is_same_file(o, line) || line->executable) &&
	    is_within_object(o, line->start))
		return;
	o->head = line->start;
	o->device = line->device;
	o->inode = line->inode;
	o->deleted = line->deleted;
	o->asked = false;
	if (line->path != mon->module_name)
		str_copy(mon->module_name, line->path,
		    sizeof(mon->module_name));
}

/* Names the hit by the mapping's own path. */
static void
name_by_line(struct mapped_object_hit *hit, const struct proc_maps_line *line)
{
	hit->path = line->path;
	hit->path_bytes = line->path_bytes;
	hit->device = line->device;
	hit->inode = line->inode;
	hit->deleted = line->deleted;
}

/*
 * Names the hit after the object below, because other memory lies where the
 * object was mapped.
 */
static void
name_by_head(struct mapped_object_hit *hit, const struct mapped_object *o)
{
	hit->path = mon->module_name;
	hit->path_bytes = str_length(mon->module_name);
	hit->device = o->device;
	hit->inode = o->inode;
	hit->deleted = o->deleted;
}

/*
 * Names the hit by the loader's list.  Device and inode are 0 if the file is
 * not there.
 */
static void
name_by_list(struct mapped_object_hit *hit,
    const struct link_map_list_object *l)
{
	struct stat st;

	hit->path = mon->module_name;
	hit->path_bytes = link_map_list_path(l, mon->module_name,
	    sizeof(mon->module_name));
	hit->device = hit->inode = 0;
	hit->deleted = false;
	if (SYS(newfstatat, AT_FDCWD, mon->module_name, &st, 0, 0, 0) != 0)
		return;
	hit->device = (uint64_t)(st.st_dev >> 8 & 0xfff) << 32 |
	    (st.st_dev & 0xff) | (st.st_dev >> 12 & 0xfff00);
	hit->inode = st.st_ino;
}

/*
 * Names an object that the line's mapping belongs to.  A packed program unpacks
 * another program into memory, and the loader names that by the packed file's
 * path.  A build-id distinguishes the two later; without one, the file must be
 * that of the mapping or have the same headers.  Returns 0 or
 * PRIVATE_FDS_RETRY.
 */
static int
name_listed(struct mapped_object_hit *hit, const struct link_map_list_object *l,
    const struct proc_maps_line *line)
{
	int same;

	name_by_list(hit, l);
	if (hit->elf.build_id_bytes != 0 || hit->inode == 0 ||
	    hit->inode == line->inode)
		return 0;
	same = elf_compare_is_file(hit->head, mon->module_name);
	if (same == PRIVATE_FDS_RETRY)
		return same;
	if (same == 0)
		hit->device = hit->inode = 0;
	return 0;
}

/*
 * Returns the object of the loader's list that holds the address, or NULL.
 * Reads the list once in a pass.
 */
static const struct link_map_list_object *
find_listed(struct mapped_object *o, uint64_t at)
{
	if (!o->listed) {
		mon->loaded_count = link_map_list_read(mon->loaded,
		    sizeof(mon->loaded) / sizeof(mon->loaded[0]));
		o->listed = true;
	}
	for (unsigned i = 0; i < mon->loaded_count; i++)
		if (at >= mon->loaded[i].low && at < mon->loaded[i].high)
			return &mon->loaded[i];
	return NULL;
}

/*
 * Names an object by its own mapping.  A loader maps text privately and from a
 * file.  If the mapping is shared or of a memfd, the program has moved the text
 * there, and the mapping's name says nothing about the object.  Returns 0 or
 * PRIVATE_FDS_RETRY.
 */
static int
name_by_own_mapping(struct mapped_object_hit *hit, struct mapped_object *o,
    const struct proc_maps_line *line)
{
	const struct link_map_list_object *l = line->shared ||
	    str_begins(line->path, "/memfd:") ?
	    find_listed(o, line->start) : NULL;

	name_by_line(hit, line);
	if (l == NULL || l->head != hit->head)
		return 0;
	if (name_listed(hit, l, line) == PRIVATE_FDS_RETRY)
		return PRIVATE_FDS_RETRY;
	/*
	 * The object was loaded from this mapping's file: by a descriptor, or
	 * by exec.
	 */
	if (hit->inode == 0 || hit->inode == line->inode ||
	    str_begins(hit->path, "/proc/") || str_begins(hit->path, "/dev/"))
		name_by_line(hit, line);
	else
		o->head = 0;	/* mon->module_name was overwritten */
	return 0;
}

/*
 * Returns the end of the part of the line from `at` on that holds no object:
 * the next object of the loader's list begins there, or the line ends.
 */
static uint64_t
end_of_gap(const struct proc_maps_line *line, uint64_t at)
{
	for (unsigned i = 0; i < mon->loaded_count; i++)
		if (mon->loaded[i].low > at && mon->loaded[i].low < line->end)
			return mon->loaded[i].low;
	return line->end;
}

/*
 * Tests whether the text at `at` belongs to the object whose header is at
 * `head`, and sets how far it does.  Returns as elf_headers_read() does.
 */
static int
try_head(struct mapped_object_hit *hit, uint64_t head, const char *path,
    const struct proc_maps_line *line, uint64_t at)
{
	int ret = elf_headers_read(&hit->elf, head, path, at,
	    !is_file_mapping(line) ? ELF_HEADERS_NO_OFFSET :
	    line->offset + (at - line->start));

	hit->head = head;
	hit->until = line->end;
	if (ret == 0 && hit->elf.own && hit->elf.until < line->end)
		hit->until = hit->elf.until;
	return ret;
}

/*
 * Finds the object by the mapped file alone, after memory and the loader's list
 * had none.
 */
static int
try_file(struct mapped_object_hit *hit, uint64_t head,
    const struct proc_maps_line *line, uint64_t at)
{
	int ret = try_head(hit, head, line->path, line, at);

	name_by_line(hit, line);
	if (!hit->elf.own)
		hit->head = 0;
	if (ret == PRIVATE_FDS_RETRY)
		return ret;
	hit->until = line->end;
	return ret == 0 ? 0 : -ENOEXEC;
}

int
mapped_object_find(struct mapped_object *o, const struct proc_maps_line *line,
    uint64_t at, struct mapped_object_hit *hit)
{
	const bool file = is_file_mapping(line), own = file && is_same_file(o,
	    line);
	const struct link_map_list_object *l;
	int ret;

	if (own || is_within_object(o, at)) {
		ret = try_head(hit, o->head, own ? line->path :
		    mon->module_name, line, at);
		if (own && name_by_own_mapping(hit, o,
		    line) == PRIVATE_FDS_RETRY)
			return PRIVATE_FDS_RETRY;
		if (!own)
			name_by_head(hit, o);
		if (ret == PRIVATE_FDS_RETRY || (ret == 0 && hit->elf.own))
			return ret;
	}
	l = find_listed(o, at);
	if (l != NULL && try_head(hit, l->head, "", line, at) == 0 &&
	    hit->elf.own) {
		o->head = 0;	/* mon->module_name was overwritten */
		ret = name_listed(hit, l, line);
		if (file && hit->path_bytes == 0)
			name_by_line(hit, line);
		return ret;
	}
	if (file)
		return try_file(hit, own ? o->head : 0, line, at);
	hit->until = end_of_gap(line, at);
	return -ENOEXEC;
}

/* Finds the object's next executable segment from w->at on. */
static bool
next_segment(struct mapped_object_walk *w, const struct link_map_list_object *l,
    struct proc_maps_line *line)
{
	struct elf_headers e;

	while (w->at < l->high && elf_headers_read(&e, l->head, "", w->at,
	    ELF_HEADERS_NO_OFFSET) == 0) {
		const uint64_t start = w->at;

		w->at = e.own ? e.until : e.next;
		if (e.own) {
			/* mem_zero, because {0} calls memset on arm64. */
			mem_zero(line, sizeof(*line));
			line->start = start;
			line->end = e.until;
			line->head = l->head;
			line->readable = e.readable;
			line->executable = true;
			return true;
		}
		if (e.next == 0)
			return false;
	}
	return false;
}

/*
 * Skips an object that was listed before: the loader itself is in all
 * namespaces.
 */
static bool
is_listed_before(unsigned i)
{
	return i > 0 && mon->loaded[i].head == mon->loaded[i - 1].head;
}

bool
mapped_object_next(struct mapped_object_walk *w, struct proc_maps_line *line)
{
	struct mapped_object_hit hit;

	if (!w->begun)
		mon->loaded_count = link_map_list_read(mon->loaded,
		    sizeof(mon->loaded) / sizeof(mon->loaded[0]));
	w->begun = true;
	for (; w->object < mon->loaded_count; w->object++, w->at = 0) {
		const struct link_map_list_object *l = &mon->loaded[w->object];

		if (is_listed_before(w->object))
			continue;
		if (w->at < l->low)
			w->at = l->low;
		if (!next_segment(w, l, line))
			continue;
		name_by_list(&hit, l);
		line->path = hit.path;
		line->path_bytes = hit.path_bytes;
		line->device = hit.device;
		line->inode = hit.inode;
		return true;
	}
	return false;
}
