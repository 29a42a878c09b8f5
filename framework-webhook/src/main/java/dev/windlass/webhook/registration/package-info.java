// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the objects that make the API server call the webhooks, derived from the declarations.
 *
 * <p>The package receives the declared {@link dev.windlass.webhook.registration.AdmissionWebhook}s
 * and {@link dev.windlass.webhook.registration.ConversionWebhook}s, and the {@link
 * dev.windlass.webhook.registration.WebhookTarget} at which the API server reaches them. It
 * provides the webhook configurations, the conversion of CRDs, the Service and the permissions.
 * These do not depend on the cluster, so a program can print them without one. Next, read {@code
 * dev.windlass.webhook.certificates}, which maintains the CA bundles in these objects.
 */
@NullMarked
package dev.windlass.webhook.registration;

import org.jspecify.annotations.NullMarked;
