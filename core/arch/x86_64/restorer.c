/*
 * Context: S.  Calls rt_sigreturn(2): the code to which those handlers return,
 * ours and the program's, whose actions sigaction.c hands to the kernel itself.
 * Its bytes are those by which unwinders and debuggers recognize a signal
 * frame; the nop is glibc's, for debuggers that look up the byte before a
 * return address.
 */
void arch_restorer(void);

__asm__(".text\n"
    "	nop\n"
    "	.balign 16\n"
    "	.globl arch_restorer\n"
    "	.hidden arch_restorer\n"
    "	.type arch_restorer, @function\n"
    "arch_restorer:\n"
    "	.byte 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00\n" /* mov $15, %rax */
    "	syscall\n"
    "	.size arch_restorer, . - arch_restorer\n");
