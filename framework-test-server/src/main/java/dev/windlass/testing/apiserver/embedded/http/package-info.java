// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: parses HTTP requests and writes the responses. This package also contains the request
 * log and the faults that tests inject.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.http;

import org.jspecify.annotations.NullMarked;
