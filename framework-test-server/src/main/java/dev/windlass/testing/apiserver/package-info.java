// SPDX-License-Identifier: Apache-2.0
/**
 * API servers for testing controllers: an embedded server in this process, the real server, and
 * fabric8's mock server.
 *
 * <p>All three implement {@link dev.windlass.testing.apiserver.TestApiServer}, so the same test
 * class can run on each of them. If a server lacks a feature, its {@link
 * dev.windlass.testing.apiserver.ServerCapabilities} report this, and the test expects a different
 * result.
 */
@NullMarked
package dev.windlass.testing.apiserver;

import org.jspecify.annotations.NullMarked;
