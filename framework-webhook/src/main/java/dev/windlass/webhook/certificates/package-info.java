// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: maintains a certificate for the webhook server, and makes the API server trust it.
 *
 * <p>The package reads the Secret with the certificates, or a directory that cert-manager fills. It
 * provides the {@link dev.windlass.tls.ServerKeys} of the server, and writes the CA bundles into
 * the objects of {@link dev.windlass.webhook.registration.WebhookRegistration}. At each moment,
 * each API server that trusts any recent bundle accepts the certificate that each replica serves. A
 * controller on every replica runs this package. Start with {@link
 * dev.windlass.webhook.certificates.CertificateReconciler}, then read {@link
 * dev.windlass.webhook.certificates.CertificateRenewal}.
 */
@NullMarked
package dev.windlass.webhook.certificates;

import org.jspecify.annotations.NullMarked;
