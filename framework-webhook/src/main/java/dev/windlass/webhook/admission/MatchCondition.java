// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

/**
 * A condition under which the API server calls a webhook.
 *
 * @param name the name, which must be unique in its webhook
 * @param expression the condition in CEL, such as {@code request.userInfo.username != "admin"}
 */
public record MatchCondition(String name, String expression) {}
