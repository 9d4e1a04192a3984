/*
 * Context: O.  Makes the records of names of a profile's places, for embed.c;
 * see embed_names.h.
 */
#include "embed_names.h"

#include "base/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the index in the profile of what is written next. */
static uint32_t
next_index(const struct embed_names *n)
{
	return (uint32_t)((n->base + (uint64_t)ftello(n->out)) / FORMAT_UNIT);
}

static void
pad_to_unit(FILE *to)
{
	while (ftello(to) % FORMAT_UNIT != 0)
		putc(0, to);
}

static bool
is_place(const struct model_row *r)
{
	return r->kind != MODEL_REST && !model_has_no_address(r->module);
}

static bool
is_named(const struct model *m, const struct model_row *r)
{
	return !model_is_unresolvable(r->module) &&
	    (m->functions[r->function].named || r->scopes != 0);
}

static int
compare_places(const void *left, const void *right)
{
	const struct embed_place *a = left, *b = right;
	int d = compare_u64(a->record, b->record);

	return d != 0 ? d : compare_u64(a->address, b->address);
}

/* Sorts the places and keeps each once. */
static void
sort_places(struct embed_names *n)
{
	size_t kept = 0;

	if (n->count == 0)
		return;
	qsort(n->places, n->count, sizeof(*n->places), compare_places);
	for (size_t i = 1; i < n->count; i++)
		if (compare_places(&n->places[kept], &n->places[i]) != 0)
			n->places[++kept] = n->places[i];
	n->count = kept + 1;
}

int
embed_names_collect(struct embed_names *n, const struct model *m)
{
	size_t named = 0;

	n->model = m;
	n->places = calloc(m->row_count + 1, sizeof(*n->places));
	if (n->places == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (is_place(r))
			n->places[n->count++] = (struct embed_place) {
				.record = m->modules[r->module].record,
				.address = model_lookup_address(r), .row = r,
			};
	}
	sort_places(n);
	n->all_count = n->count;
	for (size_t i = 0; i < n->count; i++)
		if (is_named(m, n->places[i].row))
			n->places[named++] = n->places[i];
	n->count = named;
	return 0;
}

/*
 * Records a text.  Returns its number + 1; 0 if `text` is NULL, or, with
 * n->failed set, if memory is out.
 */
static uint32_t
text_record_number(struct embed_names *n, const char *text)
{
	const uint32_t number = text == NULL ? UINT32_MAX :
	    string_pool_add(&n->texts, text);

	n->failed |= text != NULL && number == UINT32_MAX;
	return number + 1;
}

static const char *
place_name(const struct embed_names *n, const struct model_row *r)
{
	const struct model_function *f = &n->model->functions[r->function];

	return f->named ? f->name : NULL;
}

/*
 * Returns the function of a scope, or NULL if it is that of the place itself,
 * which is not stored again.
 */
static const char *
scope_function(const struct embed_names *n, const struct model_row *r,
    uint32_t i)
{
	const uint32_t own = n->model->scopes[r->scope + i].function;

	return own == r->function || !n->model->functions[own].named ? NULL :
	    n->model->functions[own].name;
}

static const char *
scope_file(const struct embed_names *n, const struct model_row *r, uint32_t i)
{
	const uint32_t file = n->model->scopes[r->scope + i].file;

	return file == MODEL_NONE ? NULL : n->model->sources.paths.all[file];
}

/*
 * Numbers all texts, so that put_texts() knows how many there are.  Returns 0
 * or -ENOMEM.
 */
static int
number_texts(struct embed_names *n)
{
	for (size_t i = 0; i < n->count; i++) {
		const struct model_row *r = n->places[i].row;

		text_record_number(n, place_name(n, r));
		for (uint32_t k = 0; k < r->scopes; k++) {
			text_record_number(n, scope_function(n, r, k));
			text_record_number(n, scope_file(n, r, k));
		}
	}
	return n->failed ? -ENOMEM : 0;
}

/* Writes the texts and sets n->index, by number + 1; 0 stands for none. */
static int
put_texts(struct embed_names *n)
{
	n->index = calloc(n->texts.count + 1, sizeof(*n->index));
	if (n->index == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n->texts.count; i++) {
		const uint32_t bytes = (uint32_t)strlen(n->texts.all[i]);

		n->index[i + 1] = next_index(n);
		fwrite(&bytes, sizeof(bytes), 1, n->out);
		fwrite(n->texts.all[i], 1, bytes, n->out);
		pad_to_unit(n->out);
	}
	return 0;
}

static uint32_t
text_index(struct embed_names *n, const char *text)
{
	return n->index[text_record_number(n, text)];
}

/* Writes the places of a block; `first` counts the block's scopes. */
static void
put_places(struct embed_names *n, const struct embed_place *p, uint32_t count)
{
	uint32_t scopes = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct model_row *r = p[i].row;
		const struct format_place own = {
			.address = p[i].address,
			.start = n->model->functions[r->function].start,
			.name = text_index(n, place_name(n, r)),
			.first = scopes,
			.scopes = r->scopes,
		};

		fwrite(&own, sizeof(own), 1, n->out);
		scopes += r->scopes;
	}
}

static void
put_scopes(struct embed_names *n, const struct embed_place *p, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < p[i].row->scopes; k++) {
			const struct model_row *r = p[i].row;
			const struct format_scope own = {
				.function = text_index(n,
				    scope_function(n, r, k)),
				.file = text_index(n, scope_file(n, r, k)),
				.line = n->model->scopes[r->scope + k].line,
			};

			fwrite(&own, sizeof(own), 1, n->out);
		}
}

/* Writes the block of one module. */
static void
put_block(struct embed_names *n, const struct embed_place *p, uint32_t count)
{
	struct format_names block = {
		.next = n->newest, .module = p->record, .places = count,
	};

	for (uint32_t i = 0; i < count; i++)
		block.scopes += p[i].row->scopes;
	n->newest = next_index(n);
	fwrite(&block, sizeof(block), 1, n->out);
	put_places(n, p, count);
	put_scopes(n, p, count);
}

int
embed_names_write(struct embed_names *n, uint64_t base, FILE *out)
{
	size_t done = 0;
	int ret;

	n->base = base;
	n->out = out;
	ret = number_texts(n);
	if (ret == 0)
		ret = put_texts(n);
	while (done < n->count && ret == 0) {
		size_t count = 1;

		while (done + count < n->count &&
		    n->places[done + count].record == n->places[done].record)
			count++;
		put_block(n, &n->places[done], (uint32_t)count);
		done += count;
	}
	return ret;
}

void
embed_names_free(struct embed_names *n)
{
	free(n->places);
	free(n->index);
	string_pool_free(&n->texts);
}
