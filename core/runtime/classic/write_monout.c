/*
 * Context: T.  Writes a mon.out of System V for this process, for
 * format_writers.c, which runs one writer at a time, when a process image or
 * its profile ends.  The file is laid out as if the start code of cc -p had
 * called monitor(3C): it covers all of the program's text, and has 600 cells or
 * a multiple, and one bar for every BARSIZE bytes.
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
#define RATE		100u	/* Hz; a mon.out has no field for it */
#define CELLS		600u

/* The parts of one file; their memory is freed before write_monout() ends. */
struct monout_work {
	const char *path;
	struct store_read_bins bins;
	struct call_totals *totals;
	struct monout_file file;
	struct monout_file_block block;
};

static int
write_monout_file(void *work)
{
	const struct monout_work *m = work;

	return monout_file_write(&m->file, m->path);
}

/* Adds the time to the bars in which profil(2) would have counted it. */
static int
fill_monout_bars(struct monout_work *m)
{
	const uint64_t bins_in_text = (m->bins.program.high -
	    m->bins.program.low + 1) / BIN_BYTES;
	const uint64_t words = (m->bins.program.high - m->bins.program.low) /
	    BARSIZE;
	const uint64_t scale = monout_scale(words, bins_in_text);
	struct ticks rounding = ticks_at(RATE);

	if (words == 0)
		return -ENODATA;
	m->file.words = words;
	m->file.bars = mmap_area_alloc(m->file.words * sizeof(*m->file.bars));
	if (m->file.bars == NULL)
		return -ENOMEM;
	for (uint64_t i = 0; i < m->bins.count; i++) {
		uint64_t counts = ticks_whole(&rounding, m->bins.ns[i]);
		const uint64_t at = i * scale >> 16;
		WORD *bar = &m->file.bars[at < words ? at : words - 1];

		/* Most bins are 0: leave the pages of their bars untouched. */
		if (counts == 0)
			continue;
		if (counts > (uint64_t)MONOUT_BIN_MOST - *bar)
			return -ERANGE;
		*bar = (WORD)(*bar + counts);
	}
	return 0;
}

/*
 * Fills a cell for each called function of the program; prof(1) ignores those
 * of libraries.
 */
static int
fill_monout_cells(struct monout_work *m)
{
	const struct format_module *own = m->bins.program.module;
	size_t blocks, used = 0;

	m->totals = call_totals_make();
	if (m->totals == NULL)
		return -ENOMEM;
	blocks = (m->totals->count + CELLS - 1) / CELLS;
	m->block.cells = (blocks != 0 ? blocks : 1) * CELLS;
	m->block.bytes = m->block.cells * sizeof(struct cnt);
	m->block.cell = mmap_area_alloc(m->block.bytes);
	if (m->block.cell == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->totals->count; i++) {
		const struct call_totals_cell *from = &m->totals->cell[i];

		if (from->pc - own->bias < m->bins.program.low ||
		    from->pc - own->bias >= m->bins.program.high)
			continue;
		/* Readers expect a return address of mcount: not the start. */
		m->block.cell[used++] = (struct cnt){
		    (char *)(from->pc - own->bias) + 1, (long)from->calls};
	}
	m->file.first = m->file.last = &m->block;
	return 0;
}

static void
free_monout(struct monout_work *m)
{
	call_totals_free(m->totals);
	if (m->block.cell != NULL)
		mmap_area_unmap(m->block.cell, m->block.bytes);
	if (m->file.bars != NULL)
		mmap_area_unmap(m->file.bars, m->file.words * sizeof(WORD));
	store_read_free_bins(&m->bins);
}

/*
 * Narrows a range of addresses in the program's file to what is loaded as code,
 * from the first byte, eprol, to behind the last one, etext.  The headers have
 * addresses of the file, too, so the load bias is not needed.
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
	struct monout_work m = {.path = path};
	int ret = store_read_bins(&m.bins, BIN_BYTES, clip_to_code);

	if (ret == 0)
		ret = fill_monout_bars(&m);
	if (ret == 0)
		ret = fill_monout_cells(&m);
	/*
	 * These and those in the cells are addresses in the program's file.
	 * m.file.object is not set, so monout_file_write() does not convert
	 * them.
	 */
	m.file.head.lpc = (char *)(uintptr_t)m.bins.program.low;
	m.file.head.hpc = (char *)(uintptr_t)m.bins.program.high;
	if (ret == 0)
		ret = private_fds_run(write_monout_file, &m);
	free_monout(&m);
	return ret;
}
