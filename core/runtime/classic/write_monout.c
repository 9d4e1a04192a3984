/*
 * Context: T.  Writes a mon.out of System V for this process, for
 * format_writers.c, one writer at a time.  The file is equal to that of the
 * call of monitor(3C) that a program of cc -p makes by itself: it has all of
 * the text, 600 cells or a multiple, and a bar for BARSIZE bytes.
 */
#include "base/mmap_area.h"
#include "classic/call_totals.h"
#include "classic/format_writers.h"
#include "classic/monout_file.h"
#include "classic/store_read.h"
#include "classic/monout.h"
#include "thread/private_fds.h"
#include "ticks.h"

#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>

#define BIN_BYTES	2u
#define RATE		100u	/* the file does not say its rate */
#define CELLS		600u

struct mon_file {
	const char *path;
	struct store_read_bins bins;
	struct call_totals *tally;
	struct monout_file file;
	struct monout_file_block block;
};

static int
write_monout_file(void *mon_file)
{
	const struct mon_file *m = mon_file;

	return monout_file_write(&m->file, m->path);
}

/* Adds the time to the bars in which profil(2) would have counted it. */
static int
fill_monout_bars(struct mon_file *m)
{
	const uint64_t text = (m->bins.program.high - m->bins.program.low + 1) /
	    sizeof(WORD);
	const uint64_t words = (m->bins.program.high - m->bins.program.low) /
	    BARSIZE;
	const uint64_t scale = monout_scale(words, text);
	struct ticks clock = ticks_at(RATE);

	if (words == 0)
		return -ENODATA;
	m->file.words = words;
	m->file.bars = mmap_area_alloc(m->file.words * sizeof(*m->file.bars));
	if (m->file.bars == NULL)
		return -ENOMEM;
	for (uint64_t i = 0; i < m->bins.count; i++) {
		uint64_t ticks = ticks_whole(&clock, m->bins.ns[i]);
		const uint64_t at = i * scale >> 16;
		WORD *bar = &m->file.bars[at < words ? at : words - 1];

		/* Most bins are 0: their pages stay untouched. */
		if (ticks == 0)
			continue;
		if (ticks > (uint64_t)MONOUT_BIN_MOST - *bar)
			return -ERANGE;
		*bar = (WORD)(*bar + ticks);
	}
	return 0;
}

/* Fills in the program's functions: prof(1) knows no others. */
static int
fill_monout_cells(struct mon_file *m)
{
	const struct format_module *own = m->bins.program.module;
	size_t rooms, used = 0;

	m->tally = call_totals_make();
	if (m->tally == NULL)
		return -ENOMEM;
	rooms = (m->tally->count + CELLS - 1) / CELLS;
	m->block.cells = (rooms != 0 ? rooms : 1) * CELLS;
	m->block.bytes = m->block.cells * sizeof(struct cnt);
	m->block.cell = mmap_area_alloc(m->block.bytes);
	if (m->block.cell == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->tally->count; i++) {
		const struct call_totals_cell *from = &m->tally->cell[i];

		if (from->pc - own->bias < m->bins.program.low ||
		    from->pc - own->bias >= m->bins.program.high)
			continue;
		/* Readers expect the address behind the first byte. */
		m->block.cell[used++] = (struct cnt){
		    (char *)(from->pc - own->bias) + 1, (long)from->calls};
	}
	m->file.first = m->file.last = &m->block;
	return 0;
}

static void
free_monout(struct mon_file *m)
{
	call_totals_free(m->tally);
	if (m->block.cell != NULL)
		mmap_area_unmap(m->block.cell, m->block.bytes);
	if (m->file.bars != NULL)
		mmap_area_unmap(m->file.bars, m->file.words * sizeof(WORD));
	store_read_free_bins(&m->bins);
}

/*
 * Finds the range from the first byte that is loaded as code, eprol, to the
 * last one, etext.
 */
static void
clip_to_code(uint64_t bias, uint64_t *low, uint64_t *high)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	unsigned long i, n = getauxval(AT_PHNUM);
	uint64_t from = *high, to = *low;

	(void)bias;
	for (i = 0; p != NULL && i < n; i++) {
		const uint64_t end = p[i].p_vaddr + p[i].p_memsz;

		if (p[i].p_type != PT_LOAD || (p[i].p_flags & PF_X) == 0 ||
		    end <= *low || p[i].p_vaddr >= *high)
			continue;
		from = p[i].p_vaddr < from ? p[i].p_vaddr : from;
		to = end > to ? end : to;
	}
	if (from >= to)
		return;
	*low = from < *low ? *low : from & ~(uint64_t)1;
	*high = to > *high ? *high : to;
}

int
write_monout(const char *path)
{
	struct mon_file m = {.path = path};
	int ret = store_read_bins(&m.bins, BIN_BYTES, clip_to_code);

	if (ret == 0)
		ret = fill_monout_bars(&m);
	if (ret == 0)
		ret = fill_monout_cells(&m);
	/*
	 * These are addresses in the file, and monout_file_write() leaves them
	 * as they are, because the object is not set.
	 */
	m.file.head.lpc = (char *)(uintptr_t)m.bins.program.low;
	m.file.head.hpc = (char *)(uintptr_t)m.bins.program.high;
	if (ret == 0)
		ret = private_fds_run(write_monout_file, &m);
	free_monout(&m);
	return ret;
}
