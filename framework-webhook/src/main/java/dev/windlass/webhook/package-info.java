// SPDX-License-Identifier: Apache-2.0
/**
 * Webhooks: admission, defaults and conversion, on a server of the program itself.
 *
 * <p>{@link dev.windlass.webhook.Webhooks} declares the webhooks of a program and registers them
 * with its manager.
 */
@NullMarked
package dev.windlass.webhook;

import org.jspecify.annotations.NullMarked;
