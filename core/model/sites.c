/* Context: O.  The places in code that samples and their callers are at. */
#include "sites.h"

#include "grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
hash(const struct site *p)
{
	return finder_hash(p->address ^ ((uint64_t)p->module << 40 ^
	    (uint64_t)p->process << 20 ^ (uint64_t)p->function << 8));
}

/* What is no code has no address, and so its function tells it apart. */
static bool
is_same(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->address == b->address &&
	    a->process == b->process && a->function == b->function;
}

static int
add(struct sites *s, const struct site *p, uint32_t *number)
{
	const uint32_t h = hash(p);

	for (size_t at = h; (*number = finder_next(&s->by_place, h, &at)) !=
	    FINDER_NONE;)
		if (is_same(&s->all[*number], p))
			return 0;
	*number = (uint32_t)s->count;
	if (s->count >= UINT32_MAX - 1 ||
	    grow(&s->all, s->count, &s->room, sizeof(*s->all)) != 0 ||
	    finder_add(&s->by_place, h, *number) != 0)
		return -ENOMEM;
	s->all[s->count++] = *p;
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
	finder_free(&s->by_place);
	memset(s, 0, sizeof(*s));
}
