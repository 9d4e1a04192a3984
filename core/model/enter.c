/* Context: O.  Modules into the model, of files that no libmon.so wrote. */
#include "enter.h"

#include "grow.h"
#include "identity.h"
#include "image.h"
#include "spelling.h"

#include <limits.h>
#include <sys/stat.h>

uint32_t
enter_changed(const char *path, uint64_t seen)
{
	char own[PATH_MAX];
	struct stat st;
	uint32_t changed = 0;

	for (unsigned i = 0; i < SPELLINGS; i++)
		if (spelling_make(own, sizeof(own), "", path, i) &&
		    stat(own, &st) == 0 &&
		    (uint64_t)st.st_ctim.tv_sec * 1000000000u +
		    (uint64_t)st.st_ctim.tv_nsec > seen)
			changed = ENTER_CHANGED;
	return changed;
}

int
enter_module(struct model *m, const char *path, const struct program *p,
    uint32_t flags, uint32_t *module)
{
	struct identity key = { .path = path, .flags = flags }, *found;
	struct model_module *own;

	memcpy(key.id, p->build_id, p->build_id_bytes);
	if (p->build_id_bytes == 0) {
		key.device = p->device;
		key.inode = p->inode;
	}
	found = identity_enter(&m->module_tree, &key,
	    (uint32_t)m->module_count);
	if (found == NULL || grow(&m->modules, m->module_count,
	    &m->module_room, sizeof(*own)) != 0)
		return -ENOMEM;
	*module = found->index;
	if (found->index != m->module_count)
		return 0;
	own = &m->modules[m->module_count++];
	memset(own, 0, sizeof(*own));
	own->path = path;
	own->name = image_program(path);
	own->build_id_bytes = p->build_id_bytes;
	memcpy(own->build_id, p->build_id, p->build_id_bytes);
	own->device = p->device;
	own->inode = p->inode;
	/* That it is the one that ran is the word of who named it. */
	own->seen = p->changed;
	own->flags = flags & ~ENTER_CHANGED;
	own->process = MODEL_NONE;
	return 0;
}
