/*
 * Context: O.  Remembers names of places, for tprof top: tables of texts,
 * modules, processes, places and functions, each with a hash index.
 * name_cache_resolve.c fills in the functions.
 */
#include "names/name_cache.h"

#include "base/vector.h"

#include <string.h>

void
name_cache_init(struct name_cache *n)
{
	static const char *const names[NAME_CACHE_MODULES] = {
		[NAME_CACHE_KERNEL] = "[kernel]",
		[NAME_CACHE_NO_MODULE] = "[no module]",
		[NAME_CACHE_GENERATED] = "[generated code]",
		[NAME_CACHE_CUT] = "", [NAME_CACHE_KNOWN] = "",
	};
	const struct name_cache_process any = { .pid = 0 };

	memset(n, 0, sizeof(*n));
	for (size_t i = 0; i < NAME_CACHE_MODULES; i++) {
		const struct name_cache_module own = {
			.path = names[i], .path_bytes = strlen(names[i]),
			.inode = i,
		};

		name_cache_add_module(n, &own);
	}
	name_cache_add_process(n, &any);
}

void
name_cache_free(struct name_cache *n)
{
	arena_free(&n->arena);
	hash_index_free(&n->by_text);
	hash_index_free(&n->by_module);
	hash_index_free(&n->by_process);
	hash_index_free(&n->by_place);
	hash_index_free(&n->by_function);
	free(n->texts);
	free(n->modules);
	free(n->processes);
	free(n->places);
	free(n->functions);
	free(n->waiting);
	kallsyms_free(&n->kernel);
	memset(n, 0, sizeof(*n));
}

/*
 * Adds an element, which the caller fills in, to an array and its number to a
 * hash index.  each: bytes of an element.  Returns the number; HASH_INDEX_NONE
 * with n->out_of_memory set if memory is out.
 */
static uint32_t
add_indexed(struct name_cache *n, void *array, size_t *count, size_t *room,
    size_t each, struct hash_index *f, uint32_t hash)
{
	if (*count >= HASH_INDEX_NONE - 1 || vector_grow(array, *count, room,
	    each) != 0 || hash_index_add(f, hash, (uint32_t)*count) != 0) {
		n->out_of_memory = true;
		return HASH_INDEX_NONE;
	}
	return (uint32_t)(*count)++;
}

const char *
name_cache_intern(struct name_cache *n, const char *text)
{
	const uint32_t hash = hash_index_hash_text(text);
	const char *copy;
	uint32_t own;

	for (size_t at = hash; (own = hash_index_next(&n->by_text, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (strcmp(n->texts[own], text) == 0)
			return n->texts[own];
	copy = arena_copy(&n->arena, text, strlen(text));
	own = copy == NULL ? HASH_INDEX_NONE : add_indexed(n, &n->texts,
	    &n->text_count, &n->text_room, sizeof(copy), &n->by_text, hash);
	if (own == HASH_INDEX_NONE) {
		n->out_of_memory = true;
		return "";
	}
	n->texts[own] = copy;
	return copy;
}

/*
 * Returns whether the identities are equal: device and inode count only without
 * a build-id; `seen` and `process` do not.
 */
static bool
same_cache_module(const struct name_cache_module *a,
    const struct name_cache_module *b)
{
	return a->path_bytes == b->path_bytes &&
	    memcmp(a->path, b->path, a->path_bytes) == 0 &&
	    a->build_id_bytes == b->build_id_bytes &&
	    memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0 &&
	    (a->build_id_bytes != 0 || (a->inode == b->inode &&
	    a->device == b->device)) && a->flags == b->flags;
}

uint32_t
name_cache_add_module(struct name_cache *n, const struct name_cache_module *m)
{
	const uint32_t hash = hash_index_hash_bytes(m->path, m->path_bytes);
	char *path;
	uint32_t own;

	for (size_t at = hash; (own = hash_index_next(&n->by_module, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (same_cache_module(&n->modules[own], m))
			return own;
	path = arena_copy(&n->arena, m->path, m->path_bytes);
	own = path == NULL ? HASH_INDEX_NONE : add_indexed(n, &n->modules,
	    &n->module_count, &n->module_room, sizeof(*m), &n->by_module,
	    hash);
	if (own == HASH_INDEX_NONE) {
		n->out_of_memory = true;
		return NAME_CACHE_NO_MODULE;
	}
	n->modules[own] = *m;
	n->modules[own].path = path;
	return own;
}

uint32_t
name_cache_add_process(struct name_cache *n, const struct name_cache_process *p)
{
	const uint32_t hash = hash_index_hash(p->birth ^ (uint32_t)p->pid);
	uint32_t own;

	for (size_t at = hash; (own = hash_index_next(&n->by_process, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (n->processes[own].pid == p->pid &&
		    n->processes[own].birth == p->birth)
			return own;
	own = add_indexed(n, &n->processes, &n->process_count, &n->process_room,
	    sizeof(*p), &n->by_process, hash);
	if (own == HASH_INDEX_NONE)
		return NAME_CACHE_ANY_PROCESS;
	n->processes[own] = *p;
	return own;
}

uint32_t
name_cache_request(struct name_cache *n, uint32_t module, uint32_t process,
    uint64_t address)
{
	const uint32_t hash = hash_index_hash(address ^ (uint64_t)module << 40 ^
	    (uint64_t)process << 20);
	uint32_t own;

	for (size_t at = hash; (own = hash_index_next(&n->by_place, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (n->places[own].address == address &&
		    n->places[own].module == module &&
		    n->places[own].process == process)
			return own;
	if (vector_grow(&n->waiting, n->wait_count, &n->wait_room,
	    sizeof(own)) != 0) {
		n->out_of_memory = true;
		return HASH_INDEX_NONE;
	}
	own = add_indexed(n, &n->places, &n->place_count, &n->place_room,
	    sizeof(*n->places), &n->by_place, hash);
	if (own == HASH_INDEX_NONE)
		return own;
	n->places[own] = (struct name_cache_place) {
		.module = module, .process = process, .address = address,
		.function = HASH_INDEX_NONE,
	};
	n->waiting[n->wait_count++] = own;
	return own;
}

uint32_t
name_cache_add_function(struct name_cache *n,
    const struct name_cache_function *f)
{
	const uint32_t hash = hash_index_hash((uintptr_t)f->text ^
	    (uint64_t)(uintptr_t)f->module << 16 ^ f->start);
	uint32_t own;

	for (size_t at = hash; (own = hash_index_next(&n->by_function, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (n->functions[own].text == f->text &&
		    n->functions[own].module == f->module &&
		    n->functions[own].start == f->start &&
		    n->functions[own].kernel == f->kernel)
			return own;
	own = add_indexed(n, &n->functions, &n->function_count,
	    &n->function_room, sizeof(*f), &n->by_function, hash);
	if (own != HASH_INDEX_NONE)
		n->functions[own] = *f;
	return own;
}

uint32_t
name_cache_add_known(struct name_cache *n, const char *text, const char *module,
    bool kernel)
{
	const struct name_cache_function f = {
		.text = name_cache_intern(n, text), .module =
		    name_cache_intern(n, module),
		.kernel = kernel, .named = true,
	};
	const uint32_t function = name_cache_add_function(n, &f);
	const uint32_t place = name_cache_request(n, NAME_CACHE_KNOWN,
	    NAME_CACHE_ANY_PROCESS, function);

	if (place != HASH_INDEX_NONE)
		n->places[place].function = function;
	return place;
}

struct name_cache_name
name_cache_get(const struct name_cache *n, uint32_t place)
{
	static const struct name_cache_name none = {
		.function = HASH_INDEX_NONE, .text = "[not looked up yet]",
		.module = "",
	};
	const struct name_cache_function *f;

	if (place >= n->place_count ||
	    n->places[place].function == HASH_INDEX_NONE)
		return none;
	f = &n->functions[n->places[place].function];
	return (struct name_cache_name) {
		n->places[place].function, f->text, f->module, f->kernel,
		f->named,
	};
}
