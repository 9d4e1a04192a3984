/*
 * Context: O.  Tests of core/entry/entry_stub.c: stubs that run, with all
 * registers and flags as without them, and what each of their instructions
 * stands for.
 */
#define _GNU_SOURCE
#include "entry_stub.h"
#include "instruction.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

/* push %rbx; mov %rdi, %rbx; test %edi, %edi */
static const uint8_t entry[] = "\x53\x48\x89\xfb\x85\xff";

static struct entry_place
place_of(const uint8_t *code, bool flags_live)
{
	struct entry_place p = { .flags_live = flags_live };
	struct instruction in;

	while (p.displaced < ENTRY_JUMP_BYTES) {
		cr_assert(instruction_decode(code + p.displaced, 15, &in));
		p.displaced = (uint8_t)(p.displaced + in.bytes);
	}
	return p;
}

Test(entry_stub, calls_the_counter_first)
{
	const struct entry_place p = place_of(entry, false);
	struct entry_stub s;

	cr_assert(entry_stub_write(&s, &p, entry, 0x401000, 0x501000,
	    0x501100));
	cr_expect_eq(memcmp(s.code, "\xff\x15\xfa\0\0\0\x53\x48", 8), 0);
	cr_expect_eq(s.returns, 6);
	cr_expect_eq(s.displaced_at, 6);
	cr_expect_eq(s.bytes, 6 + 6 + 5);
	cr_expect_not(entry_stub_write(&s, &p, entry, 0x401000, 0x501000,
	    0x501000 + ((uint64_t)1 << 31) + 6));
	cr_expect_not(entry_stub_write(&s, &p, entry, 0x401000,
	    0x401000 + ((uint64_t)1 << 32), 0x501100));
}

/* Expects what the instruction at offset `at` stands for. */
static void
expect_origin(const struct entry_stub *s, unsigned at, unsigned origin,
    unsigned more)
{
	unsigned pushed;

	cr_expect_eq(entry_stub_origin(s, at, &pushed), origin, "at %u", at);
	cr_expect_eq(pushed, more, "at %u", at);
}

Test(entry_stub, knows_what_its_code_stands_for)
{
	struct entry_place p = place_of(entry, false);
	struct entry_stub s;

	cr_assert(entry_stub_write(&s, &p, entry, 0x401000, 0x501000,
	    0x501100));
	expect_origin(&s, 0, 0, 0);
	expect_origin(&s, s.returns, 0, 0);
	expect_origin(&s, s.displaced_at + 1u, 1, 0);
	expect_origin(&s, s.displaced_at + 4u, 4, 0);
	expect_origin(&s, s.displaced_at + 6u, 6, 0);
	p.flags_live = true;
	cr_assert(entry_stub_write(&s, &p, entry, 0x401000, 0x501000,
	    0x501100));
	cr_expect_eq(s.displaced_at, ENTRY_STUB_CALL_MOST);
	expect_origin(&s, 0, 0, 0);
	expect_origin(&s, 5, 0, 128);
	expect_origin(&s, 6, 0, 136);
	expect_origin(&s, s.returns, 0, 136);
	expect_origin(&s, s.returns + 1u, 0, 128);
	expect_origin(&s, s.displaced_at, 0, 0);
	expect_origin(&s, s.displaced_at + 1u, 1, 0);
}

#ifdef __x86_64__

/*
 * The counters of this test: they change %rax and the flags as ours do, and
 * keep the former below the stack pointer.
 */
extern uint64_t stub_counted[3];
extern uint64_t stub_from;
extern char stub_counters[];
__asm__(
"	.data\n"
"	.balign	8\n"
"stub_counted: .quad 0, 0, 0\n"
"stub_from: .quad 0\n"
"	.text\n"
"stub_plain: mov %rax, -8(%rsp); xor %eax, %eax; sub $1, %rax\n"
"	incq stub_counted(%rip); mov -8(%rsp), %rax; ret\n"
"stub_careful: mov %rax, -8(%rsp); xor %eax, %eax; sub $1, %rax\n"
"	incq stub_counted+8(%rip); mov -8(%rsp), %rax; ret\n"
"stub_deep: push %rax; push %rcx\n"
"	mov 16(%rsp), %rax; movzbl 3(%rax), %ecx\n"
"	mov 32(%rsp,%rcx), %rax; mov %rax, stub_from(%rip)\n"
"	incq stub_counted+16(%rip); pop %rcx; pop %rax; ret\n"
"	.data\n"
"stub_counters: .quad stub_plain, stub_careful, stub_deep\n"
"	.text\n"
);

/* All that a function can find in registers, and what it leaves there. */
struct registers {
	uint64_t general[15];	/* rax rbx rcx rdx rsi rdi rbp r8 to r15 */
	uint64_t flags;
	uint64_t red_zone[16];
};

/*
 * Calls `code` with the registers and the red zone of *r, and sets them to what
 * it leaves.
 */
void stub_run(void *code, struct registers *r);
extern char stub_take[];
__asm__(
"	.text\n"
"stub_run:\n"
"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
"	push %rsi; push %rdi\n"
"	mov %rsi, %rax\n"
"	.set i, 0\n"
"	.rept 16\n"
"	mov 128+8*i(%rax), %rcx\n"
"	mov %rcx, -136+8*i(%rsp)\n"
"	.set i, i+1\n"
"	.endr\n"
"	push 120(%rax); popf\n"
"	mov 8(%rax), %rbx; mov 16(%rax), %rcx; mov 24(%rax), %rdx\n"
"	mov 32(%rax), %rsi; mov 40(%rax), %rdi; mov 48(%rax), %rbp\n"
"	mov 56(%rax), %r8; mov 64(%rax), %r9; mov 72(%rax), %r10\n"
"	mov 80(%rax), %r11; mov 88(%rax), %r12; mov 96(%rax), %r13\n"
"	mov 104(%rax), %r14; mov 112(%rax), %r15; mov (%rax), %rax\n"
"	call *(%rsp)\n"
"stub_back: lea 16(%rsp), %rsp\n"
"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
"	ret\n"
/* Where entries end: saves all to what stub_run() was called with. */
"stub_take:\n"
"	pushf\n"
"	push %rax\n"
"	mov 32(%rsp), %rax\n"
"	mov %rbx, 8(%rax); mov %rcx, 16(%rax); mov %rdx, 24(%rax)\n"
"	mov %rsi, 32(%rax); mov %rdi, 40(%rax); mov %rbp, 48(%rax)\n"
"	mov %r8, 56(%rax); mov %r9, 64(%rax); mov %r10, 72(%rax)\n"
"	mov %r11, 80(%rax); mov %r12, 88(%rax); mov %r13, 96(%rax)\n"
"	mov %r14, 104(%rax); mov %r15, 112(%rax)\n"
"	pop %rcx; mov %rcx, (%rax)\n"
"	pop %rcx; mov %rcx, 120(%rax)\n"
"	.set i, 2\n"
"	.rept 14\n"
"	mov -128+8*(i-2)(%rsp), %rcx\n"
"	mov %rcx, 128+8*(i-2)(%rax)\n"
"	.set i, i+1\n"
"	.endr\n"
"	ret\n"
);

#define FLAGS	0x8d5u		/* CF, PF, AF, ZF, SF, OF */

static void
fill_registers(struct registers *r, uint64_t flags)
{
	for (unsigned i = 0; i < 15; i++)
		r->general[i] = 0x1111111111111111u * (i + 1) ^ flags;
	for (unsigned i = 0; i < 16; i++)
		r->red_zone[i] = 0x0101010101010101u * (i + 3);
	r->flags = flags | 0x202;
}

/* An entry that changes nothing, and then saves all. */
static void
write_entry(uint8_t *code)
{
	const uintptr_t take = (uintptr_t)stub_take;

	memset(code, 0x90, 5);
	memcpy(code + 5, "\xff\x25\0\0\0\0", 6);	/* jmp *0(%rip) */
	memcpy(code + 11, &take, sizeof(take));
}

static void
check_run(uint8_t *page, bool careful, uint64_t flags)
{
	uint8_t *code = page, *at = page + 2048;
	const struct entry_place p = place_of(code, careful);
	struct registers before, after;
	struct entry_stub s;

	cr_assert(entry_stub_write(&s, &p, code, (uintptr_t)code,
	    (uintptr_t)at, (uintptr_t)stub_counters));
	memcpy(at, s.code, s.bytes);
	fill_registers(&before, flags);
	fill_registers(&after, flags);
	stub_counted[careful] = 0;
	stub_run(code, &before);
	cr_assert_eq(stub_counted[careful], 0);
	stub_run(at, &after);
	cr_expect_eq(stub_counted[careful], 1);
	cr_expect_eq(memcmp(before.general, after.general,
	    sizeof(before.general)), 0);
	if (!careful)
		return;
	cr_expect_eq(before.flags & FLAGS, flags);
	cr_expect_eq(after.flags & FLAGS, flags);
	cr_expect_eq(memcmp(before.red_zone, after.red_zone,
	    14 * sizeof(before.red_zone[0])), 0);
}

/* A function that calls another, and the address that it returns to. */
int stub_calling(int n);
extern char stub_called[], stub_call[], stub_returned[];
__asm__(
"	.text\n"
"stub_called: lea 1(%rdi,%rdi), %eax; ret\n"
"stub_inner: push %rbx; sub $16, %rsp\n"
"stub_call: call stub_called; add $16, %rsp; pop %rbx; ret\n"
"stub_calling: sub $8, %rsp; call stub_inner\n"
"stub_returned: add $8, %rsp; ret\n"
);

/* Leads the call to the stub, as its code is patched. */
static void
lead_call(const uint8_t *to)
{
	const uintptr_t page = (uintptr_t)stub_call & ~(uintptr_t)0xfff;
	const int32_t distance = (int32_t)((intptr_t)to -
	    (intptr_t)(stub_call + 5));

	cr_assert_eq(mprotect((void *)page, 8192, PROT_READ | PROT_WRITE |
	    PROT_EXEC), 0);
	memcpy(stub_call + 1, &distance, sizeof(distance));
}

Test(entry_stub, stands_for_a_call)
{
	const struct entry_place p = { .way = ENTRY_CALL, .call_depth = 24 };
	const uintptr_t near = ((uintptr_t)stub_take & ~(uintptr_t)0xfff) -
	    (512u << 20);
	uint8_t *at = mmap((void *)near, 4096, PROT_READ | PROT_WRITE |
	    PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct entry_stub s;
	unsigned pushed;

	cr_assert_neq(at, MAP_FAILED);
	cr_assert(entry_stub_write_call(&s, &p, (uintptr_t)stub_called,
	    (uintptr_t)at, (uintptr_t)stub_counters));
	memcpy(at, s.code, s.bytes);
	cr_assert_eq(stub_calling(20), 41);
	cr_assert_eq(stub_counted[ENTRY_STUB_DEEP], 0);
	lead_call(at);
	cr_expect_eq(stub_calling(20), 41);
	cr_expect_eq(stub_counted[ENTRY_STUB_DEEP], 1);
	cr_expect_eq(stub_from, (uintptr_t)stub_returned);
	for (unsigned i = 0; i < s.bytes; i++)
		cr_expect(entry_stub_origin(&s, i, &pushed) == 0 &&
		    pushed == 0);
}

Test(entry_stub, keeps_registers_flags_and_red_zone)
{
	const uintptr_t near = ((uintptr_t)stub_take & ~(uintptr_t)0xfff) -
	    (512u << 20);
	uint8_t *page = mmap((void *)near, 4096, PROT_READ | PROT_WRITE |
	    PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(page, MAP_FAILED);
	write_entry(page);
	for (unsigned i = 0; i < 64; i++) {
		const uint64_t flags = (i & 1) | (i & 2) << 1 | (i & 4) << 2 |
		    (i & 8) << 3 | (i & 16) << 3 | (uint64_t)(i & 32) << 6;

		check_run(page, false, flags);
		check_run(page, true, flags);
	}
}

#endif
