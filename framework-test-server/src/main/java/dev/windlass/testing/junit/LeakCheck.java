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
 * Fails each test of a class that leaves Windlass threads behind, for example because it did not
 * close a manager or an informer. The message names each thread and what it is doing. {@link
 * EmbeddedKubernetes} includes this check.
 *
 * <p>Threads have 2 s to end, or the number of milliseconds that the JUnit configuration parameter
 * {@code windlass.leakcheck.grace} specifies. The extension skips the check if it cannot determine
 * which test started a thread: if Windlass threads existed before the test, if tests run
 * concurrently, or if one instance of the class runs all tests ({@code Lifecycle.PER_CLASS}).
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LeakCheckExtension.class)
public @interface LeakCheck {}
