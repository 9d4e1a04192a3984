# What every test is given in its environment.
AM_TESTS_ENVIRONMENT = \
	MON_SRC='$(abs_top_srcdir)'; MON_BUILD='$(abs_top_builddir)'; \
	MON_LIB='$(abs_top_builddir)/.libs/libmon.so'; \
	PROF='$(abs_top_builddir)/prof'; \
	CC='$(CC)'; NM='$(NM)'; OBJDUMP='$(OBJDUMP)'; READELF='$(READELF)'; \
	export MON_SRC MON_BUILD MON_LIB PROF CC NM OBJDUMP READELF; \
	unset PROFDIR PROFOPTS LD_PRELOAD;

include tests/unit/local.mk
include tests/load/local.mk
include tests/e2e/local.mk
include tests/fuzz/local.mk
