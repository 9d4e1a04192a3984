/*
 * Context: S.  The restorer that sigaction.c names in actions on x86-64.  Not
 * used here: the kernel returns from handlers by its vdso if an action has no
 * restorer.
 */
void arch_restorer(void);

void
arch_restorer(void)
{
}
