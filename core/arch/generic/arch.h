/* Context: S.  For processors that libmon.so does not know: stops the build. */
#ifndef ARCH_H
#define ARCH_H

#error "libmon.so supports x86-64 and aarch64 only"

#endif
