/*
 * Context: O.  Unpacks another program into memory and runs it, as packers of
 * executables do: the loader takes this file for it.  x86-64.
 *
 * cc -nostdlib -static-pie -fPIE -DPAYLOAD='"/path"' ...
 *
 * PAYLOAD is dynamically linked.  misleading() covers the addresses at which
 * the functions of a small PAYLOAD are.
 */
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define PAGE	4096ul
#define MOST	65536

static char head[MOST];

static long
call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(a), "S"(b),
	    "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return ret;
}

__attribute__((used)) void
misleading(void)
{
	__asm__ volatile(".skip 16384, 0x90");
}

static long
map(unsigned long at, unsigned long n, int flags)
{
	return call(SYS_mmap, (long)at, (long)n, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

/* Copies a segment to memory of no file. */
static void
unpack(int fd, unsigned long base, const Elf64_Phdr *ph)
{
	const unsigned long at = base + ph->p_vaddr, low = at & ~(PAGE - 1);
	const unsigned long n = (at + ph->p_memsz + PAGE - 1 - low) &
	    ~(PAGE - 1);

	map(low, n, MAP_FIXED);
	if (call(SYS_pread64, fd, (long)at, (long)ph->p_filesz,
	    (long)ph->p_offset, 0, 0) != (long)ph->p_filesz)
		call(SYS_exit, 77, 0, 0, 0, 0, 0);
	call(SYS_mprotect, (long)low, (long)n, ((ph->p_flags & PF_R) != 0) |
	    (ph->p_flags & PF_W) | ((ph->p_flags & PF_X) << 2), 0, 0, 0);
}

/* Returns the base of a position-independent object. */
static unsigned long
load(const char *path)
{
	const int fd = (int)call(SYS_open, (long)path, O_RDONLY, 0, 0, 0, 0);
	const Elf64_Ehdr *eh = (const void *)head;
	unsigned long base;

	call(SYS_read, fd, (long)head, MOST, 0, 0, 0);
	base = (unsigned long)map(0, 1ul << 24, 0);
	for (int i = 0; i < eh->e_phnum; i++) {
		const Elf64_Phdr *ph = (const Elf64_Phdr *)(head +
		    eh->e_phoff) + i;

		if (ph->p_type == PT_LOAD)
			unpack(fd, base, ph);
	}
	call(SYS_close, fd, 0, 0, 0, 0, 0);
	return base;
}

__attribute__((used)) void
begin(unsigned long *stack)
{
	const Elf64_Ehdr *eh = (const void *)head;
	unsigned long program, loader, *p = stack + 2 + *stack;
	unsigned long headers, count, entry;

	program = load(PAYLOAD);
	headers = program + eh->e_phoff;
	count = eh->e_phnum;
	entry = program + eh->e_entry;
	loader = load("/lib64/ld-linux-x86-64.so.2");
	while (*p++ != 0)
		;
	for (; *p != AT_NULL; p += 2)
		p[1] = p[0] == AT_PHDR ? headers : p[0] == AT_PHNUM ? count :
		    p[0] == AT_ENTRY ? entry : p[0] == AT_BASE ? loader : p[1];
	__asm__ volatile("mov %0, %%rsp; xor %%edx, %%edx; jmp *%1" ::
	    "r"(stack), "r"(loader + eh->e_entry));
}

__asm__(".globl _start\n"
    "_start: mov %rsp, %rdi\n"
    "and $-16, %rsp\n"
    "call begin\n");
