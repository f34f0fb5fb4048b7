// expects: feature (proxy)
package proxy;

import java.lang.reflect.*;

public class Main {
    interface Service { String serve(); }

    static class Handler implements InvocationHandler {
        @Override public Object invoke(Object proxy, Method method, Object[] arguments) { return "served"; }
    }

    public static void main(String[] args) {
        Service service = (Service) Proxy.newProxyInstance(
            Main.class.getClassLoader(), new Class<?>[] { Service.class }, new Handler());
        System.out.println(service.serve());
    }
}
