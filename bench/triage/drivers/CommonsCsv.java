// expects: sound
// jars: commons-csv
import org.apache.commons.csv.*;

public class CommonsCsv {
    public static void main(String[] args) throws Exception {
        for (CSVRecord row : CSVFormat.DEFAULT.parse(new java.io.StringReader("a,b\n\"c,c\",d\n"))) {
            System.out.println(row.get(0) + "|" + row.get(1));
        }
    }
}
