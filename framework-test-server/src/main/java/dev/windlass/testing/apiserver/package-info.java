// SPDX-License-Identifier: Apache-2.0
/**
 * API servers for testing controllers: an embedded server in this process, the real server, and
 * fabric8's mock server.
 *
 * <p>All three implement {@link dev.windlass.testing.apiserver.TestApiServer}, so the same test
 * class can run on each of them. The test can query the server's {@link
 * dev.windlass.testing.apiserver.ServerCapabilities}, and expect a different result if the server
 * lacks a feature.
 */
@NullMarked
package dev.windlass.testing.apiserver;

import org.jspecify.annotations.NullMarked;
