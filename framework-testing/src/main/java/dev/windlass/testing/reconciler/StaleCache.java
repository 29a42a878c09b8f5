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
 * Runs a test method once without faults, and then once for each watch event in that run. In the
 * run for an event, that event and all later events of the same watch arrive only after another
 * reconcile, or when all other work has been done. In a real cluster, the order of events from
 * different watches is also undefined, so a reconciler can read the new state of one type together
 * with the old state of another.
 *
 * <p>The method must create one {@link ReconcilerTest}. For how the runs are compared, see {@link
 * CrashAtEveryWrite}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface StaleCache {}
