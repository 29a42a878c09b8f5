// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import java.time.Duration;

/**
 * A path that the API server calls.
 *
 * @param path the path, such as {@code /validate-example-com-v1-tenant}
 * @param handler answers the requests
 * @param timeout how long one answer can take; the request's own {@code timeout} can be shorter
 * @param maxConcurrentCalls how many requests are handled at the same time
 */
public record WebhookPath(
    String path, RequestHandler handler, Duration timeout, int maxConcurrentCalls) {}
