// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

/** Failures for lambdas that do nothing but fail. */
public final class Failures {

  private Failures() {}

  /** Throws it, whether or not the caller may; returns never. */
  public static <T> T raise(Throwable failure) {
    return Failures.<T, RuntimeException>sneak(failure);
  }

  @SuppressWarnings("unchecked") // the point of it
  private static <T, E extends Throwable> T sneak(Throwable failure) throws E {
    throw (E) failure;
  }
}
