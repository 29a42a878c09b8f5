// SPDX-License-Identifier: Apache-2.0
/**
 * Webhooks: admission, defaults and conversion, on a server in the program itself.
 *
 * <p>{@link dev.windlass.webhook.Webhooks} declares a program's webhooks and registers them with
 * its manager.
 */
@NullMarked
package dev.windlass.webhook;

import org.jspecify.annotations.NullMarked;
