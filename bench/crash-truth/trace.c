/* Runs a program instruction by instruction and writes down where its own code went.
 *
 *     trace OUT START LOW HIGH STEPS PROGRAM [ARGUMENT...]
 *
 * The program is linked without -pie. START is where to begin, LOW and HIGH delimit its code, all in hexadecimal. Libraries run
 * at full speed while the program's own pages cannot be executed, so every way back into them is noticed: a return, a callback,
 * an exception. The run is left after STEPS of the program's own instructions. OUT is a list of pairs of 32-bit numbers in the
 * machine's byte order:
 *
 *     0 PC       an instruction between LOW and HIGH is next
 *     1 ADDRESS  a call has been made that will return to ADDRESS, which is between LOW and HIGH
 *     2 0        the innermost of these calls has ended, by a return or by an exception
 *     3 SIGNAL   the program is about to die of SIGNAL; 256 + its code if it has exited; 0 if it was left
 */

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CALLS (1 << 20)
#define SYSCALL_INSTRUCTION 0x050fL

static FILE *out;
static uint64_t call_frames[MAX_CALLS];
static size_t calls;

static void die(const char *what)
{
    perror(what);
    exit(2);
}

static void put(uint32_t tag, uint32_t value)
{
    uint32_t pair[2] = {tag, value};
    fwrite(pair, sizeof pair, 1, out);
}

static void start(char **command)
{
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(command[0], command);
    die(command[0]);
}

static uint32_t end_of(int status)
{
    if (WIFEXITED(status))
        return 256 + WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    return WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
}

/* Runs at full speed to an address. Returns 0 there, and else how the program ended. */
static uint32_t run_to(pid_t child, uint64_t address)
{
    int status;
    struct user_regs_struct registers;
    errno = 0;
    long code = ptrace(PTRACE_PEEKTEXT, child, address, 0);
    if (errno != 0)
        die("PTRACE_PEEKTEXT");
    ptrace(PTRACE_POKETEXT, child, address, (code & ~0xffL) | 0xcc);
    ptrace(PTRACE_CONT, child, 0, 0);
    waitpid(child, &status, 0);
    uint32_t end = end_of(status);
    if (end != 0)
        return end;
    ptrace(PTRACE_POKETEXT, child, address, code);
    ptrace(PTRACE_GETREGS, child, 0, &registers);
    registers.rip = address;
    ptrace(PTRACE_SETREGS, child, 0, &registers);
    return 0;
}

/* Has the program make a system call that gives its own code a protection. LOADER is code that is no longer needed. */
static void protect(pid_t child, uint64_t loader, uint64_t low, uint64_t high, int protection)
{
    int status;
    struct user_regs_struct before, registers;
    ptrace(PTRACE_GETREGS, child, 0, &before);
    before.orig_rax = -1;
    registers = before;
    registers.rip = loader;
    registers.rax = SYS_mprotect;
    registers.rdi = low;
    registers.rsi = high - low;
    registers.rdx = protection;
    ptrace(PTRACE_SETREGS, child, 0, &registers);
    ptrace(PTRACE_SINGLESTEP, child, 0, 0);
    waitpid(child, &status, 0);
    ptrace(PTRACE_GETREGS, child, 0, &registers);
    if (!WIFSTOPPED(status) || registers.rax != 0) {
        fprintf(stderr, "trace: the program's code cannot be protected\n");
        exit(2);
    }
    ptrace(PTRACE_SETREGS, child, 0, &before);
}

/* Runs at full speed until the program's own code is next. Returns 0 there, and else how the program ended. */
static uint32_t run_libraries(pid_t child, uint64_t loader, uint64_t low, uint64_t high)
{
    int status;
    siginfo_t reason;
    protect(child, loader, low, high, PROT_READ);
    ptrace(PTRACE_CONT, child, 0, 0);
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSEGV)
        return end_of(status);
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, child, 0, &registers);
    ptrace(PTRACE_GETSIGINFO, child, 0, &reason);
    int is_own = registers.rip >= low && registers.rip < high;
    if (!is_own || (uint64_t)reason.si_addr != registers.rip)
        return SIGSEGV;
    protect(child, loader, low, high, PROT_READ | PROT_EXEC);
    return 0;
}

/* Notes a call that was made by the last instruction, and calls that have ended. */
static void follow_calls(pid_t child, const struct user_regs_struct *before, const struct user_regs_struct *now, int is_own)
{
    if (now->rsp == before->rsp - 8) {
        uint64_t back = ptrace(PTRACE_PEEKDATA, child, now->rsp, 0);
        if (back > before->rip && back <= before->rip + 8 && calls < MAX_CALLS) {
            call_frames[calls++] = now->rsp;
            put(1, back);
        }
    }
    while (is_own && calls > 0 && call_frames[calls - 1] < now->rsp) {
        calls--;
        put(2, 0);
    }
}

static uint32_t follow(pid_t child, uint64_t loader, uint64_t low, uint64_t high, long steps)
{
    struct user_regs_struct registers, before = {0};
    while (steps-- > 0) {
        int status;
        uint32_t end;
        if (ptrace(PTRACE_GETREGS, child, 0, &registers) != 0)
            die("PTRACE_GETREGS");
        int is_own = registers.rip >= low && registers.rip < high;
        follow_calls(child, &before, &registers, is_own);
        if (is_own) {
            put(0, registers.rip);
            before = registers;
            ptrace(PTRACE_SINGLESTEP, child, 0, 0);
            waitpid(child, &status, 0);
            end = end_of(status);
        } else {
            before = (struct user_regs_struct){0};
            end = run_libraries(child, loader, low, high);
        }
        if (end != 0)
            return end;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fprintf(stderr, "usage: trace OUT START LOW HIGH STEPS PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    uint64_t start_address = strtoull(argv[2], 0, 16), low = strtoull(argv[3], 0, 16), high = strtoull(argv[4], 0, 16);
    out = fopen(argv[1], "wb");
    if (!out)
        die(argv[1]);
    pid_t child = fork();
    if (child == 0)
        start(argv + 6);
    int status;
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL);
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, child, 0, &registers);
    uint64_t loader = registers.rip;
    if (run_to(child, start_address) != 0) {
        fprintf(stderr, "trace: the program does not come to its start\n");
        return 2;
    }
    ptrace(PTRACE_POKETEXT, child, loader, SYSCALL_INSTRUCTION);
    put(3, follow(child, loader, low, high, atol(argv[5])));
    fclose(out);
    kill(child, SIGKILL);
    return 0;
}
