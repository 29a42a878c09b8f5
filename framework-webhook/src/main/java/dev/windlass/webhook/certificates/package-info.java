// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: provides a certificate for the webhook server, and makes the API server trust it.
 *
 * <p>The package reads the certificate from a Secret that it maintains, or from a directory that
 * cert-manager maintains. It passes the certificate to the server as {@link
 * dev.windlass.tls.ServerKeys}, and writes the CA bundle into the objects of a {@link
 * dev.windlass.webhook.registration.WebhookRegistration}. Every API server with a recent bundle
 * accepts the certificates that all replicas serve at that time, even during a renewal. A
 * controller on each replica runs this package. Start with {@link
 * dev.windlass.webhook.certificates.CertificateReconciler}, then read {@link
 * dev.windlass.webhook.certificates.CertificateRenewal}.
 */
@NullMarked
package dev.windlass.webhook.certificates;

import org.jspecify.annotations.NullMarked;
