/*
 * Context: O.  Reads the modules of a profile, for profiles_add(); see
 * profiles_modules.h.
 */
#include "libmon/profiles_modules.h"

#include "base/compare.h"
#include "base/vector.h"
#include "libmon/profiles_find.h"

#include <stdlib.h>
#include <string.h>

static uint32_t
flags_of(const struct format_module *m, const char *path)
{
	const bool has_file = path[0] == '/' && path[1] != '/';

	return ((m->flags & FORMAT_M_VDSO) != 0 ? TPROF_M_VDSO :
	    has_file ? 0 : TPROF_M_NO_FILE) |
	    ((m->flags & FORMAT_M_NO_ELF) != 0 ? 0 : TPROF_M_BIASED);
}

/* Adds the module of one record.  Returns 0, or -errno with *f set. */
static int
read_module(struct profiles_modules *l, struct profiles *to,
    struct decode *from, uint32_t record, const struct format_module *m,
    struct fault *f)
{
	const struct format_header *h = &from->header;
	struct profiles_module own = {
		.kind = m->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
		    FORMAT_M_NO_ELF | FORMAT_M_OURS),
		.id = { .device = m->device, .inode = m->inode,
		    .seen = h->birth_real + (m->load_mono - h->birth_mono),
		    .build_id_bytes = m->build_id_bytes },
	};
	uint32_t bytes;
	const char *path = decode_text(from, m->path, &bytes, f);

	if (path == NULL)
		return -EINVAL;
	if (own.id.build_id_bytes > sizeof(own.id.build_id))
		own.id.build_id_bytes = sizeof(own.id.build_id);
	memcpy(own.id.build_id, m->build_id, own.id.build_id_bytes);
	own.id.path = path;
	own.id.path_bytes = (uint32_t)strnlen(path, bytes);
	own.flags = flags_of(m, bytes >= 2 ? path : "-");
	if (vector_grow(&l->all, l->count, &l->room, sizeof(*l->all)) != 0)
		return fault_set_no_memory(f);
	l->all[l->count] = (struct profiles_known) {
		.record = record, .module = profiles_add_module(to, &own),
		.bias = m->bias,
	};
	return l->all[l->count++].module != 0 ? 0 : fault_set_no_memory(f);
}

static int
compare_records(const void *left, const void *right)
{
	const struct profiles_known *a = left, *b = right;

	return compare_u64(a->record, b->record);
}

int
profiles_modules_read(struct profiles_modules *l, struct profiles *to,
    struct decode *from, struct fault *f)
{
	static const struct profiles_module lost = {
		.id = { .path = "[unknown]", .path_bytes = 9 },
		.flags = TPROF_M_NO_FILE,
	};
	struct format_module m;
	uint32_t cursor = 0;
	int got;

	l->lost = profiles_add_module(to, &lost);
	if (l->lost == 0)
		return fault_set_no_memory(f);
	while ((got = decode_module(from, &cursor, &m, f)) == 1) {
		got = read_module(l, to, from, cursor, &m, f);
		if (got != 0)
			return got;
	}
	if (l->count > 1)
		qsort(l->all, l->count, sizeof(*l->all), compare_records);
	return got;
}

struct profiles_known
profiles_modules_find(const struct profiles_modules *l, uint32_t record)
{
	const struct profiles_known key = { .record = record }, *found;

	if (record == 0)
		return key;
	found = l->count == 0 ? NULL : bsearch(&key, l->all, l->count,
	    sizeof(*l->all), compare_records);
	return found != NULL ? *found :
	    (struct profiles_known) { .record = record, .module = l->lost };
}

void
profiles_modules_free(struct profiles_modules *l)
{
	free(l->all);
	l->all = NULL;
}
