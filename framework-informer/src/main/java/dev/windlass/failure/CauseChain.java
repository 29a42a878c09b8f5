// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Searches an exception and its causes. Libraries wrap the exceptions of other libraries in
 * different ways, so the relevant exception is often nested several levels deep.
 */
public final class CauseChain {

  /**
   * The maximum number of exceptions to examine: 20. A limit is necessary because a chain of causes
   * can contain a cycle.
   */
  private static final int MAX_LENGTH = 20;

  private CauseChain() {}

  /** Returns the failure and its causes, starting with the failure itself. */
  public static Stream<Throwable> of(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MAX_LENGTH);
  }

  /** Returns the outermost exception of the given type in the chain, or empty if there is none. */
  public static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    return of(failure).filter(type::isInstance).map(type::cast).findFirst();
  }

  /** Returns whether the failure or one of its causes is an instance of the given type. */
  public static boolean contains(Throwable failure, Class<? extends Throwable> type) {
    return of(failure).anyMatch(type::isInstance);
  }
}
