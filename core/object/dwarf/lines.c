/*
 * Context: O.  Source lines of addresses, and the functions inlined there, for
 * object_resolve(); see lines.h.
 *
 * The units that hold an asked address are found first, by the ranges of all
 * units.  Only for these the line table is decoded, and their entries are
 * walked once; an entry that holds no asked address is skipped.
 */
#include "dwarf/lines.h"

#include "base/compare.h"
#include "base/regular_file.h"
#include "dwarf/cxx_qualify.h"
#include "dwarf/dwarf_file.h"
#include "base/intern.h"
#include "base/vector.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>

/* Depth of entries; a hostile file nests without end. */
#define DEPTH_MOST	256

struct unit {
	uint64_t low, high;
	Dwarf_CU *cu;
};

/* An inlined function around some addresses, and the one around it. */
struct inlined {
	const char *function;
	const char *file;	/* file and line of the call */
	uint32_t line;
	/* Number of the one around it; 0: the compiled function */
	uint32_t outer;
};

struct reader {
	struct lines *lines;
	const struct symbol *asked;
	size_t count;
	struct unit *units;
	size_t unit_count, unit_room;
	/* Inlined functions of the current unit; [0] stands for none */
	struct inlined *inlined;
	size_t inlined_count, inlined_room;
	uint32_t *innermost;	/* number in `inlined`, by asked address */
	Dwarf_Files *files;	/* of the current unit */
	size_t file_count;
	/* Directory that the unit was built in; NULL: not known */
	const char *directory;
	const char *path;	/* of the object's file, or NULL */
	struct intern texts;
	struct cxx_qualify names;
};

/* Adds the ranges of a unit that hold an asked address. */
static int
add_unit(struct reader *r, Dwarf_CU *cu, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (low >= high || symbol_lookup_lower_bound(r->asked, r->count,
		    low) == symbol_lookup_lower_bound(r->asked, r->count, high))
			continue;
		if (vector_grow(&r->units, r->unit_count, &r->unit_room,
		    sizeof(*r->units)) != 0)
			return -ENOMEM;
		r->units[r->unit_count++] = (struct unit) { low, high, cu };
	}
	return 0;
}

static int
unit_compare(const void *left, const void *right)
{
	const struct unit *a = left, *b = right;
	int d = compare_u64((uintptr_t)a->cu, (uintptr_t)b->cu);

	return d != 0 ? d : compare_u64(a->low, b->low);
}

/* Finds the units that hold an asked address. */
static int
find_units(struct reader *r, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	int ret = 0, more = 0;

	while (ret == 0 && (more = dwarf_get_units(dwarf, cu, &cu, NULL, NULL,
	    &die, NULL)) == 0) {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit)
			ret = add_unit(r, cu, &die);
	}
	if (more < 0 && r->lines->fault == LINES_OK)
		r->lines->fault = LINES_DAMAGED;
	if (ret == 0 && r->unit_count > 1)
		qsort(r->units, r->unit_count, sizeof(*r->units),
		    unit_compare);
	return ret;
}

static const char *
read_die_text(struct reader *r, Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;

	return intern_text(&r->texts, dwarf_formstring(
	    dwarf_attr_integrate(die, name, &a)));
}

static uint32_t
read_die_number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	Dwarf_Word n;

	return dwarf_formudata(dwarf_attr(die, name, &a), &n) == 0 &&
	    n <= UINT32_MAX ? (uint32_t)n : 0;
}

static const char *
function_name(struct reader *r, Dwarf_Die *die)
{
	const char *name = read_die_text(r, die, DW_AT_linkage_name);

	if (name == NULL)
		name = read_die_text(r, die, DW_AT_MIPS_linkage_name);
	return name != NULL ? name : cxx_qualify_name(&r->names, die,
	    read_die_text(r, die, DW_AT_name));
}

/* Records that the addresses [from, to) are in this inlined function. */
static int
add_inlined_range(struct reader *r, Dwarf_Die *die, size_t from, size_t to)
{
	uint32_t file = read_die_number(die, DW_AT_call_file);
	const char *name = function_name(r, die);

	if (name == NULL)
		name = "?";
	if (vector_grow(&r->inlined, r->inlined_count, &r->inlined_room,
	    sizeof(*r->inlined)) != 0)
		return -ENOMEM;
	r->inlined[r->inlined_count] = (struct inlined) {
		.function = name,
		.file = r->files == NULL || file >= r->file_count ? NULL :
		    intern_path(&r->texts, r->directory, dwarf_filesrc(
		    r->files, file, NULL, NULL)),
		.line = read_die_number(die, DW_AT_call_line),
		.outer = r->innermost[from],
	};
	while (from < to)
		r->innermost[from++] = (uint32_t)r->inlined_count;
	r->inlined_count++;
	return 0;
}

static int read_code_dies(struct reader *r, Dwarf_Die *parent, size_t from,
    size_t to, unsigned depth);

/*
 * Enters an entry for the asked addresses in its ranges, as far as they are in
 * [from, to).
 */
static int
enter_code(struct reader *r, Dwarf_Die *die, size_t from, size_t to,
    unsigned depth)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	int ret = 0;

	while (ret == 0 &&
	    (at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		size_t i = symbol_lookup_lower_bound(r->asked, r->count, low);
		size_t k = symbol_lookup_lower_bound(r->asked, r->count, high);

		i = i < from ? from : i;
		k = k > to ? to : k;
		if (i >= k)
			continue;
		if (dwarf_tag(die) == DW_TAG_inlined_subroutine)
			ret = add_inlined_range(r, die, i, k);
		if (ret == 0)
			ret = read_code_dies(r, die, i, k, depth);
	}
	return ret;
}

static int
read_code_dies(struct reader *r, Dwarf_Die *parent, size_t from, size_t to,
    unsigned depth)
{
	Dwarf_Die die;
	int more, ret = 0;

	if (depth == DEPTH_MOST)
		return 0;
	for (more = dwarf_child(parent, &die); more == 0 && ret == 0;
	    more = dwarf_siblingof(&die, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			ret = enter_code(r, &die, from, to, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
			ret = read_code_dies(r, &die, from, to, depth + 1);
			break;
		default:
			break;
		}
	}
	return ret;
}

static int
add_frame(struct lines *l, struct lines_place *p,
    const struct lines_frame *frame)
{
	if (l->frame_count >= UINT32_MAX || vector_grow(&l->frames,
	    l->frame_count, &l->frame_room, sizeof(*l->frames)) != 0)
		return -ENOMEM;
	if (p->count++ == 0)
		p->first = (uint32_t)l->frame_count;
	l->frames[l->frame_count++] = *frame;
	return 0;
}

/*
 * Adds the frames of an address from the innermost outwards; each has the line
 * where it calls the one before.
 */
static int
add_frames(struct reader *r, Dwarf_Die *unit, size_t i)
{
	struct lines_place *p = &r->lines->places[i];
	Dwarf_Line *at = dwarf_getsrc_die(unit, r->asked[i].address);
	struct lines_frame frame = { 0 };
	uint32_t k = r->innermost[i];
	int line = 0, ret = 0;

	if (p->count != 0)
		return 0;	/* two units claim it: the first has it */
	if (at != NULL && dwarf_lineno(at, &line) == 0) {
		frame.file = intern_path(&r->texts, r->directory,
		    dwarf_linesrc(at, NULL, NULL));
		frame.line = (uint32_t)line;
	}
	for (; k != 0 && ret == 0; k = r->inlined[k].outer) {
		frame.function = r->inlined[k].function;
		ret = add_frame(r->lines, p, &frame);
		frame.file = r->inlined[k].file;
		frame.line = r->inlined[k].line;
	}
	frame.function = NULL;
	return ret != 0 ? ret : add_frame(r->lines, p, &frame);
}

/*
 * Returns the path of a package beside the file, which has the split units of a
 * program in one file; or NULL.
 */
static const char *
find_package(struct reader *r)
{
	char path[PATH_MAX];
	struct stat st;

	if (r->path == NULL || (size_t)snprintf(path, sizeof(path), "%s.dwp",
	    r->path) >= sizeof(path) || regular_file_stat(path, &st) != 0)
		return NULL;
	return arena_copy(r->texts.arena, path, strlen(path));
}

/* Notes a unit whose other part is in a separate file that was not found. */
static void
note_missing_split(struct reader *r, Dwarf_Die *unit)
{
	struct lines *l = r->lines;
	const char *name = read_die_text(r, unit, DW_AT_dwo_name);

	if (name == NULL)
		name = read_die_text(r, unit, DW_AT_GNU_dwo_name);
	if (name == NULL || l->fault != LINES_OK)
		return;
	l->fault = LINES_DWP_MISSING;
	l->apart = find_package(r);
	if (l->apart != NULL)
		return;
	l->fault = LINES_SPLIT_MISSING;
	l->apart = intern_path(&r->texts, r->directory, name);
}

/* Reads one unit, which has n ranges. */
static int
read_unit(struct reader *r, const struct unit *ranges, size_t n)
{
	Dwarf_Die unit, split, *entries = &unit;
	size_t from, to;
	int ret;

	if (dwarf_cu_info(ranges->cu, NULL, NULL, &unit, &split, NULL, NULL,
	    NULL) != 0)
		return 0;
	if (split.addr != NULL)
		entries = &split;
	if (dwarf_getsrcfiles(entries, &r->files, &r->file_count) != 0)
		r->files = NULL;
	r->directory = read_die_text(r, &unit, DW_AT_comp_dir);
	if (split.addr == NULL)
		note_missing_split(r, &unit);
	/*
	 * All the unit's ranges are walked in one pass.  Addresses between them
	 * do no harm, as no entry of the unit holds them.
	 */
	from = symbol_lookup_lower_bound(r->asked, r->count, ranges[0].low);
	to = symbol_lookup_lower_bound(r->asked, r->count, ranges[n - 1].high);
	memset(&r->innermost[from], 0, (to - from) * sizeof(*r->innermost));
	r->inlined_count = 1;
	ret = read_code_dies(r, entries, from, to, 0);
	for (size_t i = 0; i < n && ret == 0; i++) {
		from = symbol_lookup_lower_bound(r->asked, r->count,
		    ranges[i].low);
		to = symbol_lookup_lower_bound(r->asked, r->count,
		    ranges[i].high);
		for (; from < to && ret == 0; from++)
			ret = add_frames(r, &unit, from);
	}
	return ret;
}

/* Reads the units that were found.  Returns 0 or -ENOMEM. */
static int
read_units(struct reader *r)
{
	int ret = vector_grow(&r->inlined, 0, &r->inlined_room,
	    sizeof(*r->inlined));

	for (size_t i = 0, k; i < r->unit_count && ret == 0; i = k) {
		for (k = i + 1; k < r->unit_count &&
		    r->units[k].cu == r->units[i].cu; k++)
			;
		ret = read_unit(r, &r->units[i], k - i);
	}
	return ret;
}

int
lines_read(struct lines *l, const struct elf_file *f, const char *path,
    const struct symbol *asked, size_t count, struct arena *arena)
{
	struct reader r = {
		.lines = l, .asked = asked, .count = count, .path = path,
	};
	struct dwarf_file d;
	int ret;

	memset(l, 0, sizeof(*l));
	l->places = calloc(count + 1, sizeof(*l->places));
	r.innermost = calloc(count + 1, sizeof(*r.innermost));
	l->count = count;
	ret = l->places == NULL || r.innermost == NULL ? -ENOMEM : 0;
	if (ret == 0 && dwarf_file_open(&d, f, &l->fault) == 0) {
		r.texts.arena = r.names.arena = arena;
		ret = find_units(&r, d.dwarf);
		if (ret == 0)
			ret = read_units(&r);
		if (ret == 0 && (r.texts.failed || r.names.failed))
			ret = -ENOMEM;
		intern_free(&r.texts);
		cxx_qualify_free(&r.names);
		dwarf_file_close(&d);
	}
	free(r.units);
	free(r.inlined);
	free(r.innermost);
	return ret;
}

void
lines_free(struct lines *l)
{
	free(l->places);
	free(l->frames);
	memset(l, 0, sizeof(*l));
}
