/* Context: S.  Not used: the kernel returns through its vdso when none is named. */
void arch_restorer(void);

void
arch_restorer(void)
{
}
