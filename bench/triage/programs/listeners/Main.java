// expects: sound
package listeners;

import java.beans.*;

public class Main {
    public static void main(String[] args) {
        PropertyChangeSupport support = new PropertyChangeSupport(new Object());
        support.addPropertyChangeListener(new Logger());
        support.firePropertyChange("size", 1, 2);
    }

    static class Logger implements PropertyChangeListener {
        @Override public void propertyChange(PropertyChangeEvent event) { System.out.println(event.getNewValue()); }
    }
}
