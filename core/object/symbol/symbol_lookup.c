/*
 * Context: O.  Finds which symbol holds each of a batch of addresses, for
 * object.c and elf_foreign.c; see symbol_lookup.h.
 */
#include "symbol/symbol_lookup.h"

#include "base/compare.h"
#include "elf/ehframe.h"
#include "base/vector.h"

#include <string.h>

/*
 * Parts of the asked addresses.  A file has ten times as many symbols as a
 * profile has addresses: most of them are placed by one look at a part.
 */
#define PARTS	4096u

/* Fills in s->shift and s->below.  There is at least one address. */
static void
count_below_parts(struct symbol_lookup *s)
{
	const uint64_t first = s->asked[0].address;
	const uint64_t span = s->asked[s->count - 1].address - first;
	uint32_t n = 0;

	while (span >> s->shift >= PARTS)
		s->shift++;
	for (size_t i = 0; i < PARTS + 1; i++) {
		while (n < s->count &&
		    (s->asked[n].address - first) >> s->shift < i)
			n++;
		s->below[i] = n;
	}
}

int
symbol_lookup_begin(struct symbol_lookup *s, struct symbol *asked, size_t count)
{
	memset(s, 0, sizeof(*s));
	s->asked = asked;
	s->count = count;
	s->before = calloc(count + 1, sizeof(*s->before));
	s->below = malloc((PARTS + 1) * sizeof(*s->below));
	if (s->before == NULL || s->below == NULL || count >= UINT32_MAX)
		return -ENOMEM;
	if (count != 0)
		count_below_parts(s);
	return 0;
}

void
symbol_lookup_end(struct symbol_lookup *s)
{
	free(s->kept);
	free(s->before);
	free(s->below);
	memset(s, 0, sizeof(*s));
}

size_t
symbol_lookup_lower_bound(const struct symbol *asked, size_t count,
    uint64_t address)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (asked[middle].address < address)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/* Returns how many asked addresses lie below the address. */
static size_t
count_asked_below(const struct symbol_lookup *s, uint64_t address)
{
	uint64_t part;

	if (s->count == 0 || address <= s->asked[0].address)
		return 0;
	part = (address - s->asked[0].address) >> s->shift;
	if (part >= PARTS)
		return s->count;
	return s->below[part] + symbol_lookup_lower_bound(s->asked +
	    s->below[part], s->below[part + 1] - s->below[part], address);
}

static size_t
count_underscores(const char *name)
{
	return strspn(name, "_");
}

/* Returns > 0 if a is preferred of two symbols that start at one address. */
static int
prefer_symbol(const struct symbol_candidate *a,
    const struct symbol_candidate *b)
{
	int d = compare_u64(a->bind == STB_LOCAL, b->bind == STB_LOCAL);

	if (d == 0)
		d = compare_u64(a->type == STT_GNU_IFUNC,
		    b->type == STT_GNU_IFUNC);
	if (d == 0)
		d = compare_u64(count_underscores(a->name),
		    count_underscores(b->name));
	if (d == 0)
		d = compare_u64(strlen(a->name), strlen(b->name));
	if (d == 0)
		d = strcmp(a->name, b->name);
	return -d;
}

/*
 * Orders candidates ascending by start; of one start, the preferred comes last.
 */
static int
compare_candidates(const void *left, const void *right)
{
	const struct symbol_candidate *a = left, *b = right;

	if (a->value != b->value)
		return compare_u64(a->value, b->value);
	if (a->size != b->size)
		return compare_u64(b->size, a->size);
	return prefer_symbol(a, b);
}

/*
 * Puts *o in the place of *before if it starts later, or there and is
 * preferred.
 */
static void
keep_nearest_start(struct symbol_candidate *before,
    const struct symbol_candidate *o)
{
	if (before->name == NULL || o->value > before->value ||
	    (o->value == before->value &&
	    ((before->size == 0 && o->size != 0) ||
	    (before->size == o->size && prefer_symbol(o, before) > 0))))
		*before = *o;
}

int
symbol_lookup_add(struct symbol_lookup *s, const struct symbol_candidate *o)
{
	const size_t first = count_asked_below(s, o->value);

	if (first == s->count)
		return 0;
	keep_nearest_start(&s->before[first], o);
	if (s->asked[first].address - o->value >= o->size)
		return 0;
	if (vector_grow(&s->kept, s->kept_count, &s->kept_room,
	    sizeof(*o)) != 0)
		return -ENOMEM;
	s->kept[s->kept_count++] = *o;
	return 0;
}

/* Names an address by a symbol.  Returns 0 or -ENOMEM. */
static int
store_symbol_name(struct symbol *asked, const struct symbol_candidate *o,
    struct arena *arena)
{
	/* "memcpy@@GLIBC_2.14": the version is not part of the name. */
	size_t bytes = strcspn(o->name, "@");

	asked->start = o->value;
	asked->start_known = true;
	asked->name = arena_join(arena, o->name, bytes,
	    o->type == STT_GNU_IFUNC ? "@ifunc" : "");
	return asked->name == NULL ? -ENOMEM : 0;
}

/*
 * Returns whether a symbol without a size holds the address: no section ends
 * and, by the unwind table, no function starts in between.
 */
static bool
unsized_symbol_holds(const struct symbol_candidate *o, uint64_t address,
    const struct ehframe *bounds)
{
	struct ehframe_range range;

	if (o->name == NULL || o->size != 0 || address >= o->limit)
		return false;
	return bounds == NULL || !ehframe_before(bounds, address, &range) ||
	    range.start <= o->value;
}

/*
 * Returns whether `o` is a MARK of prof.h inside `in`.  It splits a function:
 * M.name holds what follows it there.
 */
static bool
is_prof_mark(const struct symbol_candidate *o,
    const struct symbol_candidate *in)
{
	return o != NULL && o->size == 0 && o->bind == STB_LOCAL &&
	    strncmp(o->name, "M.", 2) == 0 && o->value >= in->value;
}

/*
 * A walk over the candidates by start, beside the addresses.  Candidates that
 * began and did not end yet form a stack through `under`; one that ended at its
 * top never comes back, since addresses ascend.
 */
struct candidate_sweep {
	size_t *under;
	size_t next;
	size_t top;		/* index + 1, 0 = empty */
};

/*
 * Returns the sized candidate that holds the address and starts last; NULL:
 * there is none.  Addresses ascend from call to call.
 */
static const struct symbol_candidate *
sweep_to_address(struct candidate_sweep *w, const struct symbol_lookup *s,
    uint64_t address)
{
	while (w->next < s->kept_count &&
	    s->kept[w->next].value <= address) {
		w->under[w->next] = w->top;
		w->top = ++w->next;
	}
	while (w->top != 0) {
		const struct symbol_candidate *o = &s->kept[w->top - 1];

		if (address - o->value < o->size)
			return o;
		w->top = w->under[w->top - 1];
	}
	return NULL;
}

int
symbol_lookup_resolve(struct symbol_lookup *s, const struct ehframe *bounds,
    struct arena *arena)
{
	struct candidate_sweep sweep = { 0 };
	const struct symbol_candidate *before = NULL, *was = NULL;
	const char *name = NULL;
	int ret = 0;

	sweep.under = calloc(s->kept_count + 1, sizeof(*sweep.under));
	if (sweep.under == NULL)
		return -ENOMEM;
	if (s->kept_count > 1)
		qsort(s->kept, s->kept_count, sizeof(*s->kept),
		    compare_candidates);
	for (size_t i = 0; i < s->count && ret == 0; i++) {
		struct symbol *asked = &s->asked[i];
		const struct symbol_candidate *o;

		if (s->before[i].name != NULL)
			before = &s->before[i];
		o = sweep_to_address(&sweep, s, asked->address);
		if (o == NULL && before != NULL &&
		    unsized_symbol_holds(before, asked->address, bounds))
			o = before;
		else if (o != NULL && is_prof_mark(before, o))
			o = before;
		if (o == NULL || asked->name != NULL)
			continue;
		/* One copy of a name for all its addresses */
		if (o == was) {
			asked->start = o->value;
			asked->start_known = true;
			asked->name = name;
			continue;
		}
		ret = store_symbol_name(asked, o, arena);
		was = o;
		name = asked->name;
	}
	free(sweep.under);
	return ret;
}

static bool
is_code_symbol(const Elf64_Sym *sym)
{
	unsigned type = ELF64_ST_TYPE(sym->st_info);

	return sym->st_name != 0 && sym->st_shndx != SHN_UNDEF &&
	    (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

/* Section headers by index, so that a symbol costs no call into libelf. */
struct section_headers {
	Elf64_Shdr *header;	/* sh_type is SHT_NULL if it cannot be read */
	size_t count;
};

/*
 * Reads all section headers of a file; the caller frees x->header in any case.
 * Returns 0 or -ENOMEM.
 */
static int
read_section_headers(struct section_headers *x, const struct elf_file *f)
{
	Elf_Scn *section = NULL;

	if (elf_getshdrnum(f->elf, &x->count) != 0)
		x->count = 0;
	x->header = calloc(x->count + 1, sizeof(*x->header));
	if (x->header == NULL)
		return -ENOMEM;
	while ((section = elf_nextscn(f->elf, section)) != NULL) {
		size_t index = elf_ndxscn(section);

		if (index < x->count)
			elf_file_header(section, &x->header[index]);
	}
	return 0;
}

/*
 * Adds a symbol of code of the file.  names: `bytes` bytes, of which the last
 * is NUL.  Returns 0 or -ENOMEM.
 */
static int
add_elf_symbol(struct symbol_lookup *s, const struct section_headers *x,
    const Elf64_Sym *sym, const char *names, size_t bytes)
{
	const Elf64_Shdr *in;
	struct symbol_candidate o;

	if (!is_code_symbol(sym) || sym->st_name >= bytes ||
	    sym->st_shndx >= x->count)
		return 0;
	in = &x->header[sym->st_shndx];
	if ((in->sh_flags & SHF_EXECINSTR) == 0)
		return 0;
	o.name = names + sym->st_name;
	/* A name such as ".L1" is a label. */
	if (o.name[0] == '\0' || o.name[0] == '.' ||
	    symbol_lookup_is_mapping(o.name, ELF64_ST_TYPE(sym->st_info)))
		return 0;
	o.value = sym->st_value;
	o.size = sym->st_size;
	o.limit = in->sh_addr + in->sh_size;
	o.type = ELF64_ST_TYPE(sym->st_info);
	o.bind = ELF64_ST_BIND(sym->st_info);
	return symbol_lookup_add(s, &o);
}

/* Adds the symbols of code of one table.  Returns 0 or -ENOMEM. */
static int
add_symbol_table(struct symbol_lookup *s, const struct section_headers *x,
    const struct elf_file *f, Elf_Scn *section, const Elf64_Shdr *header)
{
	size_t bytes = 0, size = 0;
	const unsigned char *table = elf_file_bytes(f, section, &size);
	const char *names = (const char *)elf_file_bytes(f,
	    elf_getscn(f->elf, header->sh_link), &bytes);
	int ret = 0;

	if (table == NULL || names == NULL)
		return 0;
	while (bytes > 0 && names[bytes - 1] != '\0')
		bytes--;	/* each name then ends inside */
	for (size_t at = 0; ret == 0 && size - at >= sizeof(Elf64_Sym);
	    at += sizeof(Elf64_Sym)) {
		Elf64_Sym sym;

		memcpy(&sym, table + at, sizeof(sym));
		ret = add_elf_symbol(s, x, &sym, names, bytes);
	}
	return ret;
}

int
symbol_lookup_add_file(struct symbol_lookup *s, const struct elf_file *f)
{
	struct section_headers x;
	int ret = read_section_headers(&x, f);

	for (size_t i = 0; ret == 0 && i < x.count; i++) {
		const Elf64_Shdr *header = &x.header[i];

		if (header->sh_type == SHT_SYMTAB ||
		    header->sh_type == SHT_DYNSYM)
			ret = add_symbol_table(s, &x, f,
			    elf_getscn(f->elf, i), header);
	}
	free(x.header);
	return ret;
}
