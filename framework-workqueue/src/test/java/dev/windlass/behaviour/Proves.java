// SPDX-License-Identifier: Apache-2.0
package dev.windlass.behaviour;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of a test which behaviours it holds true: it has an assertion that fails when one of them is
 * broken. {@code docs/behaviours.tsv} lists what there is, and {@code BehaviourCoverageTest}
 * compares both. It is read from the sources, and so leaves no trace in a class file.
 */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.METHOD)
public @interface Proves {

  /** The behaviours, as {@code 003-31}, or acceptance runs, as {@code R8}. */
  String[] value();
}
