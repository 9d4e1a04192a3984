/*
 * Context: S.  Writes records of modules in the file, for module_table.c, in
 * the thread that reads the memory map; see module_record.h.  The store is
 * ready.
 */
#include "module/module_record.h"

#include "base/str.h"
#include "store/store.h"

static bool
is_same_path(uint32_t text, const struct mapped_object_hit *hit)
{
	const struct format_text *t = text == 0 ? NULL : store_at(text);

	return t != NULL && t->bytes == hit->path_bytes &&
	    mem_equal(t->text, hit->path, t->bytes);
}

bool
module_record_has_build_id(const struct format_module *m,
    const struct elf_headers *e)
{
	return m->build_id_bytes == e->build_id_bytes &&
	    mem_equal(m->build_id, e->build_id, e->build_id_bytes);
}

/*
 * Returns whether the record is of this object.  Addresses in the record are
 * without the bias, so the object may be loaded at another address now.
 */
static bool
is_loaded_again(const struct format_module *m,
    const struct mapped_object_hit *hit)
{
	return m->unload_mono != 0 && m->inode == hit->inode &&
	    m->device == hit->device && hit->elf.build_id_bytes != 0 &&
	    module_record_has_build_id(m, &hit->elf) &&
	    is_same_path(m->path, hit);
}

uint32_t
module_record_reuse(const struct module_range *r,
    const struct mapped_object_hit *hit)
{
	uint32_t at = mon->modules_unloaded == 0 ? 0 :
	    store_raw_header()->modules;
	struct format_module *m;

	for (; at != 0; at = m->next) {
		m = store_at(at);
		if (is_loaded_again(m, hit)) {
			m->start = r->start;
			m->end = r->end;
			m->bias = hit->elf.bias;
			m->unload_mono = 0;
			mon->modules_unloaded--;
			return at;
		}
	}
	return 0;
}

static bool
is_own_library(const struct module_range *r)
{
	const uintptr_t here = (uintptr_t)is_own_library;

	return here >= r->start && here < r->end;
}

/* Returns whether the file is CPython's interpreter or its library. */
static bool
is_python(const char *path)
{
	const char *name = path;

	for (const char *p = path; *p != '\0'; p++)
		if (*p == '/')
			name = p + 1;
	return str_begins(name, "python") || str_begins(name, "libpython");
}

uint32_t
module_record_make(const struct module_range *r,
    const struct mapped_object_hit *hit, int error)
{
	struct format_module *m;
	uint32_t index, path;

	path = store_text(hit->path, hit->path_bytes);
	index = store_take(sizeof(*m));
	if (index == 0)
		return 0;
	m = store_at(index);
	m->path = path;
	m->start = r->start;
	m->end = r->end;
	m->bias = r->bias;
	m->device = hit->device;
	m->inode = hit->inode;
	m->load_mono = mon->module_mono;
	m->flags = (error != 0 ? FORMAT_M_NO_ELF : 0) |
	    (hit->deleted ? FORMAT_M_DELETED : 0) |
	    (str_equal(hit->path, "[vdso]") ? FORMAT_M_VDSO : 0) |
	    (is_same_path(store_raw_header()->exe, hit) ? FORMAT_M_MAIN :
	    is_own_library(r) ? FORMAT_M_OURS : 0);
	if (is_python(hit->path))
		atomic_store(&mon->python, true);
	m->build_id_bytes = hit->elf.build_id_bytes;
	mem_copy(m->build_id, hit->elf.build_id, sizeof(m->build_id));
	store_publish(&store_raw_header()->modules, index);
	return index;
}

void
module_record_widen(uint32_t record, const struct module_range *r)
{
	struct format_module *m = store_at(record);

	if (r->start < m->start)
		m->start = r->start;
	if (r->end > m->end)
		m->end = r->end;
}
