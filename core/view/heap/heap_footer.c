/*
 * Context: O.  Prints sums of all allocations, below every view of the heap, on
 * the page, and at the top of the summary; see heap_footer.h.
 */
#include "heap/heap_footer.h"

#include "base/plural.h"
#include "base/quantity.h"

#include <inttypes.h>
#include <math.h>

static void
put_heap_bytes(FILE *out, const char *before, uint64_t bytes)
{
	char room[QUANTITY_TEXT_ROOM];

	fprintf(out, "%s%s", before, quantity_format_bytes(bytes, room));
}

/*
 * Prints how many blocks were sampled, and the accuracy: one standard
 * deviation, as counts are Poisson distributed at best.
 */
static void
put_heap_samples(FILE *out, const struct model *m, uint64_t samples)
{
	if (!model_is_sampled(m))
		return;
	fprintf(out, "chosen: %" PRIu64 " block%s, at random, one in",
	    samples, plural_suffix(samples));
	put_heap_bytes(out, " ", m->period_low);
	if (m->period_low < m->period_high)
		put_heap_bytes(out, " to ", m->period_high);
	fputs(" bytes", out);
	if (samples != 0)
		fprintf(out, ": the allocated bytes are good to +-%.1f %%",
		    100 / sqrt((double)samples));
	putc('\n', out);
}

/* Says how many files have allocations, if not the only one has. */
static void
put_files(FILE *out, const struct model *m)
{
	if (m->files - m->files_foreign != 1)
		fprintf(out, "; in %zu of %zu files", m->heap_files, m->files -
		    m->files_foreign);
}

const char *
heap_footer_live_text(const struct model *m)
{
	size_t running = 0, others = 0;

	for (size_t i = 0; i < m->process_count; i++)
		if (m->processes[i].life == MODEL_RUNNING)
			running++;
		else
			others++;
	return running == 0 ? "at the end" : others == 0 ? "now" :
	    "at the end, or now";
}

/* Prints the sums of blocks, without those of mappings. */
static void
put_block_sums(FILE *out, const struct model *m, const struct model_heap *all)
{
	put_heap_bytes(out, "allocated ", all->total_bytes);
	fprintf(out, " in %" PRIu64 " call%s (%" PRIu64 " temporary",
	    all->total_blocks, plural_suffix(all->total_blocks),
	    all->temporary_blocks);
	if (all->temporary_blocks != 0)
		fprintf(out, ", %.1f %%", 100 * (double)all->temporary_blocks /
		    (double)all->total_blocks);
	putc(')', out);
	put_files(out, m);
	put_heap_bytes(out, m->heap_files == 1 ? "\npeak " :
	    "\npeaks of all processes, together: ", all->peak_bytes);
	fprintf(out, "; live %s", heap_footer_live_text(m));
	put_heap_bytes(out, ": ", all->live_bytes);
	fprintf(out, " in %" PRIu64 " block%s\n", all->live_blocks,
	    plural_suffix(all->live_blocks));
}

/*
 * Prints the sums of mappings.  They are not added to blocks, as allocators map
 * the memory that they give out.
 */
static void
put_mapping_sums(FILE *out, const struct model *m, const struct model_heap *all)
{
	if (m->map_files == 0)
		return;
	put_heap_bytes(out, "mapped: ", all->mapped_total_bytes);
	fprintf(out, " in %" PRIu64 " mapping%s", all->mappings,
	    plural_suffix(all->mappings));
	put_heap_bytes(out, m->map_files == 1 ? "; at the peak: " :
	    "; at the peaks, together: ", all->mapped_peak_bytes);
	fprintf(out, "; %s", heap_footer_live_text(m));
	put_heap_bytes(out, ": ", all->mapped_bytes);
	putc('\n', out);
}

bool
heap_footer_sums(FILE *out, const struct model *m)
{
	struct model_heap all = { 0 };

	if (m->heap_files == 0) {
		fprintf(out, "no allocation was counted: %s\n",
		    m->losses[LOSS_HEAP_BEHIND] != 0 ?
		    "the program has its own malloc" :
		    "prof record --heap counts them");
		return false;
	}
	for (size_t i = 0; i < m->row_count; i++)
		model_heap_sum(&all, model_heap(m, &m->rows[i]));
	if (model_heap_has_blocks(m)) {
		put_block_sums(out, m, &all);
	} else {
		fputs("mappings alone", out);
		put_files(out, m);
		putc('\n', out);
	}
	put_mapping_sums(out, m, &all);
	put_heap_samples(out, m, all.samples);
	return true;
}

/* Returns whether allocations were lost, which are freed later nevertheless. */
static bool
has_lost_blocks(const struct model *m)
{
	for (unsigned i = 0; i < LOSS_MAX; i++)
		if (m->losses[i] != 0 && loss_is_of_blocks(i))
			return true;
	return false;
}

/* Prints the blocks whose beginning or end was not seen. */
static void
put_missed_frees(FILE *out, const struct model *m)
{
	if (m->unknown_frees != 0)
		fprintf(out, "freed, but not known (%sfrom before a start, or "
		    "of the parent): %" PRIu64 " block%s\n",
		    has_lost_blocks(m) ? "lost when allocated, " : "",
		    m->unknown_frees, plural_suffix(m->unknown_frees));
	if (m->missed_ends != 0)
		fprintf(out, "given out again, though no free was seen: "
		    "%" PRIu64 " block%s\n", m->missed_ends,
		    plural_suffix(m->missed_ends));
}

/* Explains the metric METRIC_HIGH, which is not of one time. */
static void
put_high_note(FILE *out)
{
	fputs("high: the most that was live of each call path of a thread, at "
	    "any time;\na sum of several (<=) may not have been live at once\n",
	    out);
}

void
heap_footer_print(const struct term *t, const struct model *m,
    const struct group *g, bool sums)
{
	fprintf(t->out, "\n%s", term_on(t, TERM_DIM));
	if (g->hidden != 0)
		fprintf(t->out, "%zu more line%s not shown\n", g->hidden,
		    plural_suffix(g->hidden));
	if (!sums || heap_footer_sums(t->out, m))
		put_missed_frees(t->out, m);
	if (m->measure == METRIC_HIGH && m->heap_files != 0)
		put_high_note(t->out);
}
