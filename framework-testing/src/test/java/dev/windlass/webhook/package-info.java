// SPDX-License-Identifier: Apache-2.0
/** Webhooks and storage migrations on the embedded and on the real API server. */
@NullMarked
package dev.windlass.webhook;

import org.jspecify.annotations.NullMarked;
