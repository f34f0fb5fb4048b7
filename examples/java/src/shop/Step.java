package shop;

import java.util.function.Function;

/** One step from what was read to what is printed. */
public interface Step<A, B> {
    B run(A input);

    static <A, B, C> Function<A, C> both(Function<? super A, ? extends B> first, Function<? super B, ? extends C> second) {
        return input -> second.apply(first.apply(input));
    }

    default <C> Step<A, C> then(Step<B, C> next) {
        return input -> next.run(run(input));
    }
}
