/*
 * Context: S.  Where the kernel returns to from our handlers.  The bytes are
 * those that unwinders and debuggers know a signal frame by.
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
