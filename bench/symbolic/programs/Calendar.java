/** Dates by hand, with an error on the last day of leap years. */
public class Calendar {
    static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    static int daysIn(int year, int month) {
        if (month < 1 || month > 12) {
            throw new IllegalArgumentException("month " + month);
        }
        return month == 2 && isLeap(year) ? 29 : DAYS[month - 1];
    }

    static int dayOfYear(int year, int month, int day) {
        if (day < 1 || day > daysIn(year, month)) {
            throw new IllegalArgumentException("day " + day);
        }
        int result = day;
        for (int before = 1; before < month; before++) {
            result += daysIn(year, before);
        }
        return result;
    }

    /** The quarter by the day of the year: the day 366 falls off the table. */
    static int quarter(int year, int month, int day) {
        if (year < 1990 || year > 2030) {
            throw new IllegalArgumentException("year " + year);
        }
        int[] starts = {1, 91, 182, 274, 366};
        int at = dayOfYear(year, month, day);
        int quarter = 0;
        while (starts[quarter] <= at) {
            quarter++;
        }
        return quarter;
    }
}
