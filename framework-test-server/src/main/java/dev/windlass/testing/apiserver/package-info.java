// SPDX-License-Identifier: Apache-2.0
/**
 * API servers for testing controllers: an embedded one in this process, the real one, and fabric8's
 * mock server.
 *
 * <p>All three implement {@link dev.windlass.testing.apiserver.TestApiServer}, so one test class
 * runs on each of them. If a server lacks a feature, its {@link
 * dev.windlass.testing.apiserver.ServerCapabilities} report that, and the test expects a different
 * result.
 */
@NullMarked
package dev.windlass.testing.apiserver;

import org.jspecify.annotations.NullMarked;
