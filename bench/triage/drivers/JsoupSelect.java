// expects: sound
// jars: jsoup
import org.jsoup.Jsoup;
import org.jsoup.nodes.*;

public class JsoupSelect {
    public static void main(String[] args) throws Exception {
        Document page = Jsoup.parse("<p class=x>one <b>two</b><p>three");
        for (Element element : page.select("p.x > b")) System.out.println(element.text());
    }
}
