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
 * run for an event, the test kit drops that event and all later events of the same watch. When all
 * other work has been done, all watches break, and the server no longer has the history from which
 * they could resume. The controller then lists all objects and receives only their current state,
 * as after a long network failure.
 *
 * <p>The method must create one {@link ReconcilerTest}. For how the runs are compared, see {@link
 * CrashAtEveryWrite}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultRuns.class)
public @interface DropEvents {}
