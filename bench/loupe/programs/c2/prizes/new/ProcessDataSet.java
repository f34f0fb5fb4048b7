package prizes;

import java.util.List;

/** What is to be done with the students that a query finds. */
public interface ProcessDataSet {
    void process(List<Student> students);
}
