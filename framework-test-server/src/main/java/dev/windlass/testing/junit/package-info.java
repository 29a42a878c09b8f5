// SPDX-License-Identifier: Apache-2.0
/**
 * JUnit 5 annotations that start an API server for a test, and inject the server and its clients:
 * {@link dev.windlass.testing.junit.EmbeddedKubernetes} and {@link
 * dev.windlass.testing.junit.RealKubernetes}.
 */
@NullMarked
package dev.windlass.testing.junit;

import org.jspecify.annotations.NullMarked;
