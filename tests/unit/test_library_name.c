/* Context: O.  Tests of core/object/symbol/library_name.c. */
#include "symbol/library_name.h"

#include <criterion/criterion.h>

Test(library_name, standard)
{
	static const char *const names[] = {
		"_ZNSt6vectorIiSaIiEE9push_backEOi", "_ZSt4moveIRiE",
		"_ZNKSt6thread6joinEv", "_ZNSs6appendEPKc", "_ZNSaIcEC1Ev",
		"_ZNSt7__cxx1112basic_stringIcE6appendEPKc",
		"_ZN9__gnu_cxx13new_allocatorIcE8allocateEmPKv",
		"_ZNK9__gnu_cxx17__normal_iteratorIPcE4baseEv",
		"_ZNOSt4pairIiiE4swapEv",
		"_ZN4core3ptr13drop_in_place17h0123456789abcdefE",
		"_ZN5alloc7raw_vec19RawVec3new17h0123456789abcdefE",
		("_ZN69_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$GT$4drop"
		    "17h0123456789abcdefE"),
		("_ZN5alloc7raw_vec20RawVecInner$LT$A$GT$11finish_grow17h"
		    "7b8d90fd76cc8961E.llvm.18205597703277018194"),
		("_ZN9hashbrown3map28HashMap$LT$K$C$V$C$S$C$A$GT$6insert17h"
		    "b769d3e1dc849d74E"),
		("_ZN48_$LT$A$u20$as$u20$core..slice..cmp..SliceOrd$GT$"
		    "7compare17hb3034b2ee6f3f7acE"),
		("_ZN75_$LT$$RF$mut$u20$W$u20$as$u20$core..fmt..Write..write_fmt"
		    "..SpecWriteFmt$GT$14spec_write_fmt17hbea65caf5a07cf65E"),
		"_RNvMNtNtCsgvbsrvnw3yD_9hashbrown7control3tagNtB2_3Tag4full",
		"<u64 as core::fmt::Display>::fmt", "<core::fmt::Formatter>::pad",
		"_RNvNtCs1234_4core3ptr4read", "_RINvNtCsaB_5alloc3vec3newxE",
		"_RNvXs_NtCs12_3std2ioNtB4_4File4read",
		"std::sort<int*>", "__gthread_mutex_lock", "<alloc::vec::Vec<T> as Drop>::drop",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect(library_name_is_standard(names[i]), "%s", names[i]);
}

Test(library_name, starts)
{
	static const char *const starts[] = {
		"_start", "clone3", "start_thread", "__libc_start_main@plt",
		"_ZNSt6thread8_InvokerISt5tupleEE3runEv",
		"std::__invoke<main()::<lambda()>>",
	};
	static const char *const others[] = {
		"main", "clone_tree", "start", "_ZSt4sortIPiEvT_S1_", "",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		cr_expect(library_name_is_start(starts[i]), "%s", starts[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		cr_expect(!library_name_is_start(others[i]), "%s", others[i]);
}

Test(library_name, others)
{
	static const char *const names[] = {
		"main", "malloc", "", "_Z", "_ZN", "_R", "_RN", "_RC",
		"_Z10slow_hashRKNSt7__cxx1112basic_stringIcEE", "_Znwm",
		"_ZN12SessionStore5touchEv", "_ZN4core5thingEv",
		"_ZN3std4nameEv", "standard", "stdlib::x",
		"_ZN3app4core4main17h0123456789abcdefE",
		("_ZN43_$LT$a..P$u20$as$u20$core..fmt..Display$GT$3fmt17h"
		    "3b8bb11dd2392c29E"),
		("_ZN43_$LT$T$u20$as$u20$app..Named$GT$4name17h"
		    "3b8bb11dd2392c29E"),
		"_ZN1a5count17hb276029bb6022348E.llvm.1", "<a::P>::new",
		"<a::P as core::fmt::Display>::fmt", "<T as app::Named>::name",
		"<>", "<core>", "corelib::x", "<coreutils::P>::new",
		"_RNvNtCs1234_3app4core4main", "my::std::sort",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect(!library_name_is_standard(names[i]), "%s", names[i]);
}
