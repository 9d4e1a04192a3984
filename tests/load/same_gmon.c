/* Context: load.  Rows of same.c: libc's profiler, which is ours beside us.
 * Whether a timer of the process runs for it is not its promise.  libc's
 * sprofil crashes beside another thread. */
#include "same.h"

#include <sys/gmon.h>

extern void __monstartup(unsigned long low, unsigned long high);
extern void moncontrol(int mode);

static unsigned short cells[1 << 12];

/* Half a cell a byte: 0x10000 is two bytes of text a cell. */
static size_t
text_of_spin(void)
{
	return (size_t)(uintptr_t)load_spin;
}

static long
sum_of_cells(void)
{
	long sum = 0;
	size_t i;

	for (i = 0; i < sizeof cells / sizeof cells[0]; i++)
		sum += cells[i];
	return sum;
}

/* NULL, which the header declares impossible. */
static unsigned short *volatile none;

static long
profil_stop(void)
{
	return profil(none, 0, 0, 0);
}

/* No cell. */
static long
profil_empty(void)
{
	if (profil(cells, 0, 0, 65536) != 0)
		return -2;
	load_burn(0.05);
	return profil_stop();
}

/* Its ticks come each 10 ms; how many is not the same twice. */
static long
profil_counts(void)
{
	long ret = profil(cells, sizeof cells, text_of_spin(), 0x10000), sum;

	load_burn(0.3);
	if (profil_stop() != 0)
		return -2;
	sum = sum_of_cells();
	load_burn(0.05);
	if (sum_of_cells() != sum)
		return -3;
	return ret != 0 ? ret : sum >= 5 && sum <= 60;
}

/* Another buffer while one is in use: that one is left. */
static long
profil_again(void)
{
	static unsigned short others[16];

	if (profil(others, sizeof others, text_of_spin(), 0x10000) != 0 ||
	    profil(cells, sizeof cells, text_of_spin(), 0x10000) != 0)
		return -2;
	return profil_stop();
}

static long
started(void (*start)(unsigned long, unsigned long))
{
	start(text_of_spin(), text_of_spin() + 256);
	load_burn(0.02);
	moncontrol(0);
	return 0;
}

static long
gmon_start(void)
{
	return started(monstartup);
}

static long
gmon_start_under(void)
{
	return started(__monstartup);
}

static long
gmon_control(void)
{
	moncontrol(1);
	load_burn(0.02);
	moncontrol(0);
	moncontrol(0);
	return 0;
}

const struct same_call same_gmon[] = {
	{ "profil, none", profil_stop },
	{ "profil, no cells", profil_empty },
	{ "profil", profil_counts },
	{ "profil, another", profil_again },
	{ "monstartup", gmon_start },
	{ "__monstartup", gmon_start_under },
	{ "moncontrol", gmon_control },
	{ NULL, NULL },
};
