/*
 * Context: S.  Caches unwind rules by the address of the code, for walks and
 * the path cache, in any thread and any signal handler.
 *
 * A rule is one word.  Beside it lies that word XORed with its key: a thread
 * that reads while another thread writes finds a wrong key, and no lock is
 * needed.  The key holds the generation of the text: the rules of text that is
 * gone are not found.
 */
#include "unwind/unwind_cache.h"

#include "base/wiped_memory.h"
#include "frame.h"
#include "unwind/leb128.h"

static uint64_t
pack_rule_field(int64_t offset, unsigned bits, unsigned at)
{
	return ((uint64_t)(offset / 8) & (((uint64_t)1 << bits) - 1)) << at;
}

uint64_t
unwind_cache_pack_rule(const struct unwind_rule *r)
{
	return r->kind | (r->by_fp ? UNWIND_RULE_BY_FP : 0) | (r->fp_saved ?
	    UNWIND_RULE_FP_SAVED : 0) | (r->base_saved ?
	    UNWIND_RULE_BASE_SAVED : 0) | (r->linked ? UNWIND_RULE_LINKED :
	    0) | pack_rule_field(r->frame_offset, UNWIND_RULE_FRAME_BITS,
	    UNWIND_RULE_FRAME_AT) | pack_rule_field(r->fp_offset,
	    UNWIND_RULE_OFFSET_BITS,
	    UNWIND_RULE_FP_AT) | pack_rule_field(r->base_offset,
	    UNWIND_RULE_OFFSET_BITS,
	    UNWIND_RULE_BASE_AT) | pack_rule_field(r->ra_offset,
	    UNWIND_RULE_OFFSET_BITS, UNWIND_RULE_RA_AT);
}

static bool
fits_rule_field(int64_t offset, int64_t low, int64_t high)
{
	return (offset & 7) == 0 && offset >= low * 8 && offset < high * 8;
}

static bool
fits_rule_offset(int64_t offset)
{
	return fits_rule_field(offset, -(1 << (UNWIND_RULE_OFFSET_BITS - 1)),
	    1 << (UNWIND_RULE_OFFSET_BITS - 1));
}

/*
 * Returns whether the expression is DW_OP_breg<fp> n, and DW_OP_deref behind it
 * if `loaded`: the two expressions that gcc emits.
 */
static bool
is_fp_expression(const struct cfi_rule *rule, bool loaded, int64_t *offset)
{
	const unsigned char *p = rule->expression, *end = p + rule->bytes;

	if (rule->bytes < 2 || *p++ != 0x70 + FRAME_FP)
		return false;
	*offset = leb128_read_signed(&p, end);
	return fits_rule_offset(*offset) && (loaded ? end - p == 1 &&
	    *p == 0x06 : p == end);
}

/*
 * Returns whether the register is not touched, or saved at a place that the
 * rule can express: fp + offset if `aligned`, else the frame's address +
 * offset.
 */
static bool
is_saved_rule(const struct cfi_rule *rule, bool aligned, bool *saved,
    int32_t *offset)
{
	int64_t n = rule->offset;

	*saved = rule->how != CFI_SAME_VALUE;
	if (*saved && (aligned ? rule->how != CFI_EXPRESSION ||
	    !is_fp_expression(rule, false, &n) : rule->how != CFI_OFFSET ||
	    !fits_rule_offset(n)))
		return false;
	*offset = *saved ? (int32_t)n : 0;
	return true;
}

/* Makes a rule of kind ALIGNED.  Returns false if the row does not fit. */
static bool
make_aligned_rule(const struct cfi_row *from, struct unwind_rule *r)
{
	int64_t frame;

	if (from->frame.how != CFI_VAL_EXPRESSION ||
	    !is_fp_expression(&from->frame, true, &frame) ||
	    !is_saved_rule(&from->fp, true, &r->fp_saved, &r->fp_offset) ||
	    !is_saved_rule(&from->base, true, &r->base_saved,
	    &r->base_offset) || !r->fp_saved || from->ra.how != CFI_OFFSET ||
	    from->ra.offset != -8)
		return false;
	r->kind = UNWIND_RULE_ALIGNED;
	r->ra_offset = (int32_t)frame;
	return true;
}

/* Makes a rule of kind PLAIN.  Returns false if the row does not fit. */
static bool
make_plain_rule(const struct cfi_row *from, struct unwind_rule *r)
{
	const struct cfi_rule *frame = &from->frame;

	if (frame->how != CFI_REGISTER || (frame->reg != FRAME_SP &&
	    frame->reg != FRAME_FP) ||
	    !fits_rule_field(frame->offset, 0, 1 << UNWIND_RULE_FRAME_BITS) ||
	    !is_saved_rule(&from->fp, false, &r->fp_saved, &r->fp_offset) ||
	    !is_saved_rule(&from->base, false, &r->base_saved, &r->base_offset))
		return false;
	r->linked = FRAME_HAS_LINK_REGISTER && from->ra.how == CFI_SAME_VALUE;
	if (!r->linked && (from->ra.how != CFI_OFFSET ||
	    !fits_rule_offset(from->ra.offset)))
		return false;
	r->kind = UNWIND_RULE_PLAIN;
	r->by_fp = frame->reg == FRAME_FP;
	r->frame_offset = (uint32_t)frame->offset;
	r->ra_offset = r->linked ? 0 : (int32_t)from->ra.offset;
	return true;
}

struct unwind_rule
unwind_cache_make_rule(const struct cfi_row *from)
{
	const struct unwind_rule other = {.kind = UNWIND_RULE_OTHER};
	struct unwind_rule r = {.kind = UNWIND_RULE_NONE};

	if (from->signal)
		r.kind = UNWIND_RULE_SIGNAL;
	else if (from->ra.how == CFI_UNDEFINED)
		r.kind = UNWIND_RULE_OUTERMOST;
	else if (!make_plain_rule(from, &r)) {
		r = (struct unwind_rule){.kind = UNWIND_RULE_NONE};
		if (!make_aligned_rule(from, &r))
			return other;
	}
	return r;
}

/* Returns the table of all threads, made if there is none, or NULL. */
static struct unwind_cache_entry *
shared_unwind_cache(void)
{
	struct unwind_cache_entry *t = atomic_load_explicit(&mon->unwind_rules,
	    memory_order_acquire), *none = NULL;

	if (t != NULL || atomic_load_explicit(&mon->frozen,
	    memory_order_relaxed))
		return t;
	t = wiped_memory_alloc(UNWIND_CACHE_ENTRIES * sizeof(*t));
	if (t == NULL || atomic_compare_exchange_strong(&mon->unwind_rules,
	    &none, t))
		return t;
	wiped_memory_free(t, UNWIND_CACHE_ENTRIES * sizeof(*t));
	return none;
}

struct unwind_cache
unwind_cache_current(void)
{
	const struct unwind_cache r = {shared_unwind_cache(),
	    (uint64_t)atomic_load_explicit( &mon->text_generation,
	    memory_order_acquire) << UNWIND_CACHE_KEY_SHIFT};

	return r;
}

void
unwind_cache_add(const struct unwind_cache *r, uintptr_t pc, uint64_t word)
{
	const uint64_t key = pc ^ r->generation;
	struct unwind_cache_entry *at;
	unsigned i;

	if (r->table == NULL)
		return;
	at = unwind_cache_bucket(r, key);
	/* Takes an empty entry, else one of the two by a bit of the address. */
	for (i = 0; i < UNWIND_CACHE_WAYS; i++)
		if (atomic_load_explicit(&at[i].word, memory_order_relaxed) ==
		    0)
			break;
	at += i < UNWIND_CACHE_WAYS ? i : (pc >> 4) % UNWIND_CACHE_WAYS;
	atomic_store_explicit(&at->word, word, memory_order_relaxed);
	atomic_store_explicit(&at->check, word ^ key, memory_order_relaxed);
}
