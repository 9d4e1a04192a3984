/*
 * Context: O.  The seeds of the corpus of fuzz_entry: functions with a call, a
 * switch, a loop, a landing pad and words of data.
 *
 *	as -o seeds_entry.o seeds_entry.s
 *	ld -pie --no-dynamic-linker --eh-frame-hdr -z noseparate-code -s \
 *	    -o corpus/entry/pie seeds_entry.o
 *	ld --eh-frame-hdr -z noseparate-code -s -o corpus/entry/fixed \
 *	    seeds_entry.o
 */
	.text
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	call f
	cmp $3, %edi
	ja 1f
	lea table(%rip), %rax
	movslq (%rax,%rdi,4), %rdx
	add %rax, %rdx
	jmp *%rdx
1:	pop %rbx
	ret
2:	inc %eax
	jmp 1b
	.cfi_endproc
	.size _start, .-_start
	.p2align 4
	.type f, @function
f:	.cfi_startproc
	.cfi_personality 0x1b, _start
	.cfi_lsda 0x1b, pads
	xor %eax, %eax
3:	inc %eax
	cmp %edi, %eax
	jne 3b
	call g
4:	ret
	.cfi_endproc
g:	.cfi_startproc
	xor %eax, %eax
	ret
	.cfi_endproc
	.section .rodata
	.p2align 2
table:	.long 1b-table, 2b-table, 1b-table
	.section .gcc_except_table
pads:	.byte 0xff, 0xff, 1
	.uleb128 6f-5f
5:	.uleb128 3b-f
	.uleb128 4b-3b
	.uleb128 4b-f
	.uleb128 0
6:
	.data
	.p2align 3
	.quad f, 4b
