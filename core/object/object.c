/*
 * Context: O.  Names addresses by the file of a module and its debug file, and
 * reads code, for the model and views of code; see object.h.
 */
#include "object.h"

#include "elf/ehframe.h"
#include "elf_foreign.h"
#include "object_files.h"
#include "symbol/plt.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Adds the symbols of all files of the module.  Returns 0 or -ENOMEM. */
static int
add_symbols(struct symbol_lookup *s, const struct object_files *o)
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
set_bounds(const struct ehframe *bounds, struct symbol *asked, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ehframe_range range;

		if (asked[i].start_known ||
		    !ehframe_before(bounds, asked[i].address, &range) ||
		    asked[i].address >= range.end)
			continue;
		asked[i].start = range.start;
		asked[i].start_known = true;
	}
}

/*
 * Names the addresses: stubs first, then what the symbol tables hold.  bounds:
 * the unwind table of the file; NULL: none.  Returns 0 or -ENOMEM.
 */
static int
name_by_files(const struct object_files *o, struct symbol *asked, size_t count,
    struct arena *arena, const struct ehframe *bounds)
{
	struct symbol_lookup set;
	int ret = symbol_lookup_begin(&set, asked, count);

	if (ret == 0 && o->main.elf != NULL)
		ret = plt_name(&o->main, asked, count, arena);
	if (ret == 0)
		ret = add_symbols(&set, o);
	if (ret == 0)
		ret = symbol_lookup_resolve(&set, bounds, arena);
	symbol_lookup_end(&set);
	if (ret == 0 && bounds != NULL)
		set_bounds(bounds, asked, count);
	return ret;
}

static void
clear_names(struct symbol *asked, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		asked[i].start = asked[i].address;
		asked[i].name = NULL;
		asked[i].start_known = false;
	}
}

/*
 * Reads the lines, from the debug file if that has debug information.  Returns
 * 0 or -ENOMEM.
 */
static int
read_lines(const struct object_files *o, const struct symbol *asked,
    size_t count, struct arena *arena, struct lines *lines)
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
	struct object_files o;
	int ret = 0;

	clear_names(asked, count);
	*debug = NULL;
	*state = object_files_open(&o, ref, path, sizeof(path), &refused);
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
		ret = name_by_files(&o, asked, count, arena,
		    o.main.elf != NULL ? &bounds : NULL);
	if (ret == 0 && lines != NULL)
		ret = read_lines(&o, asked, count, arena, lines);
	if (!elf_file_is_unchanged(&o.main) ||
	    !elf_file_is_unchanged(&o.debug)) {
		clear_names(asked, count);
		if (lines != NULL)
			lines_free(lines);
		*state = OBJECT_CHANGED;
		*debug = NULL;
	}
	ehframe_close(&bounds);
	object_files_close(&o);
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
	struct object_files o;
	int ret = 0;

	memset(code, 0, sizeof(*code));
	if (!object_is_found(object_files_open(&o, ref, path, sizeof(path),
	    &refused)))
		return 0;
	ret = copy_code(&o.main, address, size, code);
	if (!elf_file_is_unchanged(&o.main)) {
		free(code->bytes);
		memset(code, 0, sizeof(*code));
	}
	object_files_close(&o);
	return ret;
}
