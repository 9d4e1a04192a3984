/*
 * Context: O.  Adds a versioned mon.out, with samples in many objects at
 * addresses of the run.  listing_add() calls it; see listing_parts.h.
 */
#include "listing_parts.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is being added. */
struct samples_listing {
	struct listing *listing;
	struct fault *fault;
};

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static bool
module_overlaps(const struct listing_module *m,
    const struct classic_module *other)
{
	return other->start < m->end && other->end > m->start;
}

/*
 * Returns whether the path is the program's: the same file; or the same name,
 * as the user may have said where the program is now.
 */
static bool
is_program_file(const struct listing *l, const char *path)
{
	const struct listing_module *m = l->modules;
	struct stat own, other;

	if (strcmp(m->path, path) == 0 || (stat(m->path, &own) == 0 &&
	    stat(path, &other) == 0 && own.st_dev == other.st_dev &&
	    own.st_ino == other.st_ino))
		return true;
	return !m->listed && strcmp(base_name(m->path), base_name(path)) == 0;
}

/*
 * Returns whether the module is the program.  A module at an address where only
 * the program can be is the program, whatever its name was.
 */
static bool
is_program_module(const struct listing *l, const char *path,
    const struct classic_module *as)
{
	const struct listing_module *m = l->modules;

	if (m->error != 0 && !l->named && !m->listed)
		return true;	/* the first module is the program */
	return is_program_file(l, path) ||
	    (m->program.base != 0 && module_overlaps(m, as));
}

/*
 * Returns the listing's module for a module of the file, or NULL if it is new.
 */
static struct listing_module *
find_samples_module(const struct listing *l, const char *path,
    const struct classic_module *as)
{
	struct listing_module *m = l->modules;

	if (is_program_module(l, path, as))
		return m;
	for (m = m->next; m != NULL; m = m->next)
		if (strcmp(m->path, path) == 0)
			return m;
	return NULL;
}

/* Marks the modules as inactive that lay where a new module lies now. */
static void
deactivate_overlapped(const struct listing *l, const struct listing_module *by,
    const struct classic_module *as)
{
	for (struct listing_module *m = l->modules; m != NULL; m = m->next)
		if (m != by && module_overlaps(m, as))
			m->active = false;
}

/*
 * Returns LISTING_INPUT, with *x->fault set, if the object was changed after
 * the profile was written; else 0.
 */
static int
check_module_age(struct samples_listing *x, struct listing_module *m)
{
	struct stat st;
	int ret;

	if (m->error != 0 || stat(m->path, &st) != 0 ||
	    st.st_mtime <= x->listing->written)
		return 0;
	ret = listing_fault(x->fault, LISTING_INPUT, "is newer than the "
	    "profile, whose addresses it may not have", FAULT_NO_OFFSET);
	x->fault->file = m->path;
	x->fault->remedy = "profile it again";
	return ret;
}

/*
 * Prepares a module when a file lists it first: reads it and chooses its
 * functions.
 */
static int
prepare_listed_module(struct samples_listing *x, const char *path,
    struct listing_module **m)
{
	struct listing *l = x->listing;
	int ret = 0;

	if (*m == NULL)
		ret = listing_module_add(l, path, m, x->fault);
	else if ((*m)->error != 0 && !(*m)->listed)
		ret = listing_module_read(*m, path, x->fault);
	if (ret == 0 && (*m)->symbols == NULL &&
	    listing_qualify(l, *m, 0, UINT64_MAX) != 0)
		ret = listing_no_memory(x->fault);
	if (ret == 0)
		(*m)->listed = true;
	return ret;
}

/* Makes a program with a fixed address active, with its code alone. */
static void
activate_fixed_program(struct listing_module *m)
{
	m->start = m->program.base;
	m->end = m->program.high;
	m->active = true;
}

/*
 * Enters a module of the file at its addresses, in place of those that lay
 * there before.  Samples that follow it in the file are found in it.
 */
static int
map_samples_module(void *arg, const struct classic_module *module)
{
	struct samples_listing *x = arg;
	struct listing *l = x->listing;
	struct listing_module *m;
	char path[PATH_MAX];
	int ret;

	if (module->path_bytes >= sizeof(path))
		return listing_fault(x->fault, LISTING_INPUT,
		    "a path is too long", FAULT_NO_OFFSET);
	memcpy(path, module->path, module->path_bytes);
	path[module->path_bytes] = '\0';
	m = find_samples_module(l, path, module);
	ret = prepare_listed_module(x, path, &m);
	if (ret == 0 && m != l->modules)
		ret = check_module_age(x, m);
	if (ret != 0)
		return ret;
	if (m == l->modules && m->program.base != 0) {
		/*
		 * The program has a fixed address; the further segment is its
		 * data.  map_fixed_program() could not read a program that only
		 * the file names.
		 */
		if (!m->active)
			activate_fixed_program(m);
		if (module->end > m->end)
			m->end = module->end;
		return 0;
	}
	deactivate_overlapped(l, m, module);
	m->start = module->start;
	m->end = module->end;
	m->active = true;
	return 0;
}

/*
 * Finds the active module at an address of the run, or NULL, and converts the
 * address to one of the object.
 */
static struct listing_module *
locate_run_address(const struct listing *l, uint64_t *address)
{
	struct listing_module *m = l->modules;

	while (m != NULL && (!m->active || *address < m->start ||
	    *address >= m->end))
		m = m->next;
	if (m != NULL)
		*address += m->program.base - m->start;
	return m;
}

static int
add_samples_bin(void *arg, const struct classic_bin *bin)
{
	struct samples_listing *x = arg;
	uint64_t address = bin->low;
	const struct listing_module *m = locate_run_address(x->listing,
	    &address);
	struct listing_symbol *s = m == NULL ? NULL :
	    listing_symbol_below(m, address);

	x->listing->ticks += (double)bin->count;
	if (s != NULL)
		s->ticks += (double)bin->count;
	return 0;
}

static int
add_samples_arc(void *arg, const struct classic_arc *arc)
{
	struct samples_listing *x = arg;
	uint64_t address = arc->self;
	const struct listing_module *m = locate_run_address(x->listing,
	    &address);
	struct listing_symbol *s = m == NULL ? NULL :
	    listing_function_at(m, address);

	if (s != NULL)
		s->calls += arc->count;
	return 0;
}

/*
 * Makes a program with a fixed address active: it is there without being
 * listed.
 */
static int
map_fixed_program(struct samples_listing *x)
{
	struct listing_module *m = x->listing->modules;

	if (m->error != 0 || m->program.base == 0)
		return 0;
	activate_fixed_program(m);
	if (m->symbols == NULL && listing_qualify(x->listing, m, 0,
	    UINT64_MAX) != 0)
		return listing_no_memory(x->fault);
	return 0;
}

static int
fault_wrong_program(const struct listing_module *m, const char *what,
    enum listing_exit code, struct fault *f)
{
	listing_fault(f, code, what, FAULT_NO_OFFSET);
	f->file = m->path;
	f->remedy = "name the program that was profiled";
	return code;
}

int
listing_add_samples(struct listing *l, const struct listing_file *file,
    struct fault *f)
{
	struct samples_listing x = { .listing = l, .fault = f };
	const struct classic_sink sink = {
		.arg = &x, .bin = add_samples_bin, .arc = add_samples_arc,
		.module = map_samples_module,
	};
	const struct listing_module *program = l->modules;
	int ret;

	if (program->error == 0 && !program->program.wide)
		return fault_wrong_program(program, "is of 32 bits, and such "
		    "profiles are of 64", LISTING_ELF, f);
	for (struct listing_module *m = l->modules; m != NULL; m = m->next)
		m->active = false;
	ret = map_fixed_program(&x);
	if (ret != 0)
		return ret;
	ret = classic_read(&file->classic, &sink, f);
	/* Positive codes come from our callbacks and are exit codes already. */
	if (ret != 0)
		return ret < 0 ? LISTING_INPUT : ret;
	return program->listed || l->modules->next == NULL ? 0 :
	    fault_wrong_program(program,
	    "is none of the modules of the profile", LISTING_INPUT, f);
}
