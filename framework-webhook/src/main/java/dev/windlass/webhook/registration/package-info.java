// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: derives the objects that register the webhooks with the API server from the
 * declarations.
 *
 * <p>The package receives the declared {@link dev.windlass.webhook.registration.AdmissionWebhook}s
 * and {@link dev.windlass.webhook.registration.ConversionWebhook}s, and the {@link
 * dev.windlass.webhook.registration.WebhookTarget} at which the API server calls them. It provides
 * the webhook configurations, the conversion of CRDs, the Service and the permissions. A program
 * can print these objects without access to a cluster, because they depend only on the
 * declarations. Next, read {@code dev.windlass.webhook.certificates}, which maintains the CA
 * bundles in these objects.
 */
@NullMarked
package dev.windlass.webhook.registration;

import org.jspecify.annotations.NullMarked;
