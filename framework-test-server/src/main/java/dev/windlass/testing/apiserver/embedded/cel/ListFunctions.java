// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** The list functions that Kubernetes adds to CEL's standard functions. */
final class ListFunctions {
  private static final TypeParamType ELEMENT = TypeParamType.create("T");
  private static final ListType LIST = ListType.create(ELEMENT);
  private static final Comparator<Object> ORDER = ListFunctions::compare;

  private ListFunctions() {}

  static CelLibrary library() {
    CelLibrary library =
        new CelLibrary()
            .method("isSorted", SimpleType.BOOL, List.of(LIST), args -> isSorted((List<?>) args[0]))
            .method("min", ELEMENT, List.of(LIST), args -> extreme("min", args[0], ORDER))
            .method(
                "max", ELEMENT, List.of(LIST), args -> extreme("max", args[0], ORDER.reversed()))
            .method(
                "indexOf",
                SimpleType.INT,
                List.of(LIST, ELEMENT),
                args -> (long) ((List<?>) args[0]).indexOf(args[1]))
            .method(
                "lastIndexOf",
                SimpleType.INT,
                List.of(LIST, ELEMENT),
                args -> (long) ((List<?>) args[0]).lastIndexOf(args[1]));
    sum(library, SimpleType.INT, list -> sumOf(list, 0L, (a, b) -> Math.addExact(a, b)));
    sum(library, SimpleType.DOUBLE, list -> sumOf(list, 0.0, Double::sum));
    sum(library, SimpleType.DURATION, list -> sumOf(list, Duration.ZERO, Duration::plus));
    return library;
  }

  private static void sum(CelLibrary library, CelType type, Function<List<?>, Object> sum) {
    library.method(
        "sum", type, List.of(ListType.create(type)), args -> sum.apply((List<?>) args[0]));
  }

  @SuppressWarnings("unchecked") // the compiler of CEL has checked the types of the elements
  private static <T> T sumOf(List<?> list, T zero, BinaryOperator<T> add) {
    T sum = zero;
    for (Object element : list) {
      sum = add.apply(sum, (T) element);
    }
    return sum;
  }

  private static boolean isSorted(List<?> list) {
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object extreme(String name, Object list, Comparator<Object> order) {
    List<?> elements = (List<?>) list;
    if (elements.isEmpty()) {
      throw new IllegalArgumentException(name + " called on empty list");
    }
    return Collections.min(elements, order);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // elements of one list have the same type
  private static int compare(Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y && !a.getClass().equals(b.getClass())) {
      return Double.compare(x.doubleValue(), y.doubleValue());
    }
    return ((Comparable) a).compareTo(b);
  }
}
