/*
 * Context: S.  The code that the kernel returns to from our signal handlers.
 * Its bytes are those by which unwinders and debuggers recognize a signal
 * frame.
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
