/*
 * Context: O.  Converts places that files of other profilers name to places of
 * the model, for read_import.c: functions, scopes and addresses get numbers,
 * and addresses are made up where the file has none.
 */
#include "foreign/import_modules.h"

#include "base/vector.h"

void
import_places_init(struct import_places *t, struct model *m)
{
	memset(t, 0, sizeof(*t));
	t->model = m;
}

void
import_places_free(struct import_places *t)
{
	struct key_table *const keys[] = {
		&t->modules, &t->functions, &t->scopes, &t->places, &t->taken,
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		key_table_free(keys[i]);
	string_pool_free(&t->texts);
	free(t->module);
	free(t->start);
	free(t->place);
	memset(t, 0, sizeof(*t));
}

/* Returns a text by its number from import_modules_intern(), NULL for 0. */
static const char *
string_at(const struct import_places *t, uint32_t number)
{
	return number == 0 ? NULL : t->texts.all[number - 1];
}

/* Returns the name of a frame, or a placeholder. */
static struct text
frame_name(const struct import_frame *f)
{
	return f->name.at == NULL || f->name.bytes == 0 ?
	    text_of("[unknown]") : f->name;
}

/*
 * Returns `want`, or another number if `want` is already an address of the
 * module (start: a start of a function in it).  Returns UINT64_MAX if memory is
 * out.
 */
static uint64_t
take_free_address(struct import_places *t, uint32_t module, bool start,
    uint64_t want)
{
	for (;;) {
		const size_t before = t->taken.count;
		const uint32_t n = want == IMPORT_NO_ADDRESS ? 0 :
		    key_table_add(&t->taken, module, want, start);

		if (n == UINT32_MAX)
			return UINT64_MAX;
		if (want != IMPORT_NO_ADDRESS && n == before)
			return want;
		want = ++t->made;
	}
}

/*
 * Returns the number of the scope of frames[0], + 1; UINT32_MAX if memory is
 * out.  A scope is identified by the scope in which it is inlined, its
 * function, its file and its line.
 */
static uint32_t
find_import_scope(struct import_places *t, const struct import_frame *frames,
    size_t count)
{
	uint32_t scope = 0;

	for (size_t i = count; i-- > 0 && scope != UINT32_MAX;) {
		const uint32_t name = import_modules_intern(t,
		    frame_name(&frames[i]));
		const uint32_t file = import_modules_intern(t, frames[i].file);

		if (name == UINT32_MAX || file == UINT32_MAX)
			return UINT32_MAX;
		scope = key_table_add(&t->scopes, scope, name,
		    (uint64_t)file << 32 | frames[i].line);
		if (scope != UINT32_MAX)
			scope++;
	}
	return scope;
}

/*
 * Adds the name and the lines of a place to model.given; place->count must be
 * 0.  The names are kept in t->texts.  Returns 0 or -ENOMEM.
 */
static int
add_embedded_lines(struct import_places *t, const struct import_frame *frames,
    size_t count, const struct embedded_names_place *place)
{
	const bool kept = (t->model->keep & MODEL_KEEP_LINES) != 0;
	struct lines_frame *lines = calloc(count, sizeof(*lines));
	struct embedded_names_place own = *place;
	int ret = 0;

	if (lines == NULL)
		return -ENOMEM;
	if (kept && (count > 1 || frames[0].file.at != NULL))
		own.count = (uint32_t)count;
	for (size_t i = 0; i < own.count; i++) {
		const uint32_t name = import_modules_intern(t,
		    frame_name(&frames[i]));
		const uint32_t file = import_modules_intern(t, frames[i].file);

		if (name == UINT32_MAX || file == UINT32_MAX) {
			ret = -ENOMEM;
			break;
		}
		lines[i] = (struct lines_frame) {
			.function = i + 1 == count ? NULL : string_at(t, name),
			.file = string_at(t, file), .line = frames[i].line,
		};
	}
	if (ret == 0)
		ret = embedded_names_add(&t->model->given, &own, lines);
	free(lines);
	return ret;
}

/*
 * Chooses the address of a new place and, if `fresh`, the start of its
 * function, which is number `function`, and adds its names.  place->module is
 * set.  Returns 0 or -ENOMEM.
 */
static int
assign_place(struct import_places *t, const struct import_frame *frames,
    size_t count, uint32_t function, bool fresh, struct import_place *place)
{
	const struct import_frame *f = &frames[count - 1];
	const bool offset = f->offset != IMPORT_NO_ADDRESS &&
	    f->address != IMPORT_NO_ADDRESS && f->offset <= f->address;
	struct embedded_names_place own = { .module = place->module,
		.process = MODEL_NONE };
	uint64_t want = offset && !fresh ? t->start[function] + f->offset :
	    f->address;

	own.address = place->address = take_free_address(t, place->module,
	    false, want);
	own.name = import_modules_text(t, frame_name(f));
	if (own.address == UINT64_MAX || own.name == NULL)
		return -ENOMEM;
	if (fresh)
		t->start[function] = take_free_address(t, place->module, true,
		    own.address - (offset ? f->offset : 0));
	own.start = t->start[function];
	if (own.start == UINT64_MAX)
		return -ENOMEM;
	return add_embedded_lines(t, frames, count, &own);
}

/*
 * Sets *place to a place that has a name in the file, or cannot be located.
 * own: its module.  Returns 0 or -ENOMEM.
 */
static int
find_import_place(struct import_places *t, const struct import_frame *frames,
    size_t count, const struct import_modules_entry *own,
    struct import_place *place)
{
	const struct import_frame *f = &frames[count - 1];
	const size_t functions = t->functions.count, places = t->places.count;
	const uint32_t name = import_modules_intern(t, frame_name(f));
	const uint32_t home = import_modules_intern(t, f->home);
	const uint32_t scope = find_import_scope(t, frames, count);
	uint32_t function, n;

	place->module = own->module;
	place->kernel = own->kernel;
	if (name == UINT32_MAX || home == UINT32_MAX || scope == UINT32_MAX)
		return -ENOMEM;
	function = key_table_add(&t->functions, own->module, name,
	    home);
	if (function == UINT32_MAX || vector_grow(&t->start, function,
	    &t->start_room, sizeof(*t->start)) != 0)
		return -ENOMEM;
	n = key_table_add(&t->places, function, scope,
	    f->offset != IMPORT_NO_ADDRESS ? f->offset : f->address);
	if (n == UINT32_MAX || vector_grow(&t->place, n, &t->place_room,
	    sizeof(*t->place)) != 0)
		return -ENOMEM;
	if (n != places) {
		*place = t->place[n];
		return 0;
	}
	if (assign_place(t, frames, count, function, function == functions,
	    place) != 0)
		return -ENOMEM;
	t->place[n] = *place;
	return 0;
}

int
import_places_find(struct import_places *t, const struct import_frame *frames,
    size_t count, struct import_place *place)
{
	const struct import_frame *f = &frames[count - 1];
	struct import_modules_entry *own;

	*place = (struct import_place) { .module = MODEL_MODULE_NONE };
	if (f->name.at == NULL && f->module.path.at == NULL && count == 1) {
		place->address = f->address == IMPORT_NO_ADDRESS ? 0 :
		    f->address;
		return 0;
	}
	own = import_modules_entry(t, &f->module);
	if (own == NULL)
		return -ENOMEM;
	if (f->name.at == NULL && count == 1) {
		const int ret = import_modules_locate(t, own, &f->module,
		    f->address, place);

		if (ret <= 0)
			return ret;
	}
	return find_import_place(t, frames, count, own, place);
}
