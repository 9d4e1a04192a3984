/*
 * Context: S.  Not used: the kernel returns from handlers by its vdso if an
 * action has no restorer.
 */
void arch_restorer(void);

void
arch_restorer(void)
{
}
