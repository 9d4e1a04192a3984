/* Context: O.  The functions that are inlined at the places of a module. */
#include "inlines.h"

#include "grow.h"

#include <errno.h>
#include <string.h>

static size_t
hash(const char *name)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *name != '\0'; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

static uint32_t *
place(const struct inlines *in, const char *name)
{
	size_t at = hash(name) & (in->slot_count - 1);

	while (in->slots[at] != 0 && strcmp(
	    in->model->functions[in->slots[at] - 1].name, name) != 0)
		at = (at + 1) & (in->slot_count - 1);
	return &in->slots[at];
}

static int
widen(struct inlines *in)
{
	struct inlines wider = *in;

	if (in->count < in->slot_count / 2)
		return 0;
	wider.slot_count = in->slot_count == 0 ? 256 : in->slot_count * 2;
	wider.slots = calloc(wider.slot_count, sizeof(*wider.slots));
	if (wider.slots == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < in->slot_count; i++)
		if (in->slots[i] != 0)
			*place(&wider, in->model->functions[in->slots[i] -
			    1].name) = in->slots[i];
	free(in->slots);
	*in = wider;
	return 0;
}

int
inlines_begin(struct inlines *in, struct model *m, uint32_t module,
    size_t first)
{
	int ret;

	memset(in, 0, sizeof(*in));
	in->model = m;
	in->module = module;
	ret = widen(in);
	for (size_t i = first; i < m->function_count && ret == 0; i++) {
		uint32_t *slot;

		if (!m->functions[i].named)
			continue;
		ret = widen(in);
		slot = ret == 0 ? place(in, m->functions[i].name) : NULL;
		if (slot != NULL && *slot == 0) {
			*slot = (uint32_t)i + 1;
			in->count++;
		}
	}
	return ret;
}

/* The function of that name; MODEL_NONE: no memory. */
static uint32_t
find(struct inlines *in, const char *name)
{
	struct model *m = in->model;
	uint32_t *slot;

	if (widen(in) != 0 || grow(&m->functions, m->function_count,
	    &m->function_room, sizeof(*m->functions)) != 0)
		return MODEL_NONE;
	slot = place(in, name);
	if (*slot != 0)
		return *slot - 1;
	m->functions[m->function_count] = (struct model_function) {
		.module = in->module, .name = name, .named = true,
	};
	in->count++;
	*slot = (uint32_t)++m->function_count;
	return *slot - 1;
}

int
inlines_add(struct inlines *in, const struct lines *l, size_t i,
    uint32_t function, struct model_row *row)
{
	const struct lines_place *p = &l->places[i];
	struct model *m = in->model;

	row->scope = (uint32_t)m->scope_count;
	row->scopes = p->count;
	for (uint32_t k = 0; k < p->count; k++) {
		const struct lines_frame *f = &l->frames[p->first + k];
		uint32_t own = f->function == NULL ? function :
		    find(in, f->function);
		uint32_t file = f->file == NULL ? MODEL_NONE :
		    strings_add(&m->sources.paths, f->file);

		if (own == MODEL_NONE || (file == MODEL_NONE &&
		    f->file != NULL) || m->scope_count >= UINT32_MAX ||
		    grow(&m->scopes, m->scope_count, &m->scope_room,
		    sizeof(*m->scopes)) != 0)
			return -ENOMEM;
		m->scopes[m->scope_count++] = (struct model_scope) {
			.file = file, .line = f->line, .function = own,
		};
	}
	return 0;
}

void
inlines_end(struct inlines *in)
{
	free(in->slots);
	memset(in, 0, sizeof(*in));
}
