// SPDX-License-Identifier: Apache-2.0
/** Requests of the client: what is sent, what a refusal looks like, and each HTTP transport. */
@NullMarked
package dev.windlass.tests.requests;

import org.jspecify.annotations.NullMarked;
