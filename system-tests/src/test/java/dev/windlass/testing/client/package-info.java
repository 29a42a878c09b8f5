// SPDX-License-Identifier: Apache-2.0
/** What the client promises, held to on several servers and transports. */
@NullMarked
package dev.windlass.testing.client;

import org.jspecify.annotations.NullMarked;
