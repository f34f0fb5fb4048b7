import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A machine with a stack, variables, jumps and calls, that runs a program of bytes. */
public class StackMachine {
    enum Operation { STOP, PUSH, ADD, SUBTRACT, MULTIPLY, DIVIDE, STORE, LOAD, JUMP, JUMP_IF_ZERO, CALL, RETURN, DUPLICATE, SWAP, PRINT }

    private static final int MOST_STEPS = 12;

    private final byte[] code;
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final Deque<Integer> calls = new ArrayDeque<>();
    private final Map<Integer, Integer> variables = new HashMap<>();
    private final StringBuilder printed = new StringBuilder();
    private int at;

    StackMachine(byte[] code) {
        this.code = code;
    }

    static String run(byte[] code) {
        if (code == null) {
            return "";
        }
        return new StackMachine(code).run();
    }

    private String run() {
        for (int step = 0; step < MOST_STEPS; step++) {
            if (at >= code.length) {
                return printed.toString();
            }
            int number = code[at++];
            if (number < 0 || number >= Operation.values().length) {
                throw new IllegalStateException("no such operation");
            }
            if (!execute(Operation.values()[number])) {
                return printed.toString();
            }
        }
        return printed + "...";
    }

    private boolean execute(Operation operation) {
        switch (operation) {
            case STOP:
                return false;
            case PUSH:
                stack.push((int) operand());
                break;
            case ADD:
                stack.push(pop() + pop());
                break;
            case SUBTRACT: {
                int right = pop();
                stack.push(pop() - right);
                break;
            }
            case MULTIPLY:
                stack.push(pop() * pop());
                break;
            case DIVIDE: {
                int right = pop();
                stack.push(pop() / right);
                break;
            }
            case STORE:
                variables.put((int) operand(), pop());
                break;
            case LOAD:
                stack.push(variables.get((int) operand()));
                break;
            case JUMP:
                jump(operand());
                break;
            case JUMP_IF_ZERO: {
                byte target = operand();
                if (pop() == 0) {
                    jump(target);
                }
                break;
            }
            case CALL:
                calls.push(at + 1);
                jump(operand());
                break;
            case RETURN:
                if (calls.isEmpty()) {
                    return false;
                }
                at = calls.pop();
                break;
            case DUPLICATE:
                stack.push(stack.peek());
                break;
            case SWAP: {
                int upper = pop();
                int lower = pop();
                stack.push(upper);
                stack.push(lower);
                break;
            }
            case PRINT:
                printed.append(pop()).append(' ');
                break;
        }
        return true;
    }

    private byte operand() {
        return code[at++];
    }

    private void jump(int target) {
        if (target < 0) {
            throw new IllegalStateException("a jump to " + target);
        }
        at = target;
    }

    private int pop() {
        if (stack.isEmpty()) {
            throw new IllegalStateException("the stack is empty");
        }
        return stack.pop();
    }
}
