// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import java.time.Duration;

/**
 * A path that the API server calls.
 *
 * @param path the path, such as {@code /validate-example-com-v1-tenant}
 * @param handler the handler that responds to the requests
 * @param timeout the time limit for one response; the {@code timeout} in a request can be shorter
 * @param maxConcurrentCalls the maximum number of requests that are handled at the same time
 */
public record WebhookPath(
    String path, RequestHandler handler, Duration timeout, int maxConcurrentCalls) {}
