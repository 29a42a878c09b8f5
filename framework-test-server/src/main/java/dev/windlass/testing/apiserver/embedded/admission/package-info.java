// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: admission webhooks, which change or deny writes before they are stored. {@code
 * AdmissionWebhooks} follows the configurations in the store, and provides a {@code Review} for
 * each write. The review runs on the request's thread, without the store's lock.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.admission;

import org.jspecify.annotations.NullMarked;
