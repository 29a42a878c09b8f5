// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test if Windlass threads are still running after it, for example because the test did not
 * close a manager or an informer. The failure message contains the name, state and current method
 * of each of these threads. {@link EmbeddedKubernetes} includes this check.
 *
 * <p>The check waits up to 2 s for the threads to end. The JUnit configuration parameter {@code
 * windlass.leakcheck.grace} sets a different time, in milliseconds. The extension skips the check
 * if it cannot determine which test started a thread. This is the case if Windlass threads were
 * running before the test, if tests run concurrently, or if one instance of the class runs all
 * tests ({@code Lifecycle.PER_CLASS}).
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LeakCheckExtension.class)
public @interface LeakCheck {}
