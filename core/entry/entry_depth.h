/*
 * Context: P.  Finds where the return address of a function lies behind its
 * first instructions: a call among them that is led to a stub counts the call
 * of the function, and has to find its caller.
 */
#ifndef ENTRY_DEPTH_H
#define ENTRY_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sets *depth to the bytes that the instructions in the `bytes` bytes at `code`
 * push: the return address lies so far above the stack pointer behind them.
 * Knows pushes of registers, a subtraction from the stack pointer, and moves
 * and arithmetic of other registers.  Returns false for all else.
 */
bool entry_depth_find(const uint8_t *code, size_t bytes, uint8_t *depth);

#endif
