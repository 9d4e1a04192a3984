/*
 * Context: S.  An object's ELF headers, read from memory that may vanish.
 *
 * Another thread may unmap the object while we look.  process_vm_readv on
 * ourselves answers EFAULT where a load would fault; where it is forbidden (old
 * container filters) the file is read instead.
 */
#include "elfmem.h"

#include "aside.h"
#include "state.h"
#include "str.h"

#include <elf.h>
#include <sys/uio.h>

#define PHDRS_MOST	64
#define PHDRS_ONCE	8		/* most often copied from what is here */
#define FIRST		1024	/* headers, and notes behind them: one call */
#define NOTE_MOST	FIRST

/* Is each page of it mapped?  Whether it can be read is asked at each use. */
static bool
is_mapped(uintptr_t at, size_t n)
{
	const uintptr_t page = at & ~(config.page - 1);

	return n != 0 && SYS(msync, page, at + n - page, MS_ASYNC, 0, 0, 0) ==
	    0;
}

/* Where the bytes come from: memory at `head`, or the file. */
struct source {
	uint64_t head;
	int fd;
	size_t have;		/* of what follows */
	unsigned char first[FIRST];	/* most often all that is wanted */
};

/* How many of the n bytes are there; -errno. */
static long
read_some(const struct source *s, void *to, uint64_t offset, size_t n)
{
	struct iovec local = {to, n};
	struct iovec remote = {(void *)(uintptr_t)(s->head + offset), n};

	if (s->fd >= 0)
		return sys_pread(s->fd, to, n, offset);
	return SYS(process_vm_readv, mon->pid, &local, 1, &remote, 1, 0);
}

static bool
is_at_hand(const struct source *s, uint64_t offset, size_t n)
{
	return offset <= s->have && n <= s->have - offset;
}

static int
fetch(const struct source *s, void *to, uint64_t offset, size_t n)
{
	long ret;

	if (is_at_hand(s, offset, n)) {
		mem_copy(to, s->first + offset, n);
		return 0;
	}
	ret = read_some(s, to, offset, n);
	if (ret < 0)
		return (int)ret;
	return ret == (long)n ? 0 : -EFAULT;
}

/* bias: where the bytes at `offset` lie, less where the headers say. */
static bool
take_bias(struct elfmem *e, const Elf64_Phdr *ph, uint64_t start,
    uint64_t offset)
{
	if (ph->p_type != PT_LOAD || offset + config.page <= ph->p_offset ||
	    offset >= ph->p_offset + ph->p_filesz)
		return false;
	e->bias = start - (ph->p_vaddr + (offset - ph->p_offset));
	return true;
}

static void
take_note(struct elfmem *e, const unsigned char *p, size_t n)
{
	Elf64_Nhdr note;

	while (n >= sizeof note) {
		size_t name, desc;

		mem_copy(&note, p, sizeof note);
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > n || desc > n || sizeof note + name + desc > n)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    mem_equal(p + sizeof note, "GNU", 4) &&
		    note.n_descsz <= sizeof e->build_id) {
			e->build_id_bytes = note.n_descsz;
			mem_copy(e->build_id, p + sizeof note + name,
			    note.n_descsz);
			return;
		}
		p += sizeof note + name + desc;
		n -= sizeof note + name + desc;
	}
}

/* Notes lie in the first mapping, at their file offsets. */
static void
read_note(struct elfmem *e, struct source *s, const Elf64_Phdr *ph)
{
	size_t n = ph->p_filesz < NOTE_MOST ? ph->p_filesz : NOTE_MOST;
	const unsigned char *note = s->first;

	if (ph->p_type != PT_NOTE || e->build_id_bytes != 0 || n == 0)
		return;
	if (is_at_hand(s, ph->p_offset, n)) {
		note += ph->p_offset;
	} else {
		s->have = 0;	/* its room is wanted, to spare the stack */
		if (fetch(s, s->first, ph->p_offset, n) != 0)
			return;
	}
	take_note(e, note, n);
}

/*
 * The unwind tables, and the segment around them: from the first byte of it to
 * the last they must be there.  The headers are gone through once more.
 */
static void
read_tables(struct elfmem *e, const struct source *s, const Elf64_Ehdr *eh,
    unsigned count, uint64_t index)
{
	Elf64_Phdr ph;
	unsigned i;

	for (i = 0; i < count; i++) {
		if (fetch(s, &ph, eh->e_phoff + i * sizeof ph, sizeof ph) != 0)
			return;
		if (ph.p_type == PT_LOAD && (ph.p_flags & PF_R) != 0 &&
		    index >= ph.p_vaddr && index < ph.p_vaddr + ph.p_filesz)
			break;
	}
	if (i == count || !is_mapped((uintptr_t)(e->bias + ph.p_vaddr),
	    ph.p_filesz))
		return;
	e->tables.index = (uintptr_t)(e->bias + index);
	e->tables.low = (uintptr_t)(e->bias + ph.p_vaddr);
	e->tables.high = e->tables.low + ph.p_filesz;
}

static int
read_headers(struct elfmem *e, struct source *s, uint64_t start,
    uint64_t offset)
{
	Elf64_Phdr ph[PHDRS_ONCE];
	uint64_t index = 0;	/* of unwind tables; 0 is the header's place */
	bool have_bias = false;
	Elf64_Ehdr eh;
	unsigned i, count;
	long some = read_some(s, s->first, 0, sizeof s->first);
	int ret;

	s->have = some < 0 ? 0 : (size_t)some;
	ret = some < 0 ? (int)some : fetch(s, &eh, 0, sizeof eh);
	if (ret != 0)
		return ret;
	if (!mem_equal(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_phentsize != sizeof *ph)
		return -ENOEXEC;
	count = eh.e_phnum < PHDRS_MOST ? eh.e_phnum : PHDRS_MOST;
	for (i = 0; i < count; i++) {
		unsigned k = i % PHDRS_ONCE, left = count - i;

		if (k == 0 && fetch(s, ph, eh.e_phoff + i * sizeof *ph,
		    (left < PHDRS_ONCE ? left : PHDRS_ONCE) * sizeof *ph) != 0)
			break;
		/* A page can be of two segments (lld): ours runs. */
		if (!have_bias || (ph[k].p_flags & PF_X) != 0)
			have_bias |= take_bias(e, &ph[k], start, offset);
		if (ph[k].p_type == PT_GNU_EH_FRAME)
			index = ph[k].p_vaddr;
		read_note(e, s, &ph[k]);
	}
	if (have_bias && index != 0 && config.stack != FORMAT_STACK_OFF)
		read_tables(e, s, &eh, count, index);
	return have_bias ? 0 : -ENOEXEC;
}

int
elfmem_read(struct elfmem *e, uint64_t head, const char *path,
    uint64_t start, uint64_t offset)
{
	struct source s;
	int ret = -EFAULT;

	s.head = head;
	s.fd = -1;
	mem_zero(e, sizeof *e);
	if (head != 0)
		ret = read_headers(e, &s, start, offset);
	if (ret == 0 || ret == -ENOEXEC || path[0] != '/')
		return ret;
	/* Not mapped whole, or forbidden: the file itself. */
	if (aside_is_here())
		return ASIDE_AGAIN;
	s.fd = sys_open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0);
	if (s.fd < 0)
		return ret;
	mem_zero(e, sizeof *e);
	ret = read_headers(e, &s, start, offset);
	sys_close(s.fd);
	return ret;
}
