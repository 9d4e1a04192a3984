/* Context: load.  Sleeps for SECONDS in a function of which its unwind table
 * says that nothing called it, as that of _start does. */
#include "load.h"

#include <sys/syscall.h>

void sleep_outermost(const struct timespec *how_long);

#define TEXT(x)	#x
#define NUMBER(x)	TEXT(x)

__asm__(
".text\n"
".globl sleep_outermost\n"
".type sleep_outermost, %function\n"
"sleep_outermost:\n"
"	.cfi_startproc\n"
#ifdef __x86_64__
"	.cfi_undefined rip\n"
"	xorl %esi, %esi\n"
"	movl $" NUMBER(__NR_nanosleep) ", %eax\n"
"	syscall\n"
#else
"	.cfi_undefined x30\n"
"	mov x1, xzr\n"
"	mov x8, #" NUMBER(__NR_nanosleep) "\n"
"	svc #0\n"
#endif
"	ret\n"
"	.cfi_endproc\n"
".size sleep_outermost, . - sleep_outermost\n"
);

int
main(int argc, char **argv)
{
	const struct timespec t = { 0, 100000000 };

	load_burn(0.05);
	for (double left = load_number(argc, argv, 1, 1); left > 0; left -= 0.1)
		sleep_outermost(&t);
	return 0;
}
