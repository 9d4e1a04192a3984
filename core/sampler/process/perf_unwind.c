/*
 * Context: O.  Finds callers by libunwind, for event_order.c, if stacks are
 * copied.  Stack and registers are copies, and the tables come from files.
 * Nothing is read from the process, which may be gone; see perf_unwind.h.
 */
#include "process/perf_unwind.h"

#include "process/address_space.h"
#include "format.h"
#include "process/perf_unwind_regs.h"
#include "process/perf_unwind_state.h"

#include <libunwind.h>
#include <string.h>

/*
 * libunwind exports this function for callers with tables of their own, but
 * none of its headers declares it.
 */
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as,
    unw_word_t ip, unw_dyn_info_t *info, unw_proc_info_t *pi, int need_info,
    void *arg);

/* A walk through one stack. */
struct remote_walk {
	struct address_spaces *spaces;
	struct address_space *own;
	const struct perf_record *k;
	uint64_t low, high;	/* addresses of the copied part of the stack */
	/* tables of the code at hand */
	const struct perf_unwind_tables *tables;
	uint64_t load;		/* load bias of that code */
	bool outside;		/* an address outside the copy was asked for */
};

uint64_t
perf_unwind_regs(void)
{
	return PERF_UNWIND_REGS;
}

/*
 * Finds the unwind tables and the load bias for a pc.  Returns whether there
 * are tables.
 */
static bool
find_pc_tables(struct remote_walk *w, uint64_t pc)
{
	const struct address_mapping *m = address_space_find(w->own, pc);
	struct code_file *l;

	if (m == NULL)
		return false;
	code_files_resolve(&w->spaces->libraries, m->library, w->own->pid);
	l = &w->spaces->libraries.all[m->library];
	if ((l->flags & TPROF_M_BIASED) == 0)
		return false;
	w->tables = perf_unwind_state_tables(&l->tables, l->found);
	w->load = address_space_bias(w->spaces, m);
	return w->tables != NULL && w->tables->header != 0;
}

/*
 * Finds the unwind rule of a pc for libunwind, whose callback this is, as are
 * the functions below.  arg: a struct remote_walk.
 */
static int
find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi,
    int need_info, void *arg)
{
	struct remote_walk *w = arg;
	unw_dyn_info_t info = { .format = UNW_INFO_FORMAT_REMOTE_TABLE };

	if (!find_pc_tables(w, ip))
		return -UNW_ENOINFO;
	info.start_ip = 0;
	info.end_ip = UINT64_MAX;
	info.u.rti.segbase = w->load + w->tables->header;
	info.u.rti.table_data = info.u.rti.segbase + PERF_UNWIND_HEADER_BYTES;
	info.u.rti.table_len = w->tables->entries * PERF_UNWIND_ENTRY_BYTES /
	    sizeof(unw_word_t);
	return UNW_OBJ(dwarf_search_unwind_table)(as, ip, &info, pi,
	    need_info, arg);
}

/* Does nothing: libunwind 1.6.2 itself returns the data to its pool. */
static void
put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as;
	(void)pi;
	(void)arg;
}

static int
no_list(unw_addr_space_t as, unw_word_t *address, void *arg)
{
	(void)as;
	(void)address;
	(void)arg;
	return -UNW_ENOINFO;
}

/*
 * Reads a word: of the copy of the stack, or of the file at hand, as all other
 * addresses are in its tables.
 */
static int
access_mem(unw_addr_space_t as, unw_word_t address, unw_word_t *value,
    int write, void *arg)
{
	struct remote_walk *w = arg;
	const unsigned char *bytes;
	size_t left;

	(void)as;
	if (write)
		return -UNW_EINVAL;
	if (address >= w->low && address < w->high &&
	    w->high - address >= sizeof(*value)) {
		memcpy(value, w->k->stack + (address - w->low),
		    sizeof(*value));
		return 0;
	}
	bytes = w->tables == NULL || !w->tables->open ? NULL :
	    elf_file_at(&w->tables->file, address - w->load,
	    sizeof(*value), &left);
	if (bytes == NULL) {
		w->outside = true;
		return -UNW_EINVAL;
	}
	*value = 0;
	memcpy(value, bytes, left < sizeof(*value) ? left : sizeof(*value));
	return 0;
}

/* Reads a register of the sample for libunwind. */
static int
access_reg(unw_addr_space_t as, unw_regnum_t number, unw_word_t *value,
    int write, void *arg)
{
	const struct remote_walk *w = arg;
	const unsigned bit = perf_unwind_reg(number);

	(void)as;
	if (write || bit >= 64 || (PERF_UNWIND_REGS >> bit & 1) == 0)
		return -UNW_EBADREG;
	*value = w->k->regs[__builtin_popcountll(PERF_UNWIND_REGS &
	    ((1ull << bit) - 1))];
	return 0;
}

static int
no_fpreg(unw_addr_space_t as, unw_regnum_t number, unw_fpreg_t *value,
    int write, void *arg)
{
	(void)as;
	(void)number;
	(void)value;
	(void)write;
	(void)arg;
	return -UNW_EBADREG;
}

static int
no_resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

static int
no_name(unw_addr_space_t as, unw_word_t address, char *name, size_t bytes,
    unw_word_t *offset, void *arg)
{
	(void)as;
	(void)address;
	(void)name;
	(void)bytes;
	(void)offset;
	(void)arg;
	return -UNW_ENOINFO;
}

/* Returns libunwind's address space for a process; NULL without memory. */
static unw_addr_space_t
unwinder_of(struct address_space *own)
{
	static unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_list,
		.access_mem = access_mem, .access_reg = access_reg,
		.access_fpreg = no_fpreg, .resume = no_resume,
		.get_proc_name = no_name,
	};

	if (own->unwinder == NULL) {
		own->unwinder = unw_create_addr_space(&accessors, 0);
		if (own->unwinder != NULL)
			unw_set_caching_policy(own->unwinder,
			    UNW_CACHE_GLOBAL);
	}
	return own->unwinder;
}

/* Returns why the walk did not reach the outermost caller; 0 if it did. */
static unsigned
cut_reason(const struct remote_walk *w, int step, bool full)
{
	if (full)
		return FORMAT_CUT_DEPTH;
	if (step == 0)
		return 0;
	if (w->outside && w->k->stack_bytes != 0)
		return FORMAT_CUT_COPY;
	return step == -UNW_EBADFRAME ? FORMAT_CUT_ORDER : FORMAT_CUT_TABLE;
}

size_t
perf_unwind_callers(struct address_spaces *s, struct address_space *own,
    const struct perf_record *k, uint64_t *to, size_t most, unsigned *why)
{
	unw_addr_space_t space = unwinder_of(own);
	struct remote_walk w = { .spaces = s, .own = own, .k = k };
	unw_cursor_t cursor;
	unw_word_t ip;
	size_t count = 0;
	int step;

	*why = FORMAT_CUT_NO_MEMORY;
	if (space == NULL || k->reg_count < PERF_UNWIND_REG_COUNT)
		return 0;
	w.low = k->regs[PERF_UNWIND_SP_INDEX];
	w.high = w.low + k->stack_bytes;
	step = unw_init_remote(&cursor, space, &w);
	if (step != 0)
		return 0;
	do {
		if (unw_get_reg(&cursor, UNW_REG_IP, &ip) != 0 || ip == 0) {
			step = 0;
			break;
		}
		to[count++] = ip;
		step = count == most ? 1 : unw_step(&cursor);
	} while (step > 0 && count < most);
	*why = cut_reason(&w, step, count == most);
	return count;
}
