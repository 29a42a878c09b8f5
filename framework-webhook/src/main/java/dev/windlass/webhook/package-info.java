// SPDX-License-Identifier: Apache-2.0
/**
 * Webhooks for admission, defaults and conversion, on an HTTPS server that is part of the program.
 *
 * <p>{@link dev.windlass.webhook.Webhooks} declares a program's webhooks and registers them with
 * its manager.
 */
@NullMarked
package dev.windlass.webhook;

import org.jspecify.annotations.NullMarked;
