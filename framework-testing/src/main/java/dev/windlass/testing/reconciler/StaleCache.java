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
 * Runs a test method once without faults and records the watch events that the operator receives.
 * Then runs the method once more for each of these events. In each such run, the test kit holds
 * back the event and all later events of the same watch. It delivers them after the next reconcile,
 * or earlier if the operator has no other work. The order of events from different watches is also
 * undefined in a real cluster. A reconciler can therefore read the new state of one type together
 * with the old state of another type.
 *
 * <p>The method must create one {@link ReconcilerTest}. {@link CrashAtEveryWrite} describes how the
 * runs are compared.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface StaleCache {}
