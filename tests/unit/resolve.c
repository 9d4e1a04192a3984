/* Context: O.  Names of the places of one program made here, for tests. */
#include "resolve.h"

#include <criterion/criterion.h>
#include <string.h>

struct arena arena;
const char *refused;

void
resolve_init(void)
{
	compile_init();
}

void
resolve_fini(void)
{
	arena_free(&arena);
	compile_fini();
}

struct object_ref
ref_of(const char *path)
{
	static unsigned char id[32];
	const unsigned char *own;
	struct object_ref ref = { .path = path, .build_id = id };
	struct elf_file f;

	cr_assert_eq(elf_file_open(&f, path), 0, "%s", path);
	ref.build_id_bytes = elf_file_build_id(&f, &own);
	if (ref.build_id_bytes != 0)
		memcpy(id, own, ref.build_id_bytes);
	ref.device = f.device;
	ref.inode = f.inode;
	ref.seen = f.changed;
	elf_file_close(&f);
	return ref;
}

struct symbol
resolve_ref(const struct object_ref *ref, uint64_t address,
    enum object_state *state)
{
	struct symbol s = { .address = address };

	cr_assert_eq(object_resolve(ref, &s, 1, &arena, state, &refused,
	    NULL), 0);
	return s;
}

struct symbol
resolve(const char *name, uint64_t address)
{
	enum object_state state;
	struct object_ref ref = ref_of(compile_path(name));
	struct symbol s = resolve_ref(&ref, address, &state);

	cr_expect_eq(state, OBJECT_FOUND);
	return s;
}

void
expect_named(const struct symbol *s, const char *name, uint64_t start)
{
	cr_expect_str_eq(s->name != NULL ? s->name : "(none)", name);
	cr_expect_eq(s->start, start, "%#jx, not %#jx", (uintmax_t)s->start,
	    (uintmax_t)start);
	cr_expect(s->start_known);
}
