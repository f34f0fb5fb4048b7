import org.jsoup.Jsoup;

/** A library of 1,500 methods that are entered once or many times. */
public class Parses {
    public static void main(String[] args) {
        StringBuilder page = new StringBuilder("<html><body>");
        for (int i = 0; i < 2000; i++) page.append("<p class=c").append(i % 7).append(">text <b>bold</b> <a href=/x>link</a></p>");
        int found = 0;
        for (int i = 0; i < 30; i++) found += Jsoup.parse(page.toString()).select("p.c3 > a").size();
        System.out.println(found);
    }
}
