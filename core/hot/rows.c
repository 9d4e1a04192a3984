/*
 * Context: S.  How to find the caller at a place of the code, remembered.
 *
 * A row is one word.  Beside it lies that word XORed with its key: who reads
 * while another writes finds a key that is not his, and no lock is needed.  The
 * key holds the generation of the map: text that went away takes its rows with
 * it.
 */
#include "rows.h"

#include "frame.h"

#define ENTRIES		16384u	/* 256 KiB, of which only what is used is there */
#define WAYS		2u	/* in one cache line */
#define KEY_SHIFT	48	/* addresses have fewer bits */

#define KIND_BITS	3
#define FRAME_BITS	20	/* frames of 8 MiB */
#define OFFSET_BITS	12	/* 16 KiB either way: registers are saved near */

struct rows_entry {
	_Atomic uint64_t word, check;
};

static uint64_t
take(uint64_t *word, unsigned bits)
{
	const uint64_t n = *word & (((uint64_t)1 << bits) - 1);

	*word >>= bits;
	return n;
}

static int32_t
take_offset(uint64_t *word)
{
	const int32_t n = (int32_t)take(word, OFFSET_BITS);

	return (n < 1 << (OFFSET_BITS - 1) ? n : n - (1 << OFFSET_BITS)) * 8;
}

static struct row
unpack(uint64_t word)
{
	struct row r;

	r.kind = (enum row_kind)take(&word, KIND_BITS);
	r.by_fp = take(&word, 1) != 0;
	r.fp_saved = take(&word, 1) != 0;
	r.base_saved = take(&word, 1) != 0;
	r.linked = take(&word, 1) != 0;
	r.frame_offset = (uint32_t)take(&word, FRAME_BITS) * 8;
	r.fp_offset = take_offset(&word);
	r.base_offset = take_offset(&word);
	r.ra_offset = take_offset(&word);
	return r;
}

static void
put(uint64_t *word, uint64_t n, unsigned bits)
{
	*word = *word << bits | (n & (((uint64_t)1 << bits) - 1));
}

/* The first to be taken is put last. */
static uint64_t
pack(const struct row *r)
{
	uint64_t word = 0;

	put(&word, (uint64_t)(r->ra_offset / 8), OFFSET_BITS);
	put(&word, (uint64_t)(r->base_offset / 8), OFFSET_BITS);
	put(&word, (uint64_t)(r->fp_offset / 8), OFFSET_BITS);
	put(&word, r->frame_offset / 8, FRAME_BITS);
	put(&word, r->linked, 1);
	put(&word, r->base_saved, 1);
	put(&word, r->fp_saved, 1);
	put(&word, r->by_fp, 1);
	put(&word, r->kind, KIND_BITS);
	return word;
}

static bool
fits(int64_t offset, int64_t low, int64_t high)
{
	return (offset & 7) == 0 && offset >= low * 8 && offset < high * 8;
}

static bool
fits_offset(int64_t offset)
{
	return fits(offset, -(1 << (OFFSET_BITS - 1)),
	    1 << (OFFSET_BITS - 1));
}

/* DW_OP_breg<fp> n, and maybe DW_OP_deref: gcc's two expressions. */
static bool
is_by_fp(const struct cfi_rule *rule, bool loaded, int64_t *offset)
{
	const unsigned char *p = rule->expression, *end = p + rule->bytes;

	if (rule->bytes < 2 || *p++ != 0x70 + FRAME_FP)
		return false;
	*offset = cfi_sleb(&p, end);
	return fits_offset(*offset) && (loaded ? end - p == 1 && *p == 0x06 :
	    p == end);
}

/* Saved where one of the two says, or not touched. */
static bool
is_saved(const struct cfi_rule *rule, bool aligned, bool *saved,
    int32_t *offset)
{
	int64_t n = rule->offset;

	*saved = rule->how != CFI_SAME;
	if (*saved && (aligned ? rule->how != CFI_AT_EXPRESSION ||
	    !is_by_fp(rule, false, &n) : rule->how != CFI_AT ||
	    !fits_offset(n)))
		return false;
	*offset = *saved ? (int32_t)n : 0;
	return true;
}

static bool
make_aligned(const struct cfi_row *from, struct row *r)
{
	int64_t frame;

	if (from->frame.how != CFI_IS_EXPRESSION ||
	    !is_by_fp(&from->frame, true, &frame) ||
	    !is_saved(&from->fp, true, &r->fp_saved, &r->fp_offset) ||
	    !is_saved(&from->base, true, &r->base_saved, &r->base_offset) ||
	    !r->fp_saved || from->ra.how != CFI_AT || from->ra.offset != -8)
		return false;
	r->kind = ROW_ALIGNED;
	r->ra_offset = (int32_t)frame;
	return true;
}

static bool
make_plain(const struct cfi_row *from, struct row *r)
{
	const struct cfi_rule *frame = &from->frame;

	if (frame->how != CFI_REGISTER || (frame->reg != FRAME_SP &&
	    frame->reg != FRAME_FP) ||
	    !fits(frame->offset, 0, 1 << FRAME_BITS) ||
	    !is_saved(&from->fp, false, &r->fp_saved, &r->fp_offset) ||
	    !is_saved(&from->base, false, &r->base_saved, &r->base_offset))
		return false;
	r->linked = FRAME_LINKS && from->ra.how == CFI_SAME;
	if (!r->linked && (from->ra.how != CFI_AT ||
	    !fits_offset(from->ra.offset)))
		return false;
	r->kind = ROW_PLAIN;
	r->by_fp = frame->reg == FRAME_FP;
	r->frame_offset = (uint32_t)frame->offset;
	r->ra_offset = r->linked ? 0 : (int32_t)from->ra.offset;
	return true;
}

struct row
rows_make(const struct cfi_row *from)
{
	const struct row other = {.kind = ROW_OTHER};
	struct row r = {.kind = ROW_NONE};

	if (from->signal)
		r.kind = ROW_SIGNAL;
	else if (from->ra.how == CFI_UNDEFINED)
		r.kind = ROW_OUTERMOST;
	else if (!make_plain(from, &r)) {
		r = (struct row){.kind = ROW_NONE};
		if (!make_aligned(from, &r))
			return other;
	}
	return r;
}

static struct rows_entry *
table(void)
{
	struct rows_entry *t = atomic_load_explicit(&mon->rows,
	    memory_order_acquire), *none = NULL;

	if (t != NULL || atomic_load_explicit(&mon->frozen,
	    memory_order_relaxed))
		return t;
	t = sys_memory(ENTRIES * sizeof *t);
	if (t == NULL || atomic_compare_exchange_strong(&mon->rows, &none, t))
		return t;
	sys_munmap(t, ENTRIES * sizeof *t);
	return none;
}

static uint64_t
key_of(uintptr_t pc)
{
	return pc ^ (uint64_t)atomic_load_explicit(&mon->text_generation,
	    memory_order_acquire) << KEY_SHIFT;
}

static struct rows_entry *
place_of(struct rows_entry *t, uint64_t key)
{
	return &t[(key * 0x9e3779b97f4a7c15u >> 40) % ENTRIES &
	    ~(uint64_t)(WAYS - 1)];
}

struct row
rows_find(uintptr_t pc)
{
	struct rows_entry *t = table();
	const uint64_t key = key_of(pc);
	unsigned i;

	if (t != NULL)
		t = place_of(t, key);
	for (i = 0; t != NULL && i < WAYS; i++) {
		uint64_t word = atomic_load_explicit(&t[i].word,
		    memory_order_relaxed);

		if (word != 0 && (word ^ atomic_load_explicit(&t[i].check,
		    memory_order_relaxed)) == key)
			return unpack(word);
	}
	return unpack(0);
}

void
rows_enter(uintptr_t pc, const struct row *row)
{
	struct rows_entry *t = table();
	const uint64_t key = key_of(pc), word = pack(row);
	unsigned i;

	if (t == NULL)
		return;
	t = place_of(t, key);
	/* An empty one, else by turns, as the address has it. */
	for (i = 0; i < WAYS; i++)
		if (atomic_load_explicit(&t[i].word, memory_order_relaxed) == 0)
			break;
	t += i < WAYS ? i : (pc >> 4) % WAYS;
	atomic_store_explicit(&t->word, word, memory_order_relaxed);
	atomic_store_explicit(&t->check, word ^ key, memory_order_relaxed);
}
