/*
 * Context: O.  Adds modules to a model by path and identity, for the readers
 * and the name cache; see module_add.h.
 */
#include "read/module_add.h"

#include "base/clock_ns.h"
#include "base/maps_path.h"
#include "base/merge_key.h"
#include "base/regular_file.h"
#include "read/process_image.h"
#include "base/vector.h"

#include <limits.h>
#include <sys/stat.h>

uint32_t
module_add_changed(const char *path, uint64_t seen)
{
	char own[PATH_MAX];
	struct stat st;
	uint32_t changed = 0;

	for (unsigned i = 0; i < MAPS_PATH_CANDIDATES; i++)
		if (maps_path_candidate(own, sizeof(own), "", path, i) &&
		    regular_file_stat(own, &st) == 0 &&
		    clock_ns_of(&st.st_ctim) > seen)
			changed = MODULE_ADD_CHANGED;
	return changed;
}

int
module_add(struct model *m, const char *path, const struct elf_layout *p,
    uint32_t flags, uint32_t *module)
{
	struct merge_key key = { .path = path, .flags = flags };
	struct model_module *own;

	memcpy(key.id, p->build_id, p->build_id_bytes);
	if (p->build_id_bytes == 0) {
		key.device = p->device;
		key.inode = p->inode;
	}
	*module = merge_key_find_or_add(&m->module_keys, &key,
	    (uint32_t)m->module_count);
	if (*module == UINT32_MAX || vector_grow(&m->modules, m->module_count,
	    &m->module_room, sizeof(*own)) != 0)
		return -ENOMEM;
	if (*module != m->module_count)
		return 0;
	own = &m->modules[m->module_count++];
	memset(own, 0, sizeof(*own));
	own->path = path;
	own->name = process_image_basename(path);
	own->build_id_bytes = p->build_id_bytes;
	memcpy(own->build_id, p->build_id, p->build_id_bytes);
	own->device = p->device;
	own->inode = p->inode;
	/*
	 * A caller that knows when the module was mapped passes that time in
	 * p->changed; for others the file at the path is taken as the one that
	 * ran.
	 */
	own->seen = p->changed;
	own->flags = flags & ~MODULE_ADD_CHANGED;
	own->process = MODEL_NONE;
	return 0;
}
