/*
 * Context: O.  Qualified names of functions, from debug information, for
 * lines.c; see cxx_qualify.h.
 *
 * An entry does not say what it is in.  So a unit is walked once, when the
 * first of its functions is asked for, but the walk does not enter functions.
 */
#include "dwarf/cxx_qualify.h"

#include "base/vector.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Depth of scopes; a damaged file may have more */
#define DEEPEST		64
#define LONGEST		4096	/* bytes of a name */

/* Returns the function or unit of an entry, or NULL if it is not recorded. */
static struct cxx_qualify_function *
find_qualify_function(const struct cxx_qualify *q, const void *entry)
{
	const uint32_t hash = hash_index_hash((uintptr_t)entry);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&q->by_entry, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (q->functions[n].entry == entry)
			return &q->functions[n];
	return NULL;
}

/* Records the scope of a function or unit.  Returns 0 or -ENOMEM. */
static int
add_function_scope(struct cxx_qualify *q, const Dwarf_Die *entry,
    uint32_t scope)
{
	struct cxx_qualify_function *own = find_qualify_function(q,
	    entry->addr);

	if (own == NULL) {
		if (q->function_count >= UINT32_MAX - 1 ||
		    vector_grow(&q->functions, q->function_count,
		    &q->function_room, sizeof(*q->functions)) != 0 ||
		    hash_index_add(&q->by_entry,
		    hash_index_hash((uintptr_t)entry->addr),
		    (uint32_t)q->function_count) != 0)
			return -ENOMEM;
		own = &q->functions[q->function_count++];
	}
	*own = (struct cxx_qualify_function) { entry->addr, scope, NULL };
	return 0;
}

/* Returns the name of a namespace, class or module; NULL: it has none. */
static const char *
scope_name(Dwarf_Die *die, int tag)
{
	const char *name = dwarf_diename(die);

	return name != NULL ? name : tag == DW_TAG_namespace ?
	    "(anonymous namespace)" : NULL;
}

static int index_child_dies(struct cxx_qualify *q, Dwarf_Die *die,
    uint32_t scope, unsigned depth);

/*
 * Records an entry that is a function, or all functions in one that is a scope.
 * Returns 0 or -ENOMEM.
 */
static int
index_scope_die(struct cxx_qualify *q, Dwarf_Die *die, uint32_t scope,
    unsigned depth)
{
	int tag = dwarf_tag(die);
	const char *name;

	if (tag == DW_TAG_subprogram)
		return scope == 0 ? 0 : add_function_scope(q, die, scope);
	if (tag != DW_TAG_namespace && tag != DW_TAG_class_type &&
	    tag != DW_TAG_structure_type && tag != DW_TAG_union_type &&
	    tag != DW_TAG_module)
		return 0;
	name = scope_name(die, tag);
	if (name == NULL || depth >= DEEPEST || !dwarf_haschildren(die))
		return 0;
	if (vector_grow(&q->scopes, q->scope_count, &q->scope_room,
	    sizeof(*q->scopes)) != 0)
		return -ENOMEM;
	q->scopes[q->scope_count] = (struct cxx_qualify_scope) { scope, name };
	return index_child_dies(q, die, (uint32_t)q->scope_count++, depth + 1);
}

static int
index_child_dies(struct cxx_qualify *q, Dwarf_Die *die, uint32_t scope,
    unsigned depth)
{
	Dwarf_Die child;
	int ret = 0, more = dwarf_child(die, &child);

	for (; more == 0 && ret == 0; more = dwarf_siblingof(&child, &child))
		ret = index_scope_die(q, &child, scope, depth);
	return ret;
}

/*
 * Returns whether the unit's language has no names within names, as C: its
 * structures need not be walked.
 */
static bool
is_flat(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/*
 * Walks a unit and records its functions.  The unit itself is recorded as well,
 * as one that was walked.  Returns 0 or -ENOMEM.
 */
static int
read_unit(struct cxx_qualify *q, Dwarf_Die *unit)
{
	int ret = vector_grow(&q->scopes, q->scope_count, &q->scope_room,
	    sizeof(*q->scopes));

	if (ret != 0)
		return ret;
	if (q->scope_count == 0)
		q->scopes[q->scope_count++] = (struct cxx_qualify_scope) { 0,
		    "" };
	ret = add_function_scope(q, unit, 0);
	return ret == 0 && !is_flat(unit) ? index_child_dies(q, unit, 0, 0) :
	    ret;
}

/* Returns the entry that declares a function. */
static Dwarf_Die
find_declaration(const Dwarf_Die *entry)
{
	Dwarf_Attribute a;
	Dwarf_Die at = *entry, next;

	for (unsigned i = 0; i < DEEPEST; i++) {
		if (dwarf_attr(&at, DW_AT_abstract_origin, &a) == NULL &&
		    dwarf_attr(&at, DW_AT_specification, &a) == NULL)
			break;
		if (dwarf_formref_die(&a, &next) == NULL)
			break;
		at = next;
	}
	return at;
}

/* Joins a name and its scopes, built from the end of the room. */
static const char *
join_scope_names(struct cxx_qualify *q, uint32_t scope, const char *name)
{
	char room[LONGEST];
	size_t at = sizeof(room), bytes = strlen(name);

	if (bytes >= at)
		return name;
	at -= bytes;
	memcpy(room + at, name, bytes);
	for (; scope != 0; scope = q->scopes[scope].outer) {
		bytes = strlen(q->scopes[scope].name);
		if (bytes + 2 > at)
			break;
		at -= bytes + 2;
		memcpy(room + at, q->scopes[scope].name, bytes);
		memcpy(room + at + bytes, "::", 2);
	}
	name = arena_copy(q->arena, room + at, sizeof(room) - at);
	q->failed |= name == NULL;
	return name;
}

/*
 * Sets *die to the entry that its attribute refers to.  Returns false if there
 * is none.
 */
static bool
follow_reference(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Die next;

	if (dwarf_attr(die, attribute, &a) == NULL ||
	    dwarf_formref_die(&a, &next) == NULL)
		return false;
	*die = next;
	return true;
}

/*
 * Sets *die, a member function, to the entry of its class, which is the type
 * that its object pointer points to: gcc says the place of a lambda expression
 * only there.  Returns false if it is not found.
 */
static bool
find_class(Dwarf_Die *die)
{
	if (!follow_reference(die, DW_AT_object_pointer))
		return false;
	for (unsigned i = 0; i < DEEPEST; i++) {
		int tag = dwarf_tag(die);

		if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
			return true;
		if (!follow_reference(die, DW_AT_type))
			return false;
	}
	return false;
}

/*
 * Returns the name of a call operator in the body of a function, where lambda
 * expressions are, by the place where it begins; `name` itself if that place is
 * not known, or for another function.
 */
static const char *
name_lambda(struct cxx_qualify *q, Dwarf_Die *entry, const char *name)
{
	char text[LONGEST];
	Dwarf_Die at = *entry;
	const char *file, *own;
	int line, bytes;

	if (strcmp(name, "operator()") != 0 ||
	    (dwarf_decl_file(&at) == NULL && !find_class(&at)))
		return name;
	file = dwarf_decl_file(&at);
	if (file == NULL || dwarf_decl_line(&at, &line) != 0)
		return name;
	own = strrchr(file, '/');
	bytes = snprintf(text, sizeof(text), "{lambda %s:%d}", own != NULL ?
	    own + 1 : file, line);
	if (bytes < 0 || (size_t)bytes >= sizeof(text))
		return name;
	name = arena_copy(q->arena, text, (size_t)bytes);
	q->failed |= name == NULL;
	return name;
}

const char *
cxx_qualify_name(struct cxx_qualify *q, Dwarf_Die *entry, const char *name)
{
	Dwarf_Die own = find_declaration(entry), unit;
	struct cxx_qualify_function *f;

	if (name == NULL || dwarf_diecu(&own, &unit, NULL, NULL) == NULL)
		return name;
	if (find_qualify_function(q, unit.addr) == NULL &&
	    read_unit(q, &unit) != 0) {
		q->failed = true;
		return NULL;
	}
	f = find_qualify_function(q, own.addr);
	if (f == NULL || f->scope == 0)
		return name_lambda(q, &own, name);
	if (f->name == NULL)
		f->name = join_scope_names(q, f->scope, name);
	return f->name;
}

void
cxx_qualify_free(struct cxx_qualify *q)
{
	free(q->scopes);
	free(q->functions);
	hash_index_free(&q->by_entry);
	memset(q, 0, sizeof(*q));
}
