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
 * Then runs the method once more for each of these events. In each such run, the test kit drops the
 * event and all later events of the same watch. When the operator has no more work, the test kit
 * compacts the server's history and disconnects all watches. The controller then has to list all
 * objects and receives only their current state, as after a long network failure.
 *
 * <p>The method must create one {@link ReconcilerTest}. {@link CrashAtEveryWrite} describes how the
 * runs are compared.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface DropEvents {}
