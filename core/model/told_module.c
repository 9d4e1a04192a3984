/* Context: O.  Modules that the files of other profilers tell. */
#include "told_module.h"

#include "enter.h"
#include "grow.h"
#include "image.h"

#include <stdio.h>

uint32_t
told_key(struct told_keys *k, uint64_t a, uint64_t b, uint64_t c)
{
	const uint32_t hash = finder_hash(a ^ (uint64_t)finder_hash(b ^
	    (uint64_t)finder_hash(c) << 32) << 24);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&k->by_key, hash, &at)) !=
	    FINDER_NONE;)
		if (k->all[n].a == a && k->all[n].b == b && k->all[n].c == c)
			return n;
	if (k->count >= UINT32_MAX - 1 ||
	    grow(&k->all, k->count, &k->room, sizeof(*k->all)) != 0 ||
	    finder_add(&k->by_key, hash, (uint32_t)k->count) != 0)
		return UINT32_MAX;
	k->all[k->count] = (struct told_key) { a, b, c };
	return (uint32_t)k->count++;
}

/*
 * Copies a name that has NULs, each of which becomes another control character:
 * all of these are shown alike.  Names that differ behind a NUL stay distinct.
 */
static const char *
without_nul(char *to, const char *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (char)(from[i] == '\0' ? 1 : from[i]);
	return to;
}

uint32_t
told_number(struct told *t, struct text text)
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
		text.at = without_nul(clean, text.at, bytes);
	n = strings_find(&t->texts, text.at, bytes);
	if (n != UINT32_MAX)
		return n + 1;
	copy = arena_copy(&t->model->arena, text.at, bytes);
	n = copy == NULL ? UINT32_MAX : strings_add(&t->texts, copy);
	return n == UINT32_MAX ? n : n + 1;
}

static unsigned
hex(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') :
	    c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 :
	    c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

/* All of it, or none. */
static size_t
build_id(struct text t, unsigned char *id, size_t room)
{
	if (t.at == NULL || t.bytes % 2 != 0 || t.bytes / 2 > room)
		return 0;
	for (size_t i = 0; i < t.bytes / 2; i++) {
		const unsigned high = hex(t.at[2 * i]);
		const unsigned low = hex(t.at[2 * i + 1]);

		if (high > 15 || low > 15)
			return 0;
		id[i] = (unsigned char)(high << 4 | low);
	}
	return t.bytes / 2;
}

/* Where a program is now is what the user says; what it was is the file's. */
static const char *
find_file(struct told *t, struct told_module *own, const struct program *was)
{
	const char *named = t->program != NULL &&
	    strcmp(image_program(t->program), image_program(own->path)) == 0 ?
	    t->program : own->path;
	char *path = realpath(named, NULL);
	const char *kept = own->path;

	own->known = path != NULL && program_read(&own->program, path) == 0 &&
	    (was->build_id_bytes == 0 ||
	    (was->build_id_bytes == own->program.build_id_bytes &&
	    memcmp(was->build_id, own->program.build_id,
	    was->build_id_bytes) == 0));
	if (own->known)
		kept = model_text(t->model, path, strlen(path));
	free(path);
	return kept;
}

static int
enter_told(struct told *t, struct told_module *own)
{
	static const struct program nobody_knows;
	struct model *m = t->model;
	const uint32_t flags = own->kernel ? FORMAT_M_KERNEL : FORMAT_M_NO_ELF;

	if (enter_module(m, own->path, &nobody_knows, flags, &own->told) != 0)
		return -ENOMEM;
	if (own->kernel)
		m->modules[own->told].name =
		    m->modules[MODEL_MODULE_KERNEL].name;
	return 0;
}

static int
make(struct told *t, const struct import_module *module,
    struct told_module *own)
{
	static const char *const kernels[] = { "[kernel", "[guest.kernel" };
	const char *path = module->path.at == NULL ? "-" :
	    told_text(t, module->path);

	*own = (struct told_module) { .path = path };
	if (path == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < 2; i++)
		own->kernel |= strncmp(path, kernels[i],
		    strlen(kernels[i])) == 0;
	return enter_told(t, own);
}

struct told_module *
told_module(struct told *t, const struct import_module *module)
{
	const size_t before = t->modules.count;
	const uint32_t path = told_number(t, module->path);
	const uint32_t id = told_number(t, module->build_id);
	const uint32_t n = path == UINT32_MAX || id == UINT32_MAX ?
	    UINT32_MAX : told_key(&t->modules, path, id, 0);

	if (n == UINT32_MAX || grow(&t->module, n, &t->module_room,
	    sizeof(*t->module)) != 0)
		return NULL;
	if (n == before && make(t, module, &t->module[n]) != 0)
		return NULL;
	return &t->module[n];
}

/* Once, for the first place that has no name. */
static int
enter_real(struct told *t, struct told_module *own,
    const struct import_module *module)
{
	struct program was = { .wide = true };
	const char *path;

	if (own->real != 0)
		return 0;
	was.build_id_bytes = build_id(module->build_id, was.build_id,
	    sizeof(was.build_id));
	path = find_file(t, own, &was);
	if (!own->known) {
		own->real = own->told;
		return 0;
	}
	return path == NULL ? -ENOMEM : enter_module(t->model, path,
	    &own->program, 0, &own->real);
}

int
told_mapped(struct told *t, struct told_module *own,
    const struct import_module *module, uint64_t address,
    struct told_place *place)
{
	if (*own->path != '/' || module->end == 0)
		return 1;
	if (enter_real(t, own, module) != 0)
		return -ENOMEM;
	*place = (struct told_place) {
		.module = own->real,
		.address = address - (own->known ? program_bias(&own->program,
		    &(struct program_mapping) { module->start, module->end,
		    module->offset, module->head }) :
		    module->start - module->offset),
	};
	return 0;
}
