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
 * is lost. When nothing else can happen, the watch breaks, and the server no longer has the history
 * from which it could continue. The controller then lists all objects and sees only their present
 * state, as after a long failure of the network.
 *
 * <p>The method must create one {@link ReconcilerTest}. For the comparison of the runs, see {@link
 * CrashAtEveryWrite}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface DropEvents {}
