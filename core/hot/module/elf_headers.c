/*
 * Context: S.  Reads an object's ELF headers, for mapped_object.c and
 * link_map_list.c, in the thread that reads the memory map, behind
 * private_fds_run(); see elf_headers.h.  The object may vanish at any time.
 */
#include "module/elf_headers.h"

#include "base/state.h"
#include "base/str.h"
#include "module/elf_source.h"
#include "thread/private_fds.h"
#include "unwind/cfi_entry.h"

#include <elf.h>

#define HEADERS_MOST	(1u << 17)	/* these take 4 ms to go through */
#define NOTE_MOST	ELF_SOURCE_BYTES

/* An object: its header, and the address that the caller asked about. */
struct object {
	struct elf_source source;
	Elf64_Ehdr eh;
	unsigned count;		/* number of program headers */
	uint64_t start, offset;
	/*
	 * address of the unwind index in the headers; 0, which is the ELF
	 * header's address: none
	 */
	uint64_t index;
};

static bool
read_program_header(struct object *o, unsigned i, Elf64_Phdr *ph)
{
	const unsigned char *at = elf_source_fetch(&o->source, o->eh.e_phoff +
	    (uint64_t)i * sizeof(*ph), sizeof(*ph));

	if (at != NULL)
		mem_copy(ph, at, sizeof(*ph));
	return at != NULL;
}

static uint64_t
page_start(uint64_t address)
{
	return address & ~(config.page - 1);
}

static uint64_t
page_end(uint64_t address)
{
	return page_start(address + config.page - 1);
}

/*
 * Computes the object's bias from where the first page of the file is mapped.
 */
static bool
bias_of_first_page(struct elf_headers *e, struct object *o)
{
	Elf64_Phdr ph;

	for (unsigned i = 0; i < o->count && read_program_header(o, i, &ph);
	    i++) {
		if (ph.p_type != PT_LOAD || page_start(ph.p_offset) != 0)
			continue;
		e->bias = o->source.head - page_start(ph.p_vaddr);
		return true;
	}
	return false;
}

/* Computes the bias from where the bytes at `offset` are mapped. */
static bool
bias_of_offset(struct elf_headers *e, struct object *o)
{
	bool found = false;
	Elf64_Phdr ph;

	for (unsigned i = 0; i < o->count && read_program_header(o, i, &ph);
	    i++) {
		const bool runs = (ph.p_flags & PF_X) != 0;

		if (ph.p_type != PT_LOAD || (found && !runs) ||
		    o->offset + config.page <= ph.p_offset ||
		    o->offset >= ph.p_offset + ph.p_filesz)
			continue;
		e->bias = o->start - (ph.p_vaddr + (o->offset - ph.p_offset));
		found = true;
		/*
		 * Two segments can share a page (lld): take the executable one.
		 */
		if (runs)
			break;
	}
	return found;
}

/*
 * Adds a segment to the bounds of the object, and notes what it says of the
 * text at o->start.
 */
static void
add_load_segment(struct elf_headers *e, const struct object *o,
    const Elf64_Phdr *ph)
{
	const uint64_t low = e->bias + page_start(ph->p_vaddr);
	const uint64_t high = e->bias + page_end(ph->p_vaddr + ph->p_memsz);
	const uint64_t end = e->bias + page_end(ph->p_vaddr + ph->p_filesz);

	if (e->high == 0 || low < e->low)
		e->low = low;
	if (high > e->high)
		e->high = high;
	if ((ph->p_flags & PF_X) == 0)
		return;
	if (low > o->start && (e->next == 0 || low < e->next))
		e->next = low;
	if (o->start >= low && o->start < end) {
		e->own = true;
		e->readable = (ph->p_flags & PF_R) != 0;
		e->until = end;
	}
}

/* Takes the build ID, if it is there, from n bytes of notes at p. */
static void
find_build_id_note(struct elf_headers *e, const unsigned char *p, size_t n)
{
	Elf64_Nhdr note;

	while (n >= sizeof(note)) {
		size_t name, desc;

		mem_copy(&note, p, sizeof(note));
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > n || desc > n || sizeof(note) + name + desc > n)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    mem_equal(p + sizeof(note), "GNU", 4) &&
		    note.n_descsz <= sizeof(e->build_id)) {
			e->build_id_bytes = note.n_descsz;
			mem_copy(e->build_id, p + sizeof(note) + name,
			    note.n_descsz);
			return;
		}
		p += sizeof(note) + name + desc;
		n -= sizeof(note) + name + desc;
	}
}

/* Notes lie in the first mapping, at their file offsets. */
static void
read_build_id_note(struct elf_headers *e, struct object *o,
    const Elf64_Phdr *ph)
{
	const size_t n = ph->p_filesz < NOTE_MOST ? ph->p_filesz : NOTE_MOST;
	const unsigned char *note;

	if (e->build_id_bytes != 0 || n == 0)
		return;
	note = elf_source_fetch(&o->source, ph->p_offset, n);
	if (note != NULL)
		find_build_id_note(e, note, n);
}

/* Finds the segment that holds the address, if all of it is mapped. */
static bool
find_mapped_segment(const struct elf_headers *e, struct object *o,
    uint64_t address, Elf64_Phdr *ph)
{
	for (unsigned i = 0; i < o->count && read_program_header(o, i, ph); i++)
		if (ph->p_type == PT_LOAD && (ph->p_flags & PF_R) != 0 &&
		    address - ph->p_vaddr < ph->p_filesz)
			return elf_source_is_mapped((uintptr_t)(e->bias +
			    ph->p_vaddr), ph->p_filesz);
	return false;
}

/*
 * Reads the head of the unwind index where it is mapped.  An object that is
 * known by its file alone may have other memory mapped there: when only its
 * text is mapped again, the rest is elsewhere.  So the bytes must equal those
 * of the file, unless a filter forbids reading memory.
 */
static bool
read_unwind_index(struct object *o, const Elf64_Phdr *ph, struct cfi_tables *t)
{
	const uint64_t in = o->index - ph->p_vaddr;
	const bool file = o->source.fd >= 0;
	unsigned char head[CFI_INDEX_HEAD_BYTES], there[CFI_INDEX_HEAD_BYTES];
	long n = elf_source_copy_memory(there, t->index, sizeof(there));

	if (n < 0 && (!file || n == -EFAULT))
		return false;
	if (file && sys_pread(o->source.fd, head, sizeof(head),
	    ph->p_offset + in) != (long)sizeof(head))
		return false;
	if (n >= 0 && (n != (long)sizeof(there) ||
	    (file && !mem_equal(head, there, sizeof(head)))))
		return false;
	return cfi_entry_read_index(t, file ? head : there);
}

/*
 * Finds the unwind tables and the segments around them, each of which must be
 * mapped from its first byte to its last.  The index and the entries can be in
 * different segments.
 */
static void
read_unwind_tables(struct elf_headers *e, struct object *o)
{
	struct cfi_tables t = {.index = (uintptr_t)(e->bias + o->index)};
	Elf64_Phdr ph;

	if (!find_mapped_segment(e, o, o->index, &ph))
		return;
	t.low = (uintptr_t)(e->bias + ph.p_vaddr);
	t.high = t.low + ph.p_filesz;
	if (!read_unwind_index(o, &ph, &t))
		return;
	if (t.entries - t.low >= ph.p_filesz &&
	    !find_mapped_segment(e, o, t.entries - e->bias, &ph))
		return;
	t.from = (uintptr_t)(e->bias + ph.p_vaddr);
	t.to = t.from + ph.p_filesz;
	e->tables = t;
}

/* Fills *e from all program headers; e->bias is known. */
static void
read_all_segments(struct elf_headers *e, struct object *o)
{
	Elf64_Phdr ph;

	o->index = 0;
	e->own = false;
	e->until = e->next = e->low = e->high = 0;
	for (unsigned i = 0; i < o->count && read_program_header(o, i, &ph);
	    i++) {
		if (ph.p_type == PT_LOAD)
			add_load_segment(e, o, &ph);
		else if (ph.p_type == PT_GNU_EH_FRAME)
			o->index = ph.p_vaddr;
		else if (ph.p_type == PT_DYNAMIC)
			e->dynamic = e->bias + ph.p_vaddr;
		else if (ph.p_type == PT_NOTE)
			read_build_id_note(e, o, &ph);
	}
	if (o->index != 0 && config.stack != FORMAT_STACK_OFF)
		read_unwind_tables(e, o);
}

/*
 * An object with more than 65,534 headers has their number in its first section
 * header.
 */
static unsigned
count_headers(struct object *o)
{
	const unsigned char *at;
	Elf64_Shdr first;

	if (o->eh.e_phnum != PN_XNUM)
		return o->eh.e_phnum;
	at = elf_source_fetch(&o->source, o->eh.e_shoff, sizeof(first));
	if (at == NULL)
		return 0;
	mem_copy(&first, at, sizeof(first));
	return first.sh_info < HEADERS_MOST ? first.sh_info : HEADERS_MOST;
}

/*
 * Fills *e from the source.  Returns 0; -ENOEXEC if the object is none that it
 * can use; or the error of the source.
 */
static int
read_object_headers(struct elf_headers *e, struct object *o)
{
	const unsigned char *at = elf_source_fetch(&o->source, 0,
	    sizeof(o->eh));

	if (at == NULL)
		return o->source.error;
	mem_copy(&o->eh, at, sizeof(o->eh));
	if (!mem_equal(o->eh.e_ident, ELFMAG, SELFMAG) ||
	    o->eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    o->eh.e_phentsize != sizeof(Elf64_Phdr))
		return -ENOEXEC;
	o->count = count_headers(o);
	if (o->source.head != 0 && bias_of_first_page(e, o)) {
		read_all_segments(e, o);
		if (e->own || o->offset == ELF_HEADERS_NO_OFFSET)
			return 0;
	}
	if (o->offset == ELF_HEADERS_NO_OFFSET || !bias_of_offset(e, o))
		return -ENOEXEC;
	read_all_segments(e, o);
	e->own = false;
	return 0;
}

/* Does what elf_headers_read() does, from the object's file alone. */
static int
read_elf_file(struct elf_headers *e, struct object *o, const char *path)
{
	int ret = elf_source_is_regular_file(path);

	if (ret <= 0)
		return ret < 0 ? ret : -ENOEXEC;
	if (private_fds_is_shared())
		return PRIVATE_FDS_RETRY;
	o->source.fd = sys_open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0);
	if (o->source.fd < 0)
		return o->source.fd;
	mem_zero(e, sizeof(*e));
	o->source.have = 0;
	ret = read_object_headers(e, o);
	sys_close(o->source.fd);
	return ret;
}

int
elf_headers_read(struct elf_headers *e, uint64_t head, const char *path,
    uint64_t start, uint64_t offset)
{
	struct object o;
	int ret = -EFAULT;

	o.source.head = head;
	o.source.fd = -1;
	o.source.bytes = mon->module_bytes;
	o.source.at = o.source.have = 0;
	o.start = start;
	o.offset = offset;
	mem_zero(e, sizeof(*e));
	if (head != 0)
		ret = read_object_headers(e, &o);
	/*
	 * The first page is not mapped whole, or reading memory is forbidden:
	 * read the file.
	 */
	return ret == 0 || ret == -ENOEXEC || path[0] != '/' ? ret :
	    read_elf_file(e, &o, path);
}
