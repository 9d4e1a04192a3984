/*
 * Context: S.  Fills the table of modules from the memory map, for modules.c
 * alone, in the thread that has mon->module_busy or in its helper thread, so it
 * uses no TLS; see module_table.h.
 */
#include "module/module_table.h"

#include "base/loss_count.h"
#include "base/str.h"
#include "count/arc_shard.h"
#include "module/elf_source.h"
#include "module/mapped_object.h"
#include "module/module_filter.h"
#include "module/module_record.h"
#include "store/store.h"
#include "thread/private_fds.h"

const struct module_range *
module_table_find(const struct module_table *t, uint64_t pc)
{
	uint32_t low = 0, high = t->count, middle;

	if (high > MODULE_MAX)
		return NULL;	/* being written: the caller finds out */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (pc < t->range[middle].start)
			high = middle;
		else if (pc >= t->range[middle].end)
			low = middle + 1;
		else
			return &t->range[middle];
	}
	return NULL;
}

/*
 * Returns whether the mapping may hold generated code: memory of no file, of a
 * file without a name, or of a device; also memory that is mapped twice, once
 * to write and once to run.
 */
static bool
is_generated(const struct proc_maps_line *line)
{
	return line->inode == 0 || line->shared ||
	    str_begins(line->path, "/memfd:") ||
	    str_begins(line->path, "/SYSV") || line->path[0] != '/' ||
	    elf_source_is_regular_file(line->path) == 0;
}

static bool
is_range_of_object(const struct module_range *r,
    const struct mapped_object_hit *hit)
{
	return r->record != 0 && r->head == hit->head &&
	    r->bias == hit->elf.bias &&
	    r->tables.index == hit->elf.tables.index &&
	    r->tables.high == hit->elf.tables.high &&
	    module_record_has_build_id(store_at(r->record), &hit->elf);
}

/*
 * Finds the record that other text of the same object has, in this table or the
 * last one.
 */
static uint32_t
find_module_record(const struct module_table *t,
    const struct mapped_object_hit *hit)
{
	if (hit->head == 0)
		return 0;
	for (uint32_t i = t->count; i > 0 && t->range[i - 1].end > hit->elf.low;
	    i--)
		if (is_range_of_object(&t->range[i - 1], hit))
			return t->range[i - 1].record;
	return 0;
}

/* One reading of the map: the table that is in force, and the next one. */
struct refresh {
	const struct module_table *old;
	struct module_table *fresh;
	struct mapped_object object;
	/* ranges of `old` with a lower index lie below */
	uint32_t at;
	/* the caller must repeat the read by private_fds_run() */
	bool again;
	bool reread;
};

/* Returns a record, old or new, for text of the object. */
static uint32_t
record_for_object(const struct refresh *f, const struct module_range *r,
    const struct mapped_object_hit *hit, int error)
{
	uint32_t record = 0;

	if (error == 0)
		record = find_module_record(f->fresh, hit);
	if (record == 0 && error == 0)
		record = find_module_record(f->old, hit);
	if (record != 0)
		module_record_widen(record, r);
	if (record == 0 && error == 0)
		record = module_record_reuse(r, hit);
	return record != 0 ? record : module_record_make(r, hit, error);
}

/*
 * Fills the range with the object that the line's mapping belongs to from
 * r->start on, as far as it belongs to that one.  If the file has no room for
 * the object's record, the range is unrecorded: it is neither known nor
 * generated code, and walks still use its tables.  Returns 0, or
 * PRIVATE_FDS_RETRY if the caller must repeat the call by private_fds_run().
 */
static int
fill_range(struct refresh *f, struct module_range *r,
    const struct proc_maps_line *line)
{
	struct mapped_object_hit hit;
	int error = mapped_object_find(&f->object, line, r->start, &hit);

	if (error == PRIVATE_FDS_RETRY)
		return error;
	r->end = hit.until;
	r->offset = line->offset + (r->start - line->start);
	r->device = line->device;
	r->inode = line->inode;
	r->readable = line->readable;
	r->unrecorded = false;
	r->record = 0;
	r->bias = 0;
	r->head = 0;
	mem_zero(&r->tables, sizeof(r->tables));
	if (error != 0 && is_generated(line))
		return 0;
	r->bias = error == 0 ? hit.elf.bias : r->start - r->offset;
	if (error == 0) {
		r->head = hit.head;
		r->tables = hit.elf.tables;
	}
	r->record = record_for_object(f, r, &hit, error);
	r->unrecorded = r->record == 0;
	return 0;
}

static bool
is_same_mapping(const struct module_range *r, const struct proc_maps_line *line)
{
	return r->start == line->start && r->end == line->end &&
	    r->offset == line->offset && r->device == line->device &&
	    r->inode == line->inode;
}

static const struct format_module *
record_of(const struct module_range *r)
{
	return store_at(r->record);
}

/*
 * Returns whether the mapping still holds the same object: a program may have
 * written another object to the same file.
 */
static bool
is_same_object(struct refresh *f, const struct module_range *r,
    const struct proc_maps_line *line)
{
	struct mapped_object_hit hit;
	int error;

	if (r->record == 0)
		return true;
	error = mapped_object_find(&f->object, line, r->start, &hit);
	if (error != 0)
		return error != PRIVATE_FDS_RETRY &&
		    (record_of(r)->flags & FORMAT_M_NO_ELF) != 0;
	return is_range_of_object(r, &hit);
}

/*
 * Adds a mapping that is new, or whose record found no room last time and may
 * find some now.  A mapping can belong to several objects, because the kernel
 * joins adjacent ones.
 */
static void
add_new_mapping(struct refresh *f, const struct proc_maps_line *line,
    bool unrecorded)
{
	struct module_table *fresh = f->fresh;
	uint64_t at = line->start;

	while (at < line->end && !f->again) {
		struct module_range *r = &fresh->range[fresh->count];
		int ret;

		if (fresh->count == MODULE_MAX) {
			loss_count(LOSS_MODULE_FULL, 1);
			return;
		}
		r->start = at;
		ret = fill_range(f, r, line);
		f->again = ret == PRIVATE_FDS_RETRY;
		fresh->count += ret == 0;
		if (ret == 0 && r->unrecorded && !unrecorded)
			loss_count(LOSS_MODULE_SPACE, 1);
		at = f->again ? line->end : r->end;
	}
}

/*
 * Takes a mapping, by ascending address: copies it from the old table if it is
 * there unchanged, else reads it again.
 */
static void
add_maps_line(const struct proc_maps_line *line, void *arg)
{
	struct refresh *f = arg;
	const struct module_table *old = f->old;
	struct module_table *fresh = f->fresh;
	const struct module_range *was = NULL;

	if (f->again || str_equal(line->path, "[vsyscall]"))
		return;
	mapped_object_note_line(&f->object, line);
	if (!line->executable || (fresh->count != 0 &&
	    line->start < fresh->range[fresh->count - 1].end))
		return;
	while (f->at < old->count && old->range[f->at].start < line->start)
		f->at++;
	if (f->at < old->count && is_same_mapping(&old->range[f->at], line))
		was = &old->range[f->at];
	if (was == NULL || fresh->count == MODULE_MAX || was->unrecorded ||
	    (f->reread && !is_same_object(f, was, line))) {
		add_new_mapping(f, line, was != NULL && was->unrecorded);
		return;
	}
	fresh->range[fresh->count] = *was;
	fresh->range[fresh->count++].readable = line->readable;
}

/*
 * Returns whether a range of t has this record.  Usually the range at `start`
 * has it.
 */
static bool
holds_record(const struct module_table *t, uint32_t record, uint64_t start)
{
	const struct module_range *there = module_table_find(t, start);

	if (there != NULL && there->record == record)
		return true;
	for (uint32_t i = 0; i < t->count; i++)
		if (t->range[i].record == record)
			return true;
	return false;
}

/* Notes in the file which objects of the old table are not in the new one. */
static void
mark_unloaded(const struct refresh *f)
{
	for (uint32_t i = 0; i < f->old->count; i++) {
		const struct module_range *r = &f->old->range[i];
		struct format_module *m;

		if (r->record == 0 || holds_record(f->fresh, r->record,
		    r->start))
			continue;
		m = store_at(r->record);
		m->unload_mono = sys_clock(CLOCK_MONOTONIC);
		mon->modules_unloaded++;
	}
}

/*
 * Makes the caches forget text that is not where it was: other functions may be
 * loaded there.
 */
static void
forget_unmapped_text(const struct refresh *f)
{
	const bool arcs = atomic_load(&mon->shards) != NULL;
	uint32_t gone = 0;

	for (uint32_t i = 0; i < f->old->count; i++) {
		const struct module_range *r = &f->old->range[i];
		const struct module_range *there = module_table_find(f->fresh,
		    r->start);

		/*
		 * Skips generated code, whose addresses are absolute whatever
		 * the code is.
		 */
		if ((r->record == 0 && !r->unrecorded) || (there != NULL &&
		    there->start == r->start && there->end == r->end &&
		    there->record == r->record))
			continue;
		gone++;
		if (arcs)
			arc_shard_forget_text(r->start, r->end);
	}
	if (gone != 0)
		atomic_fetch_add(&mon->text_generation, 1);
}

/* Marks all ranges, because the list of watched modules may have changed. */
static void
mark_watched_ranges(struct module_table *t)
{
	const bool all = !module_filter_is_on();

	for (uint32_t i = 0; i < t->count; i++) {
		const struct format_module *m = store_at(t->range[i].record);
		const struct format_text *path = all ||
		    t->range[i].record == 0 || m->path == 0 ? NULL :
		    store_at(m->path);

		t->range[i].watched = all || (path != NULL &&
		    module_filter_matches(path->text, path->bytes));
	}
}

/*
 * Reads the memory map.  Without /proc a fork child uses the map that its
 * parent kept; failing that, the loader's list takes the place of the map and
 * gives the objects alone.
 */
static int
read_memory_map(struct refresh *f)
{
	struct mapped_object_walk w;
	struct proc_maps_line line;
	int error = proc_maps_read(0, mon->module_scratch,
	    sizeof(mon->module_scratch), add_maps_line, f);

	mem_zero(&w, sizeof(w));		/* {0} calls memset on arm64 */
	mon->modules_listed = false;
	if (error == 0 || error == -EMFILE || f->fresh->count != 0 || f->again)
		return error;
	if (f->old->count == 0 && proc_maps_read_saved(mon->module_scratch,
	    sizeof(mon->module_scratch), add_maps_line, f) == 0)
		return 0;
	while (mapped_object_next(&w, &line))
		add_maps_line(&line, f);
	mon->modules_listed = f->fresh->count != 0;
	return mon->modules_listed ? 0 : error;
}

int
module_table_read(const struct module_table *old, struct module_table *fresh,
    bool reread)
{
	struct refresh f;
	int error;

	mem_zero(&f, sizeof(f));		/* {0} calls memset on arm64 */
	f.old = old;
	f.fresh = fresh;
	f.reread = reread;
	fresh->count = 0;
	error = read_memory_map(&f);
	if (f.again)
		error = PRIVATE_FDS_RETRY;
	if (error == 0) {
		mark_unloaded(&f);
		forget_unmapped_text(&f);
	} else {
		fresh->count = 0;
	}
	mark_watched_ranges(fresh);
	return error;
}
