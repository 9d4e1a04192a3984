/*
 * Context: O.  Finds the modules that files of other profilers name, and gives
 * keys and texts numbers, for import_places.c; see import_modules.h.
 */
#include "foreign/import_modules.h"

#include "read/module_add.h"
#include "read/process_image.h"
#include "base/vector.h"

#include <stdio.h>

/*
 * Copies `bytes` bytes of a name to `to` and replaces its NULs by another
 * control character, so that names that differ only behind a NUL stay distinct.
 * The output shows all control characters alike.  Returns `to`.
 */
static const char *
replace_nuls(char *to, const char *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (char)(from[i] == '\0' ? 1 : from[i]);
	return to;
}

uint32_t
import_modules_intern(struct import_places *t, struct text text)
{
	char clean[MODEL_TEXT_MAX];
	const char *copy;
	uint32_t n;
	size_t bytes = text.bytes;

	if (text.at == NULL)
		return 0;
	if (bytes > MODEL_TEXT_MAX)
		bytes = MODEL_TEXT_MAX;
	if (memchr(text.at, '\0', bytes) != NULL)
		text.at = replace_nuls(clean, text.at, bytes);
	n = string_pool_find(&t->texts, text.at, bytes);
	if (n != UINT32_MAX)
		return n + 1;
	copy = arena_copy(&t->model->arena, text.at, bytes);
	n = copy == NULL ? UINT32_MAX : string_pool_add(&t->texts, copy);
	return n == UINT32_MAX ? n : n + 1;
}

const char *
import_modules_text(struct import_places *t, struct text text)
{
	const uint32_t n = import_modules_intern(t, text);

	return n == UINT32_MAX ? NULL : n == 0 ? "" : t->texts.all[n - 1];
}

static unsigned
hex_digit_value(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') :
	    c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 :
	    c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

/*
 * Converts a build-id from hex to at most `room` bytes.  Returns the number of
 * bytes, or 0 if it is not known, too long or no hex.
 */
static size_t
parse_build_id(struct text t, unsigned char *id, size_t room)
{
	if (t.at == NULL || t.bytes % 2 != 0 || t.bytes / 2 > room)
		return 0;
	for (size_t i = 0; i < t.bytes / 2; i++) {
		const unsigned high = hex_digit_value(t.at[2 * i]);
		const unsigned low = hex_digit_value(t.at[2 * i + 1]);

		if (high > 15 || low > 15)
			return 0;
		id[i] = (unsigned char)(high << 4 | low);
	}
	return t.bytes / 2;
}

/*
 * Looks for the module's file on this machine; a program of that name that the
 * user has named comes first.  was: the build-id that the profile gives.  Sets
 * own->program, and own->known if that is an ELF file with that build-id, or
 * with any if the profile gives none.  Returns the file's path, own->path if it
 * is not known, or NULL if memory is out.
 */
static const char *
find_program_file(struct import_places *t, struct import_modules_entry *own,
    const struct elf_layout *was)
{
	const char *named = t->program != NULL &&
	    strcmp(process_image_basename(t->program),
	    process_image_basename(own->path)) == 0 ? t->program : own->path;
	char *path = realpath(named, NULL);
	const char *kept = own->path;

	own->known = path != NULL && elf_layout_read(&own->program,
	    path) == 0 && (was->build_id_bytes == 0 ||
	    (was->build_id_bytes == own->program.build_id_bytes &&
	    memcmp(was->build_id, own->program.build_id,
	    was->build_id_bytes) == 0));
	if (own->known)
		kept = model_intern(t->model, path, strlen(path));
	free(path);
	return kept;
}

/*
 * Adds own->module to the model: a module without an ELF file, or the kernel.
 * Returns 0 or -ENOMEM.
 */
static int
add_import_module(struct import_places *t, struct import_modules_entry *own)
{
	static const struct elf_layout nobody_knows;
	struct model *m = t->model;
	const uint32_t flags = own->kernel ? FORMAT_M_KERNEL : FORMAT_M_NO_ELF;

	if (module_add(m, own->path, &nobody_knows, flags, &own->module) != 0)
		return -ENOMEM;
	if (own->kernel)
		m->modules[own->module].name =
		    m->modules[MODEL_MODULE_KERNEL].name;
	return 0;
}

/*
 * Fills *own for a module that the file names for the first time.  Returns 0 or
 * -ENOMEM.
 */
static int
make_import_module(struct import_places *t, const struct import_module *module,
    struct import_modules_entry *own)
{
	static const char *const kernels[] = { "[kernel", "[guest.kernel" };
	const char *path = module->path.at == NULL ? "-" :
	    import_modules_text(t, module->path);

	*own = (struct import_modules_entry) { .path = path };
	if (path == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < 2; i++)
		own->kernel |= strncmp(path, kernels[i],
		    strlen(kernels[i])) == 0;
	return add_import_module(t, own);
}

struct import_modules_entry *
import_modules_entry(struct import_places *t,
    const struct import_module *module)
{
	const size_t before = t->modules.count;
	const uint32_t path = import_modules_intern(t, module->path);
	const uint32_t id = import_modules_intern(t, module->build_id);
	const uint32_t n = path == UINT32_MAX || id == UINT32_MAX ?
	    UINT32_MAX : key_table_add(&t->modules, path, id, 0);

	if (n == UINT32_MAX || vector_grow(&t->module, n, &t->module_room,
	    sizeof(*t->module)) != 0)
		return NULL;
	if (n == before && make_import_module(t, module, &t->module[n]) != 0)
		return NULL;
	return &t->module[n];
}

/*
 * Adds the module of the mapped file, own->real, once, for the first place
 * without a name; sets own->real to own->module if the file is not known.
 * Returns 0 or -ENOMEM.
 */
static int
add_mapped_module(struct import_places *t, struct import_modules_entry *own,
    const struct import_module *module)
{
	struct elf_layout was = { .wide = true };
	const char *path;

	if (own->real != 0)
		return 0;
	was.build_id_bytes = parse_build_id(module->build_id, was.build_id,
	    sizeof(was.build_id));
	path = find_program_file(t, own, &was);
	if (!own->known) {
		own->real = own->module;
		return 0;
	}
	return path == NULL ? -ENOMEM : module_add(t->model, path,
	    &own->program, 0, &own->real);
}

int
import_modules_locate(struct import_places *t, struct import_modules_entry *own,
    const struct import_module *module, uint64_t address,
    struct import_place *place)
{
	if (*own->path != '/' || module->end == 0)
		return 1;
	if (add_mapped_module(t, own, module) != 0)
		return -ENOMEM;
	*place = (struct import_place) {
		.module = own->real,
		.address = address - (own->known ?
		    elf_layout_bias(&own->program,
		    &(struct elf_layout_mapping) { module->start, module->end,
		    module->offset, module->head }) :
		    module->start - module->offset),
	};
	return 0;
}
