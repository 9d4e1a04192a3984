/*
 * Context: O.  prof --embed: stores the names of a profile's places in it.
 *
 * Texts and blocks are put behind what the process wrote.  Older names are
 * dropped, as the new ones include them.
 */
#include "embed.h"

#include "base/model.h"
#include "base/string_pool.h"
#include "base/compare.h"
#include "foreign/read_tprof.h"
#include "load.h"
#include "names/symbolize.h"
#include "output.h"
#include "process_state.h"
#include "base/vector.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A place of the profile that gets names. */
struct named_place {
	/* Record of its module; 0: the address is absolute */
	uint32_t record;
	uint64_t address;
	const struct model_row *row;
};

/* The state of embedding. */
struct embed {
	struct load load;
	struct model model;
	struct named_place *places;	/* ascending, each once */
	size_t count;
	struct string_pool texts;
	uint32_t *index;	/* index in the file, by the number of a text */
	uint64_t base;		/* bytes of the file before the names */
	FILE *tail;		/* names: what comes behind `base` */
	uint32_t newest;	/* index of the newest block */
	struct embed_sum *sum;
};

static uint32_t
next_index(const struct embed *x)
{
	return (uint32_t)((x->base + (uint64_t)ftello(x->tail)) / FORMAT_UNIT);
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
place_compare(const void *left, const void *right)
{
	const struct named_place *a = left, *b = right;
	int d = compare_u64(a->record, b->record);

	return d != 0 ? d : compare_u64(a->address, b->address);
}

/* Sorts the places and keeps each once. */
static void
sort_places(struct embed *x)
{
	size_t kept = 0;

	if (x->count == 0)
		return;
	qsort(x->places, x->count, sizeof(*x->places), place_compare);
	for (size_t i = 1; i < x->count; i++)
		if (place_compare(&x->places[kept], &x->places[i]) != 0)
			x->places[++kept] = x->places[i];
	x->count = kept + 1;
}

static int
collect_named_places(struct embed *x)
{
	const struct model *m = &x->model;
	size_t named = 0;

	x->places = calloc(m->row_count + 1, sizeof(*x->places));
	if (x->places == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (is_place(r))
			x->places[x->count++] = (struct named_place) {
				.record = m->modules[r->module].record,
				.address = model_lookup_address(r), .row = r,
			};
	}
	sort_places(x);
	x->sum->places = x->count;
	for (size_t i = 0; i < x->count; i++)
		if (is_named(m, x->places[i].row))
			x->places[named++] = x->places[i];
	x->sum->named = x->count = named;
	return 0;
}

/*
 * Records a text.  Returns its number + 1, or 0 if `text` is NULL or memory is
 * out.
 */
static uint32_t
text_record_number(struct embed *x, const char *text)
{
	return text == NULL ? 0 : string_pool_add(&x->texts, text) + 1;
}

static const char *
place_name(const struct embed *x, const struct model_row *r)
{
	const struct model_function *f = &x->model.functions[r->function];

	return f->named ? f->name : NULL;
}

/*
 * Returns the function of a scope, or NULL if it is that of the place itself,
 * which is not stored again.
 */
static const char *
scope_function(const struct embed *x, const struct model_row *r, uint32_t i)
{
	const uint32_t own = x->model.scopes[r->scope + i].function;

	return own == r->function || !x->model.functions[own].named ? NULL :
	    x->model.functions[own].name;
}

static const char *
scope_file(const struct embed *x, const struct model_row *r, uint32_t i)
{
	const uint32_t file = x->model.scopes[r->scope + i].file;

	return file == MODEL_NONE ? NULL : x->model.sources.paths.all[file];
}

static void
number_texts(struct embed *x)
{
	for (size_t i = 0; i < x->count; i++) {
		const struct model_row *r = x->places[i].row;

		text_record_number(x, place_name(x, r));
		for (uint32_t k = 0; k < r->scopes; k++) {
			text_record_number(x, scope_function(x, r, k));
			text_record_number(x, scope_file(x, r, k));
		}
	}
}

static int
put_texts(struct embed *x)
{
	x->index = calloc(x->texts.count + 1, sizeof(*x->index));
	if (x->index == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < x->texts.count; i++) {
		const uint32_t bytes = (uint32_t)strlen(x->texts.all[i]);

		x->index[i + 1] = next_index(x);
		fwrite(&bytes, sizeof(bytes), 1, x->tail);
		fwrite(x->texts.all[i], 1, bytes, x->tail);
		pad_to_unit(x->tail);
	}
	return 0;
}

static uint32_t
text_index(struct embed *x, const char *text)
{
	return x->index[text_record_number(x, text)];
}

static void
put_places(struct embed *x, const struct named_place *p, uint32_t count)
{
	uint32_t scopes = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct model_row *r = p[i].row;
		const struct format_place own = {
			.address = p[i].address,
			.start = x->model.functions[r->function].start,
			.name = text_index(x, place_name(x, r)),
			.first = scopes,
			.scopes = r->scopes,
		};

		fwrite(&own, sizeof(own), 1, x->tail);
		scopes += r->scopes;
	}
}

static void
put_scopes(struct embed *x, const struct named_place *p, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < p[i].row->scopes; k++) {
			const struct model_row *r = p[i].row;
			const struct format_scope own = {
				.function = text_index(x,
				    scope_function(x, r, k)),
				.file = text_index(x, scope_file(x, r, k)),
				.line = x->model.scopes[r->scope + k].line,
			};

			fwrite(&own, sizeof(own), 1, x->tail);
		}
}

/* Writes the block of one module. */
static void
put_block(struct embed *x, const struct named_place *p, uint32_t count)
{
	struct format_names block = {
		.next = x->newest, .module = p->record, .places = count,
	};

	for (uint32_t i = 0; i < count; i++)
		block.scopes += p[i].row->scopes;
	x->newest = next_index(x);
	fwrite(&block, sizeof(block), 1, x->tail);
	put_places(x, p, count);
	put_scopes(x, p, count);
}

static int
put_tail(struct embed *x)
{
	size_t done = 0;
	int ret;

	number_texts(x);
	ret = put_texts(x);
	while (done < x->count && ret == 0) {
		size_t count = 1;

		while (done + count < x->count &&
		    x->places[done + count].record == x->places[done].record)
			count++;
		put_block(x, &x->places[done], (uint32_t)count);
		done += count;
	}
	return ret;
}

/* Writes the whole file with a new header. */
static void
put_file(struct embed *x, const void *tail, size_t bytes, FILE *out)
{
	struct format_header h;

	memcpy(&h, x->load.copy.bytes, sizeof(h));
	h.names = x->newest;
	h.names_at = x->newest != 0 ? x->base : 0;
	h.used = (h.used & FORMAT_CLOSED) | (x->base + bytes);
	if (h.cap < x->base + bytes)
		h.cap = x->base + bytes;
	fwrite(&h, sizeof(h), 1, out);
	fwrite(x->load.copy.bytes + sizeof(h), 1, x->base - sizeof(h), out);
	fwrite(tail, 1, bytes, out);
}

static int
save_embedded(struct embed *x, const char *path, const char *to,
    const void *tail, size_t bytes, struct fault *f)
{
	struct output o;
	struct stat st;
	int ret = to == NULL ? output_replace(&o, path, f) :
	    output_open(&o, to, f);

	if (ret != 0)
		return ret;
	if (to == NULL && stat(path, &st) == 0)
		(void)!fchown(fileno(o.out), st.st_uid, st.st_gid);
	put_file(x, tail, bytes, o.out);
	x->sum->bytes = bytes;
	return output_close(&o, f);
}

static int
refuse_embed(const char *what, const char *remedy, struct fault *f)
{
	int ret = fault_set(f, what, FAULT_NO_OFFSET, 0);

	f->remedy = remedy;
	return ret;
}

/*
 * Checks that no process still writes to the file: it would go on counting in a
 * file that no longer has a name.
 */
static int
check_writer(const struct embed *x, const char *to, struct fault *f)
{
	const struct format_header *h = &x->load.decode.header;
	const int alive = x->load.decode.sealed ? 0 : process_state_check(h);

	/*
	 * A copy of a running process's file would be taken for its final
	 * state.
	 */
	if (alive > 0)
		return refuse_embed("its process still runs",
		    "wait for its end", f);
	if (alive < 0 && to == NULL)
		return refuse_embed("its process may still run, elsewhere",
		    "store a copy by -o", f);
	if (x->load.copy.size < h->used)
		return refuse_embed("is cut short: no names can be added", NULL,
		    f);
	return 0;
}

/*
 * Checks that the file without its old names is a whole profile, as the rest is
 * dropped.  In a file that is not sealed no link may be lost by that.
 */
static int
check_base(struct embed *x, struct fault *f)
{
	struct format_header *h = (void *)x->load.copy.bytes;
	const struct format_header was = *h;
	struct decode d;
	int ret;

	if (was.names_at == 0)
		return 0;
	h->names = 0;
	h->names_at = 0;
	h->used = x->base | (was.used & FORMAT_CLOSED);
	ret = decode_open(&d, x->load.copy.bytes, x->base, f);
	if (ret == 0) {
		ret = decode_counts_check(&d, f);
		if (ret == 0 && d.cut != 0)
			ret = fault_set(f, "more than names lies behind their "
			    "begin", x->base, 0);
		decode_close(&d);
	}
	*h = was;
	return ret;
}

static int
read_names(struct embed *x, const struct filter *all, struct fault *f)
{
	int ret = model_init(&x->model, all, MODEL_KEEP_PROCESS |
	    MODEL_KEEP_STACKS | MODEL_KEEP_LINES | MODEL_KEEP_ARCS |
	    MODEL_KEEP_PLACES,
	    DEMANGLE_OFF);

	if (ret == 0)
		ret = read_profile_add(&x->model, &x->load.decode, f);
	if (ret == 0)
		ret = model_finish(&x->model);
	if (ret == 0)
		ret = symbolize_all(&x->model, NULL, NULL);
	return ret != 0 ? ret : collect_named_places(x);
}

int
embed(const char *path, const char *to, struct embed_sum *sum,
    struct fault *f)
{
	const struct filter all = { .asleep = false };
	struct embed x = { .sum = sum };
	char *tail = NULL;
	size_t bytes = 0;
	int ret = load_open_raw(&x.load, path, f);

	*sum = (struct embed_sum) { .bytes = 0 };
	if (ret == LOAD_OTHER && read_tprof_probe(path))
		return refuse_embed("is of tprof, and has no room for names of "
		    "programs", "--write=pprof makes a file with names and "
		    "stacks of it, which prof reads anywhere", f);
	if (ret != 0)
		return ret;
	ret = check_writer(&x, to, f);
	x.base = x.load.decode.header.names_at != 0 ?
	    x.load.decode.header.names_at : x.load.decode.header.used;
	if (ret == 0)
		ret = check_base(&x, f);
	if (ret == 0)
		ret = read_names(&x, &all, f);
	if (ret == 0) {
		x.tail = open_memstream(&tail, &bytes);
		ret = x.tail == NULL ? -ENOMEM : put_tail(&x);
	}
	if (x.tail != NULL && fclose(x.tail) != 0 && ret == 0)
		ret = -ENOMEM;
	if (ret == 0)
		ret = save_embedded(&x, path, to, tail, bytes, f);
	if (ret == -ENOMEM)
		fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	free(tail);
	free(x.places);
	free(x.index);
	string_pool_free(&x.texts);
	model_free(&x.model);
	load_close(&x.load);
	return ret;
}
