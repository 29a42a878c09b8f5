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
 * Runs a test method once without faults, and then once for each write by the operator in that run.
 * In the run for a write, the test kit kills the process after the server has stored that write and
 * before the process receives the response. Another process then starts and continues.
 *
 * <p>The method must create one {@link ReconcilerTest} and should end with {@link
 * ReconcilerTest#assertEventuallyStable()}. Each run must end with the same objects as the run
 * without faults, except for uids, versions, times and generated names, and must not create or
 * delete an object more often than that run. The test stops after the first run that fails, and the
 * failure message contains the write.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface CrashAtEveryWrite {}
