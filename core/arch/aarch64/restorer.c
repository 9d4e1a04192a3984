/* Context: S.  Not used: without one the kernel returns by its vdso. */
void arch_restorer(void);

void
arch_restorer(void)
{
}
