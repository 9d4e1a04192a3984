/* Context: O.  The places in code that samples and their callers are at. */
#include "sites.h"

#include "grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t
hash(const struct site *p)
{
	uint64_t h = p->address * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)p->module << 32 | p->process) * 0xff51afd7ed558ccdu;
	h ^= (uint64_t)p->function << 17;
	return (size_t)(h ^ h >> 29);
}

/* What is no code has no address, and so its function tells it apart. */
static bool
is_same(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->address == b->address &&
	    a->process == b->process && a->function == b->function;
}

static uint32_t *
place(const struct sites *s, const struct site *p)
{
	size_t at = hash(p) & (s->slot_count - 1);

	while (s->slots[at] != 0 && !is_same(&s->all[s->slots[at] - 1], p))
		at = (at + 1) & (s->slot_count - 1);
	return &s->slots[at];
}

static int
widen(struct sites *s)
{
	const size_t slots = s->slot_count == 0 ? 1024 : s->slot_count * 2;

	if (s->count < s->slot_count / 2)
		return 0;
	free(s->slots);
	s->slots = calloc(slots, sizeof(*s->slots));
	if (s->slots == NULL)
		return -ENOMEM;
	s->slot_count = slots;
	for (size_t i = 0; i < s->count; i++)
		*place(s, &s->all[i]) = (uint32_t)i + 1;
	return 0;
}

static int
add(struct sites *s, const struct site *p, uint32_t *number)
{
	uint32_t *slot;

	if (widen(s) != 0 || s->count >= UINT32_MAX - 1 ||
	    grow(&s->all, s->count, &s->room, sizeof(*s->all)) != 0)
		return -ENOMEM;
	slot = place(s, p);
	if (*slot == 0) {
		s->all[s->count] = *p;
		*slot = (uint32_t)++s->count;
	}
	*number = *slot - 1;
	return 0;
}

static uint32_t
owner(uint32_t module, uint32_t process)
{
	return model_is_absolute(module) ? process : MODEL_NONE;
}

static struct site
site_of_row(const struct model_row *r)
{
	return (struct site) {
		.module = r->module, .process = owner(r->module, r->process),
		.address = r->address == 0 ? 0 : model_place(r),
		.function = r->function, .scope = r->scope, .scopes = r->scopes,
	};
}

static struct site
site_of_frame(const struct stack_frame *f)
{
	const struct model_row r = {
		.module = f->module, .kind = f->kind, .address = f->address,
		.process = f->process, .function = f->function,
		.scope = f->scope, .scopes = f->scopes,
	};

	return site_of_row(&r);
}

int
sites_make(struct sites *s, const struct model *m)
{
	int ret = 0;

	memset(s, 0, sizeof(*s));
	s->of_row = calloc(m->row_count + 1, sizeof(*s->of_row));
	s->of_frame = calloc(m->stacks.count + 1, sizeof(*s->of_frame));
	if (s->of_row == NULL || s->of_frame == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct site own = site_of_row(&m->rows[i]);

		if (!model_is_caller(m->rows[i].kind))
			ret = add(s, &own, &s->of_row[i]);
	}
	for (size_t i = 1; i < m->stacks.count && ret == 0; i++) {
		const struct site own = site_of_frame(&m->stacks.frames[i]);

		ret = add(s, &own, &s->of_frame[i]);
	}
	return ret;
}

void
sites_free(struct sites *s)
{
	free(s->all);
	free(s->of_row);
	free(s->of_frame);
	free(s->slots);
	memset(s, 0, sizeof(*s));
}
