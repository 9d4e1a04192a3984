# The checks of what the compiler does not see; all run in make check.
