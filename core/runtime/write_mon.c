/* Context: T.  mon.out of System V of this process, as by monitor(3C). */
#include "aside.h"
#include "harvest.h"
#include "monfile.h"
#include "monout.h"
#include "tally.h"
#include "ticks.h"
#include "writers.h"

#include <errno.h>

#define BIN_BYTES	2u
#define RATE		100u	/* the file does not say it */

struct mon_file {
	const char *path;
	struct harvest_bins bins;
	struct tally *tally;
	struct monfile file;
	struct monfile_block block;
};

static int
put_file(void *mon_file)
{
	const struct mon_file *m = mon_file;

	return monfile_write(&m->file, m->path);
}

/* Where profil(2) would have counted them. */
static int
fill_bars(struct mon_file *m)
{
	const uint64_t scale = monout_scale(m->bins.count, m->bins.count);
	struct ticks clock = ticks_at(RATE);
	uint64_t i;

	m->file.words = m->bins.count;
	m->file.bars = sys_memory(m->file.words * sizeof *m->file.bars);
	if (m->file.bars == NULL)
		return -ENOMEM;
	for (i = 0; i < m->bins.count; i++) {
		uint64_t ticks = ticks_whole(&clock, m->bins.ns[i]);
		WORD *bar = &m->file.bars[i * scale >> 16];

		/* Most are none: their pages stay untouched. */
		if (ticks == 0)
			continue;
		if (ticks > (uint64_t)MONOUT_BIN_MOST - *bar)
			return -ERANGE;
		*bar = (WORD)(*bar + ticks);
	}
	return 0;
}

/* The program's: prof(1) knows no others. */
static int
fill_cells(struct mon_file *m)
{
	const struct format_module *own = m->bins.program.module;
	uint32_t i;

	m->tally = tally_make();
	if (m->tally == NULL)
		return -ENOMEM;
	m->block.bytes = m->tally->count * sizeof(struct cnt) + 1;
	m->block.cell = sys_memory(m->block.bytes);
	if (m->block.cell == NULL)
		return -ENOMEM;
	for (i = 0; i < m->tally->count; i++) {
		const struct tally_cell *from = &m->tally->cell[i];

		if (from->pc - own->bias < m->bins.program.low ||
		    from->pc - own->bias >= m->bins.program.high)
			continue;
		/* Readers want it behind the first byte. */
		m->block.cell[m->block.cells++] = (struct cnt){
		    (char *)(from->pc - own->bias) + 1, (long)from->calls};
	}
	m->file.first = m->file.last = &m->block;
	return 0;
}

static void
release(struct mon_file *m)
{
	tally_free(m->tally);
	if (m->block.cell != NULL)
		sys_munmap(m->block.cell, m->block.bytes);
	if (m->file.bars != NULL)
		sys_munmap(m->file.bars, m->file.words * sizeof(WORD));
	harvest_bins_free(&m->bins);
}

int
write_mon(const char *path)
{
	struct mon_file m = {.path = path};
	int ret = harvest_bins(&m.bins, BIN_BYTES, NULL);

	if (ret == 0)
		ret = fill_bars(&m);
	if (ret == 0)
		ret = fill_cells(&m);
	/* Of the file already, which is how monfile_write() leaves them. */
	m.file.head.lpc = (char *)(uintptr_t)m.bins.program.low;
	m.file.head.hpc = (char *)(uintptr_t)(m.bins.program.low +
	    m.bins.count * BIN_BYTES);
	if (ret == 0)
		ret = aside(put_file, &m);
	release(&m);
	return ret;
}
