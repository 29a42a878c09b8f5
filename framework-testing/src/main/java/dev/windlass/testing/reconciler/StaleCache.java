// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test method once without faults, and then once for each watch event in that run: the event
 * and its successors of the same watch arrive only after another reconcile, or when nothing else
 * can happen. Watches of different types are not ordered in a real cluster either, so a reconciler
 * can see the new state of one type beside the old state of another.
 *
 * <p>The method must create one {@link ReconcilerTest}. For the comparison of the runs, see {@link
 * CrashAtEveryWrite}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface StaleCache {}
