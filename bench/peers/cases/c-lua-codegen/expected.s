luaH_realasize:
	cmpb	$0, 10(%rdi)
	movl	12(%rdi), %eax
	jns	.L
	leal	-1(%rax), %edx
	testl	%eax, %edx
	jne	.L
.L:
	ret
	.p2align 4,,10
	.p2align 3
.L:
	movl	%eax, %edx
	shrl	%edx
	orl	%edx, %eax
	movl	%eax, %edx
	shrl	$2, %edx
	orl	%eax, %edx
	movl	%edx, %eax
	shrl	$4, %eax
	orl	%edx, %eax
	movl	%eax, %edx
	shrl	$8, %edx
	orl	%eax, %edx
	movl	%edx, %eax
	shrl	$16, %eax
	orl	%edx, %eax
	addl	$1, %eax
	ret
	.size	luaH_realasize, .-luaH_realasize
