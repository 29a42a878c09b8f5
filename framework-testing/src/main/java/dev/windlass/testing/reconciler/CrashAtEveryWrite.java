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
 * Runs a test method once without faults and records the operator's writes. Then runs the method
 * once more for each of these writes. In each such run, the test kit kills the operator's process
 * immediately after the server has stored the write, so the process does not receive the response.
 * A new process then starts and continues.
 *
 * <p>The method must create one {@link ReconcilerTest} and should end with {@link
 * ReconcilerTest#assertEventuallyStable()}. Each run must end with the same objects as the run
 * without faults; uids, resource versions, times and generated names may differ, and so may fields
 * that {@link ReconcilerTest#ignoring} names. A run must not create or delete an object more often
 * than the run without faults. The test stops after the first failed run, and the failure message
 * names the write.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface CrashAtEveryWrite {}
