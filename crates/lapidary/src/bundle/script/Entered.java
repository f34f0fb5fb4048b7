import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/**
 * Runs a program and watches a method. If the method is named with its descriptor, this prints
 * "entered METHOD" and stops as soon as the program enters it. If it is named as *Cls.method, every
 * call is printed with its arguments. The property entered.options has the options of the program's
 * virtual machine.
 *
 * <pre>java Entered.java CLASSPATH pkg/Cls.method:(I)V MAIN-CLASS ARGS...</pre>
 */
public class Entered {
    public static void main(String[] arguments) throws Exception {
        String wanted = arguments[1];
        int colon = wanted.lastIndexOf(":(");
        boolean printsAll = colon < 0;
        int dot = wanted.lastIndexOf('.', printsAll ? wanted.length() : colon);
        String owner = wanted.substring(0, dot).replace('/', '.');
        String name = wanted.substring(dot + 1, printsAll ? wanted.length() : colon);
        String descriptor = printsAll ? "" : wanted.substring(colon + 1);

        StringBuilder main = new StringBuilder(arguments[2]);
        for (int at = 3; at < arguments.length; at++) {
            main.append(" \"").append(arguments[at].replace("\"", "\\\"")).append('"');
        }
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> options = connector.defaultArguments();
        options.get("main").setValue(main.toString());
        options.get("options").setValue(System.getProperty("entered.options", "") + " -cp \"" + arguments[0] + "\"");
        VirtualMachine machine = connector.launch(options);
        pass(machine.process().getInputStream(), System.err);
        pass(machine.process().getErrorStream(), System.err);
        pass(System.in, machine.process().getOutputStream());

        ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter(owner);
        prepared.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        prepared.enable();
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent) {
                        watch(machine, ((ClassPrepareEvent) event).referenceType());
                    } else if (event instanceof MethodEntryEvent) {
                        Method method = ((MethodEntryEvent) event).method();
                        if (printsAll && method.name().equals(name)) {
                            System.out.println(shown(((MethodEntryEvent) event).thread().frame(0).getArgumentValues(), method));
                        } else if (method.name().equals(name) && method.signature().equals(descriptor)) {
                            System.out.println("entered " + wanted);
                            System.out.flush();
                            machine.exit(0);
                            System.exit(0);
                        }
                    }
                }
                events.resume();
            }
        } catch (VMDisconnectedException ended) {
            if (!printsAll) {
                System.out.println("the program ended without entering " + wanted);
            }
        }
        System.exit(printsAll ? 0 : 1);
    }

    private static String shown(List<Value> values, Method method) {
        StringBuilder text = new StringBuilder(method.declaringType().name() + "." + method.name() + "(");
        for (int at = 0; at < values.size(); at++) {
            Value value = values.get(at);
            text.append(at == 0 ? "" : ", ");
            boolean isPlain = value == null || value instanceof PrimitiveValue || value instanceof StringReference;
            text.append(isPlain ? String.valueOf(value) : value.type().name());
        }
        return text.append(')').toString();
    }

    private static void watch(VirtualMachine machine, ReferenceType type) {
        MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
        entries.addClassFilter(type);
        entries.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        entries.enable();
    }

    /** Passes a stream on, in a thread of its own. */
    private static void pass(InputStream from, OutputStream to) {
        Thread thread = new Thread(() -> {
            try {
                byte[] buffer = new byte[1024];
                for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                    to.write(buffer, 0, length);
                    to.flush();
                }
                if (to != System.err) {
                    to.close();
                }
            } catch (IOException ended) {
                // One of the two programs has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
