/*
 * Context: O.  Tests of core/object/symbol/symbol_lookup.c: the symbols of
 * random addresses are those that a search of all symbols finds.
 */
#include "random.h"
#include "symbol/symbol_lookup.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST	600u

static uint64_t seed = 20261128;

static struct symbol asked[MOST];
static struct symbol_candidate symbols[MOST];
static char names[MOST][16];

static int
compare_addresses(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* Fills asked[]: ascending, each once, from `base` on.  Returns the number. */
static size_t
make_asked(size_t count, uint64_t base, uint64_t span)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		asked[i] = (struct symbol) {
			.address = base + random_next(&seed) % span,
		};
	qsort(asked, count, sizeof(asked[0]), compare_addresses);
	for (size_t i = 1; i < count; i++)
		if (asked[i].address != asked[kept].address)
			asked[++kept] = asked[i];
	return count == 0 ? 0 : kept + 1;
}

/* Symbols that begin below, among and above the addresses, one at a place. */
static void
make_symbols(size_t count, uint64_t base, uint64_t span)
{
	const uint64_t from = base < span ? 0 : base - span;
	const uint64_t each = span * 3 / count + 1;

	for (size_t i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "s%zu", i);
		symbols[i] = (struct symbol_candidate) {
			.value = from + i * each + random_next(&seed) % each,
			.size = 1 + random_next(&seed) % (4 * each),
			.limit = UINT64_MAX,
			.name = names[i],
			.type = STT_FUNC, .bind = STB_GLOBAL,
		};
	}
}

/* Returns the last symbol that begins at the address or before and holds it. */
static const char *
search_all(size_t count, uint64_t address)
{
	const struct symbol_candidate *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (address >= symbols[i].value && address -
		    symbols[i].value < symbols[i].size &&
		    (found == NULL || symbols[i].value > found->value))
			found = &symbols[i];
	return found == NULL ? NULL : found->name;
}

static void
check_names(size_t wanted, size_t count, uint64_t base, uint64_t span)
{
	const size_t n = make_asked(wanted, base, span);
	struct symbol_lookup s;
	struct arena arena = { 0 };

	make_symbols(count, base, span);
	cr_assert_eq(symbol_lookup_begin(&s, asked, n), 0);
	for (size_t i = 0; i < count; i++)
		/* in no order, as in files */
		cr_assert_eq(symbol_lookup_add(&s,
		    &symbols[i * 7 % count]), 0);
	cr_assert_eq(symbol_lookup_resolve(&s, NULL, &arena), 0);
	for (size_t i = 0; i < n; i++) {
		const char *own = search_all(count, asked[i].address);

		cr_assert((own == NULL) == (asked[i].name == NULL) &&
		    (own == NULL || strcmp(own, asked[i].name) == 0),
		    "%zu of %zu from %#lx: %s, not %s", i, n,
		    (unsigned long)base, asked[i].name, own);
	}
	symbol_lookup_end(&s);
	arena_free(&arena);
}

Test(symbol_lookup, finds_what_a_search_of_all_finds)
{
	static const uint64_t spans[] = {
		1, 2, 100, 4095, 4096, 4097, 1u << 20, (uint64_t)1 << 33,
		(uint64_t)1 << 60,
	};

	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		for (unsigned turn = 0; turn < 40; turn++)
			check_names(1 + random_below(&seed, MOST - 1), 599,
			    turn % 2 == 0 ? 0x401000 : 0, spans[i]);
}

Test(symbol_lookup, holds_at_the_last_address)
{
	const uint64_t last = UINT64_MAX - 5;

	check_names(0, 10, 0x1000, 100);
	for (unsigned turn = 0; turn < 40; turn++)
		check_names(3, 599, last, 5);
}
