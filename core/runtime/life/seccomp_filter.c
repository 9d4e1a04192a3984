/*
 * Context: T.  Runs a seccomp filter for seccomp.c, before the program installs
 * it; see seccomp_filter.h.
 *
 * The filter is classic BPF over struct seccomp_data.
 */
#include "life/seccomp_filter.h"

#include "base/str.h"
#include "base/sys.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define FILTER_ARCH	AUDIT_ARCH_X86_64
#else
#define FILTER_ARCH	AUDIT_ARCH_AARCH64
#endif

const struct sock_fprog seccomp_filter_deny_all = {0, NULL};

/* Registers and memory of the machine that linux/filter.h describes. */
struct bpf {
	uint32_t a, x, m[BPF_MEMWORDS];
	const struct seccomp_data *data;
	/* met an instruction that no seccomp filter can hold */
	bool odd;
};

/* Returns the word of the call's data; 0, and sets `odd`, outside of it. */
static uint32_t
bpf_load(struct bpf *b, uint32_t offset)
{
	uint32_t word;

	if (offset > sizeof(*b->data) - 4 || offset % 4 != 0) {
		b->odd = true;
		return 0;
	}
	/*
	 * A half of an argument, copied so that the compiler does not assume
	 * another type.
	 */
	mem_copy(&word, (const char *)b->data + offset, sizeof(word));
	return word;
}

static void
bpf_alu(struct bpf *b, const struct sock_filter *i)
{
	uint32_t k = BPF_SRC(i->code) == BPF_X ? b->x : i->k;

	switch (BPF_OP(i->code)) {
	case BPF_ADD: b->a += k; break;
	case BPF_SUB: b->a -= k; break;
	case BPF_MUL: b->a *= k; break;
	case BPF_DIV:
		/* The kernel ends the filter here, with its answer 0: kill. */
		b->odd |= k == 0;
		b->a = k == 0 ? 0 : b->a / k;
		break;
	case BPF_OR: b->a |= k; break;
	case BPF_AND: b->a &= k; break;
	case BPF_LSH: b->odd |= k > 31; b->a <<= k & 31; break;
	case BPF_RSH: b->odd |= k > 31; b->a >>= k & 31; break;
	case BPF_NEG: b->a = -b->a; break;
	case BPF_XOR: b->a ^= k; break;
	default: b->odd = true;
	}
}

/* Returns how many instructions the jump skips. */
static uint32_t
bpf_jump(const struct bpf *b, const struct sock_filter *i)
{
	uint32_t k = BPF_SRC(i->code) == BPF_X ? b->x : i->k;
	bool yes;

	switch (BPF_OP(i->code)) {
	case BPF_JA: return i->k;
	case BPF_JEQ: yes = b->a == k; break;
	case BPF_JGT: yes = b->a > k; break;
	case BPF_JGE: yes = b->a >= k; break;
	default: yes = (b->a & k) != 0;
	}
	return yes ? i->jt : i->jf;
}

static void
bpf_move(struct bpf *b, const struct sock_filter *i)
{
	uint32_t *to = BPF_CLASS(i->code) == BPF_LDX ? &b->x : &b->a;
	uint32_t m = i->k % BPF_MEMWORDS;

	switch (BPF_CLASS(i->code)) {
	case BPF_ST: b->m[m] = b->a; return;
	case BPF_STX: b->m[m] = b->x; return;
	case BPF_MISC:
		if (BPF_MISCOP(i->code) == BPF_TAX)
			b->x = b->a;
		else
			b->a = b->x;
		return;
	}
	switch (BPF_MODE(i->code)) {
	case BPF_IMM: *to = i->k; return;
	case BPF_ABS: *to = bpf_load(b, i->k); return;
	case BPF_MEM: *to = b->m[m]; return;
	case BPF_LEN: *to = sizeof(*b->data); return;
	default: b->odd = true;
	}
}

/* Returns the filter's answer for the call: to kill, if it is no filter. */
static uint32_t
bpf_run(const struct sock_fprog *p, const struct seccomp_data *data)
{
	struct bpf b = {.data = data};

	for (uint32_t pc = 0; pc < p->len && !b.odd; pc++) {
		const struct sock_filter *i = &p->filter[pc];

		switch (BPF_CLASS(i->code)) {
		case BPF_RET:
			return BPF_RVAL(i->code) == BPF_A ? b.a : i->k;
		case BPF_ALU:
			bpf_alu(&b, i);
			break;
		case BPF_JMP:
			b.odd = bpf_jump(&b, i) >= p->len - pc;
			pc += b.odd ? 0 : bpf_jump(&b, i);
			break;
		default:
			bpf_move(&b, i);
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}

/*
 * Returns whether 8 bytes can be read.  The kernel copies them before it checks
 * `how`: it returns EFAULT or EINVAL.
 */
static bool
is_readable_word(const void *eight_bytes)
{
	return sys_sigprocmask(-1, eight_bytes, NULL) == -EINVAL;
}

bool
seccomp_filter_is_valid(const struct sock_fprog *p)
{
	if (p == &seccomp_filter_deny_all)
		return true;
	if (!is_readable_word(p) ||
	    !is_readable_word((const char *)(p + 1) - 8) || p->len == 0 ||
	    p->len > BPF_MAXINSNS)
		return false;
	for (unsigned i = 0; i < p->len; i++)
		if (!is_readable_word(&p->filter[i]))
			return false;
	return true;
}

bool
seccomp_filter_allows(const struct sock_fprog *filter, int nr)
{
	struct seccomp_data d = {.nr = nr, .arch = FILTER_ARCH};
	uint32_t action;

	if (nr == SYS_rt_sigprocmask)
		d.args[0] = (uint64_t)-1;	/* as in is_readable_word() */
	if (filter == NULL)	/* strict mode, seccomp(2) */
		return nr == SYS_rt_sigreturn;
	action = bpf_run(filter, &d) & SECCOMP_RET_ACTION_FULL;
	return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}
