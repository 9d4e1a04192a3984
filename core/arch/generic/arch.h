/* Context: S.  A processor we do not know: the build says so and stops. */
#ifndef ARCH_H
#define ARCH_H

#error "libmon.so knows x86-64 and aarch64; configure with --disable-target"

#endif
