/*
 * Context: S.  aarch64: code without unwind tables that is known by its bytes:
 * none.  CPython's trampoline keeps a frame pointer here, by which its caller
 * is found.  unwind_known.c asks.  x86_64/known_code.h declares the same.
 */
#ifndef KNOWN_CODE_H
#define KNOWN_CODE_H

#include <stdbool.h>
#include <stdint.h>

#define KNOWN_CODE_TRAMPOLINE_BYTES	4u
#define KNOWN_CODE_TRAMPOLINE_CALLED	0u

static inline bool
known_code_is_trampoline(const unsigned char *p)
{
	(void)p;
	return false;
}

static inline int
known_code_trampoline_slot(unsigned offset)
{
	(void)offset;
	return -1;
}

#define KNOWN_CODE_GO_BYTES	4u
#define KNOWN_CODE_GO_G		0u
#define KNOWN_CODE_GO_TOP	0u
#define KNOWN_CODE_GO_DEPTH	0u

static inline bool
known_code_is_go_switch(const unsigned char *p)
{
	(void)p;
	return false;
}

struct known_code_go_system {
	int32_t tls, g_to_m, m_to_g, sp, fp;
};

#define KNOWN_CODE_GO_SYSTEM_BYTES	4u

static inline bool
known_code_is_go_system(const unsigned char *p, struct known_code_go_system *go)
{
	(void)p;
	(void)go;
	return false;
}

#endif
