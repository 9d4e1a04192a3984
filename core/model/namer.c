/* Context: O.  Names of places, remembered. */
#include "namer.h"

#include "grow.h"

#include <string.h>

void
namer_init(struct namer *n)
{
	static const char *const names[NAMER_MODULES] = {
		[NAMER_KERNEL] = "[kernel]",
		[NAMER_NOWHERE] = "[no module]",
		[NAMER_GENERATED] = "[generated code]",
		[NAMER_CUT] = "", [NAMER_KNOWN] = "",
	};
	const struct namer_process any = { .pid = 0 };

	memset(n, 0, sizeof(*n));
	for (size_t i = 0; i < NAMER_MODULES; i++) {
		const struct namer_module own = {
			.path = names[i], .path_bytes = strlen(names[i]),
			.inode = i,
		};

		namer_module(n, &own);
	}
	namer_process(n, &any);
}

void
namer_free(struct namer *n)
{
	arena_free(&n->arena);
	finder_free(&n->by_text);
	finder_free(&n->by_module);
	finder_free(&n->by_process);
	finder_free(&n->by_place);
	finder_free(&n->by_function);
	free(n->texts);
	free(n->modules);
	free(n->processes);
	free(n->places);
	free(n->functions);
	free(n->waiting);
	kallsyms_free(&n->kernel);
	memset(n, 0, sizeof(*n));
}

/* One more of an array, with its number in a finder; FINDER_NONE: no memory. */
static uint32_t
one_more(struct namer *n, void *array, size_t *count, size_t *room,
    size_t each, struct finder *f, uint32_t hash)
{
	if (*count >= FINDER_NONE - 1 || grow(array, *count, room,
	    each) != 0 || finder_add(f, hash, (uint32_t)*count) != 0) {
		n->out_of_memory = true;
		return FINDER_NONE;
	}
	return (uint32_t)(*count)++;
}

const char *
namer_text(struct namer *n, const char *text)
{
	const uint32_t hash = finder_hash_text(text);
	const char *copy;
	uint32_t own;

	for (size_t at = hash; (own = finder_next(&n->by_text, hash, &at)) !=
	    FINDER_NONE;)
		if (strcmp(n->texts[own], text) == 0)
			return n->texts[own];
	copy = arena_copy(&n->arena, text, strlen(text));
	own = copy == NULL ? FINDER_NONE : one_more(n, &n->texts,
	    &n->text_count, &n->text_room, sizeof(copy), &n->by_text, hash);
	if (own == FINDER_NONE) {
		n->out_of_memory = true;
		return "";
	}
	n->texts[own] = copy;
	return copy;
}

static bool
same_module(const struct namer_module *a, const struct namer_module *b)
{
	return a->path_bytes == b->path_bytes &&
	    memcmp(a->path, b->path, a->path_bytes) == 0 &&
	    a->build_id_bytes == b->build_id_bytes &&
	    memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0 &&
	    (a->build_id_bytes != 0 || (a->inode == b->inode &&
	    a->device == b->device)) && a->flags == b->flags;
}

uint32_t
namer_module(struct namer *n, const struct namer_module *m)
{
	const uint32_t hash = finder_hash_bytes(m->path, m->path_bytes);
	char *path;
	uint32_t own;

	for (size_t at = hash; (own = finder_next(&n->by_module, hash,
	    &at)) != FINDER_NONE;)
		if (same_module(&n->modules[own], m))
			return own;
	path = arena_copy(&n->arena, m->path, m->path_bytes);
	own = path == NULL ? FINDER_NONE : one_more(n, &n->modules,
	    &n->module_count, &n->module_room, sizeof(*m), &n->by_module,
	    hash);
	if (own == FINDER_NONE) {
		n->out_of_memory = true;
		return NAMER_NOWHERE;
	}
	n->modules[own] = *m;
	n->modules[own].path = path;
	return own;
}

uint32_t
namer_process(struct namer *n, const struct namer_process *p)
{
	const uint32_t hash = finder_hash(p->birth ^ (uint32_t)p->pid);
	uint32_t own;

	for (size_t at = hash; (own = finder_next(&n->by_process, hash,
	    &at)) != FINDER_NONE;)
		if (n->processes[own].pid == p->pid &&
		    n->processes[own].birth == p->birth)
			return own;
	own = one_more(n, &n->processes, &n->process_count, &n->process_room,
	    sizeof(*p), &n->by_process, hash);
	if (own == FINDER_NONE)
		return NAMER_ANY;
	n->processes[own] = *p;
	return own;
}

uint32_t
namer_ask(struct namer *n, uint32_t module, uint32_t process, uint64_t address)
{
	const uint32_t hash = finder_hash(address ^ (uint64_t)module << 40 ^
	    (uint64_t)process << 20);
	uint32_t own;

	for (size_t at = hash; (own = finder_next(&n->by_place, hash,
	    &at)) != FINDER_NONE;)
		if (n->places[own].address == address &&
		    n->places[own].module == module &&
		    n->places[own].process == process)
			return own;
	if (grow(&n->waiting, n->wait_count, &n->wait_room,
	    sizeof(own)) != 0) {
		n->out_of_memory = true;
		return FINDER_NONE;
	}
	own = one_more(n, &n->places, &n->place_count, &n->place_room,
	    sizeof(*n->places), &n->by_place, hash);
	if (own == FINDER_NONE)
		return own;
	n->places[own] = (struct namer_place) {
		.module = module, .process = process, .address = address,
		.function = FINDER_NONE,
	};
	n->waiting[n->wait_count++] = own;
	return own;
}

uint32_t
namer_function(struct namer *n, const struct namer_function *f)
{
	const uint32_t hash = finder_hash((uintptr_t)f->text ^
	    (uint64_t)(uintptr_t)f->module << 16 ^ f->start);
	uint32_t own;

	for (size_t at = hash; (own = finder_next(&n->by_function, hash,
	    &at)) != FINDER_NONE;)
		if (n->functions[own].text == f->text &&
		    n->functions[own].module == f->module &&
		    n->functions[own].start == f->start &&
		    n->functions[own].kernel == f->kernel)
			return own;
	own = one_more(n, &n->functions, &n->function_count,
	    &n->function_room, sizeof(*f), &n->by_function, hash);
	if (own != FINDER_NONE)
		n->functions[own] = *f;
	return own;
}

uint32_t
namer_known(struct namer *n, const char *text, const char *module, bool kernel)
{
	const struct namer_function f = {
		.text = namer_text(n, text), .module = namer_text(n, module),
		.kernel = kernel, .named = true,
	};
	const uint32_t function = namer_function(n, &f);
	const uint32_t place = namer_ask(n, NAMER_KNOWN, NAMER_ANY, function);

	if (place != FINDER_NONE)
		n->places[place].function = function;
	return place;
}

struct namer_name
namer_name(const struct namer *n, uint32_t place)
{
	static const struct namer_name none = {
		.function = FINDER_NONE, .text = "[not looked up yet]",
		.module = "",
	};
	const struct namer_function *f;

	if (place >= n->place_count ||
	    n->places[place].function == FINDER_NONE)
		return none;
	f = &n->functions[n->places[place].function];
	return (struct namer_name) {
		n->places[place].function, f->text, f->module, f->kernel,
		f->named,
	};
}
