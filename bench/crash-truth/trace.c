/* Runs a program instruction by instruction and writes down where its own code went.
 *
 *     trace OUT START LOW HIGH over|through PROGRAM [ARGUMENT...]
 *
 * The program is linked without -pie. START is where to begin, LOW and HIGH delimit its code, all in hexadecimal. `over` lets
 * the functions of libraries run to their ends at full speed, which is right if none of them calls back or throws. The run is
 * left after MAX_STEPS instructions, or MAX_AWAY in a row that are not the program's own. OUT is a list of pairs of 32-bit numbers in the machine's byte order:
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
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CALLS (1 << 20)
#define MAX_STEPS 3000000
#define MAX_AWAY 200000

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

static uint32_t follow(pid_t child, uint64_t low, uint64_t high, int is_over)
{
    struct user_regs_struct registers, before = {0};
    int away = 0;
    for (int steps = 0; steps < MAX_STEPS && away < MAX_AWAY; steps++) {
        int status;
        uint32_t end;
        if (ptrace(PTRACE_GETREGS, child, 0, &registers) != 0)
            die("PTRACE_GETREGS");
        int was_own = before.rip >= low && before.rip < high;
        int is_own = registers.rip >= low && registers.rip < high;
        away = is_own ? 0 : away + 1;
        if (was_own && registers.rsp == before.rsp - 8) {
            uint64_t back = ptrace(PTRACE_PEEKDATA, child, registers.rsp, 0);
            if (back > before.rip && back <= before.rip + 8 && calls < MAX_CALLS) {
                call_frames[calls++] = registers.rsp;
                put(1, back);
            }
        }
        while (is_own && calls > 0 && call_frames[calls - 1] < registers.rsp) {
            calls--;
            put(2, 0);
        }
        if (is_own)
            put(0, registers.rip);
        before = registers;
        if (is_over && was_own && !is_own) {
            uint64_t back = ptrace(PTRACE_PEEKDATA, child, registers.rsp, 0);
            if (back >= low && back < high) {
                if ((end = run_to(child, back)) != 0)
                    return end;
                continue;
            }
        }
        ptrace(PTRACE_SINGLESTEP, child, 0, 0);
        waitpid(child, &status, 0);
        if ((end = end_of(status)) != 0)
            return end;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fprintf(stderr, "usage: trace OUT START LOW HIGH over|through PROGRAM [ARGUMENT...]\n");
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
    if (run_to(child, start_address) != 0) {
        fprintf(stderr, "trace: the program does not come to its start\n");
        return 2;
    }
    put(3, follow(child, low, high, strcmp(argv[5], "over") == 0));
    fclose(out);
    kill(child, SIGKILL);
    return 0;
}
