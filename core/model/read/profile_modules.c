/*
 * Context: O.  Reads the modules of one profile, for read_profile.c; see
 * profile_modules.h.
 */
#include "read/profile_modules.h"

#include "base/compare.h"
#include "base/vector.h"
#include "base/merge_key.h"
#include "read/module_add.h"
#include "read/process_image.h"

#include <stdlib.h>
#include <string.h>

/* Returns when the module was mapped, ns since 1970. */
static uint64_t
module_load_time(const struct profile_reader *x, const struct format_module *r)
{
	const struct format_header *h = &x->file->header;

	return h->birth_real + (r->load_mono - h->birth_mono);
}

/*
 * Completes the key of a module without a build-id: by its file, and by whether
 * that has changed since.
 */
static void
key_by_file(const struct profile_reader *x, const struct format_module *r,
    struct merge_key *key)
{
	key->device = r->device;
	key->inode = r->inode;
	key->flags |= module_add_changed(key->path, module_load_time(x, r));
}

/*
 * Appends a module to the model from the record at index `record`.  Returns 0,
 * or -ENOMEM with the fault set.
 */
static int
add_profile_module(struct profile_reader *x, uint32_t record,
    const struct format_module *r, const char *path, size_t id_bytes)
{
	struct model *m = x->model;
	struct model_module *own;

	if (vector_grow(&m->modules, m->module_count, &m->module_room,
	    sizeof(*own)) != 0)
		return fault_set_no_memory(x->fault);
	own = &m->modules[m->module_count++];
	memset(own, 0, sizeof(*own));
	own->path = path;
	own->record = record;
	own->name = process_image_basename(path);
	own->build_id_bytes = id_bytes;
	memcpy(own->build_id, r->build_id, id_bytes);
	own->device = r->device;
	own->inode = r->inode;
	own->seen = module_load_time(x, r);
	own->flags = r->flags;
	own->process = x->process;
	own->start = r->start;
	own->end = r->end;
	return 0;
}

/*
 * Notes which module of the model the record stands for.  Returns 0, or -ENOMEM
 * with the fault set.
 */
static int
map_module_record(struct profile_reader *x, uint32_t record, uint32_t module)
{
	if (vector_grow(&x->modules, x->module_count, &x->module_room,
	    sizeof(*x->modules)) != 0)
		return fault_set_no_memory(x->fault);
	x->modules[x->module_count++] = (struct read_profile_module) {
		.record = record, .module = module,
	};
	return 0;
}

/*
 * Finds or adds the module of one record.  Returns 0, or -EINVAL or -ENOMEM
 * with the fault set.
 */
static int
read_module_record(struct profile_reader *x, uint32_t record,
    const struct format_module *r)
{
	struct model *m = x->model;
	struct merge_key key = { .index = 0 };
	size_t id_bytes = r->build_id_bytes;
	uint32_t length, found;
	const char *path = decode_text(x->file, r->path, &length, x->fault);

	if (path == NULL)
		return -EINVAL;
	if ((r->flags & FORMAT_M_KERNEL) != 0 &&
	    m->processes[x->process].same_boot)
		return map_module_record(x, record, MODEL_MODULE_KERNEL);
	if (id_bytes > sizeof(r->build_id))
		id_bytes = sizeof(r->build_id);
	key.path = model_intern(m, path, length);
	key.flags = r->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
	    FORMAT_M_NO_ELF);
	memcpy(key.id, r->build_id, id_bytes);
	if (id_bytes == 0 && key.path != NULL)
		key_by_file(x, r, &key);
	/*
	 * Embedded names of one build must not be used for another build at the
	 * same path: the file's process becomes part of the key.
	 */
	if (id_bytes == 0 && x->file->header.names != 0)
		memcpy(key.id, &x->process, sizeof(x->process));
	found = key.path == NULL ? UINT32_MAX :
	    merge_key_find_or_add(&m->module_keys, &key,
	    (uint32_t)m->module_count);
	if (found == UINT32_MAX)
		return fault_set_no_memory(x->fault);
	if (found == m->module_count &&
	    add_profile_module(x, record, r, key.path, id_bytes) != 0)
		return -ENOMEM;
	if (m->modules[found].seen > module_load_time(x, r))
		m->modules[found].seen = module_load_time(x, r);
	return map_module_record(x, record, found);
}

static int
compare_module_records(const void *left, const void *right)
{
	const struct read_profile_module *a = left, *b = right;

	return compare_u64(a->record, b->record);
}

/*
 * Reads all module records, and sorts x->modules for the search.  Returns as
 * read_module_record().
 */
static int
read_module_records(struct profile_reader *x)
{
	struct format_module r;
	uint32_t cursor = 0;
	int got;

	while ((got = decode_module(x->file, &cursor, &r, x->fault)) == 1) {
		got = read_module_record(x, cursor, &r);
		if (got != 0)
			return got;
	}
	if (x->module_count > 1)
		qsort(x->modules, x->module_count, sizeof(*x->modules),
		    compare_module_records);
	return got;
}

/*
 * Chooses the module of kernel functions, x->kernel.  A kernel before a reboot
 * gets a module with names only if the file has brought names.  Returns 0, or
 * -ENOMEM with the fault set.
 */
static int
find_kernel_module(struct profile_reader *x)
{
	const struct format_header *h = &x->file->header;
	const struct format_module none = { .flags = FORMAT_M_KERNEL };
	struct model *m = x->model;
	struct merge_key key = { .flags = FORMAT_M_KERNEL };
	uint32_t found;

	x->kernel = m->processes[x->process].same_boot ? MODEL_MODULE_KERNEL :
	    MODEL_MODULE_REBOOTED;
	if (x->kernel == MODEL_MODULE_KERNEL || h->names == 0)
		return 0;
	key.path = m->modules[MODEL_MODULE_KERNEL].path;
	memcpy(key.id, h->boot_id, sizeof(h->boot_id));
	found = merge_key_find_or_add(&m->module_keys, &key,
	    (uint32_t)m->module_count);
	if (found == UINT32_MAX)
		return fault_set_no_memory(x->fault);
	x->kernel = found;
	return found < m->module_count ? 0 :
	    add_profile_module(x, 0, &none, key.path, 0);
}

uint32_t
profile_modules_of_record(const struct profile_reader *x, uint32_t record)
{
	struct read_profile_module key = { .record = record }, *found;

	found = x->module_count == 0 ? NULL : bsearch(&key, x->modules,
	    x->module_count, sizeof(*x->modules), compare_module_records);
	return found == NULL ? MODEL_MODULE_UNLISTED : found->module;
}

uint32_t
profile_modules_of_node(const struct profile_reader *x,
    const struct format_node *n)
{
	if (n->module == 0 && n->kind == FORMAT_KFUNC)
		return x->kernel;
	if (n->module == 0)
		return n->how == FORMAT_HOW_UNMAPPED ? MODEL_MODULE_NONE :
		    MODEL_MODULE_GENERATED;
	return profile_modules_of_record(x, n->module);
}

int
profile_modules_read(struct profile_reader *x)
{
	const int ret = read_module_records(x);

	return ret != 0 ? ret : find_kernel_module(x);
}
