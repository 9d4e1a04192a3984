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
#include "region.h"

static uint64_t
field(int64_t offset, unsigned bits, unsigned at)
{
	return ((uint64_t)(offset / 8) & (((uint64_t)1 << bits) - 1)) << at;
}

uint64_t
rows_pack(const struct row *r)
{
	return r->kind | (r->by_fp ? ROW_BY_FP : 0) |
	    (r->fp_saved ? ROW_FP_SAVED : 0) |
	    (r->base_saved ? ROW_BASE_SAVED : 0) |
	    (r->linked ? ROW_LINKED : 0) |
	    field(r->frame_offset, ROW_FRAME_BITS, ROW_FRAME_AT) |
	    field(r->fp_offset, ROW_OFFSET_BITS, ROW_FP_AT) |
	    field(r->base_offset, ROW_OFFSET_BITS, ROW_BASE_AT) |
	    field(r->ra_offset, ROW_OFFSET_BITS, ROW_RA_AT);
}

static bool
fits(int64_t offset, int64_t low, int64_t high)
{
	return (offset & 7) == 0 && offset >= low * 8 && offset < high * 8;
}

static bool
fits_offset(int64_t offset)
{
	return fits(offset, -(1 << (ROW_OFFSET_BITS - 1)),
	    1 << (ROW_OFFSET_BITS - 1));
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
	    !fits(frame->offset, 0, 1 << ROW_FRAME_BITS) ||
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
	t = region_memory(ROWS_ENTRIES * sizeof *t);
	if (t == NULL || atomic_compare_exchange_strong(&mon->rows, &none, t))
		return t;
	region_unmap(t, ROWS_ENTRIES * sizeof *t);
	return none;
}

struct rows
rows_now(void)
{
	const struct rows r = {table(), (uint64_t)atomic_load_explicit(
	    &mon->text_generation, memory_order_acquire) << ROWS_KEY_SHIFT};

	return r;
}

void
rows_enter(const struct rows *r, uintptr_t pc, uint64_t word)
{
	const uint64_t key = pc ^ r->generation;
	struct rows_entry *at;
	unsigned i;

	if (r->table == NULL)
		return;
	at = rows_place(r, key);
	/* An empty one, else by turns, as the address has it. */
	for (i = 0; i < ROWS_WAYS; i++)
		if (atomic_load_explicit(&at[i].word, memory_order_relaxed) ==
		    0)
			break;
	at += i < ROWS_WAYS ? i : (pc >> 4) % ROWS_WAYS;
	atomic_store_explicit(&at->word, word, memory_order_relaxed);
	atomic_store_explicit(&at->check, word ^ key, memory_order_relaxed);
}
