// SPDX-License-Identifier: Apache-2.0

/** Webhooks for admission, defaults and conversion, with their server and their certificates. */
@SuppressWarnings("module") // dev.windlass.testing is compiled after this module
module dev.windlass.webhook {
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires transitive dev.windlass.core;
  requires kubernetes.client;
  requires kubernetes.model.admissionregistration;
  requires kubernetes.model.apiextensions;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires org.eclipse.jetty.alpn.server;
  requires org.eclipse.jetty.http2.common;
  requires org.eclipse.jetty.http2.server;
  requires org.eclipse.jetty.io;
  requires org.eclipse.jetty.server;
  requires org.slf4j;

  provides dev.windlass.httpserver.CertificateIssuer with
      dev.windlass.webhook.certificates.SelfSigned;

  exports dev.windlass.webhook;
  exports dev.windlass.webhook.admission;
  exports dev.windlass.webhook.conversion;
  exports dev.windlass.webhook.migration;

  // For our own modules only.
  exports dev.windlass.webhook.conversion.review to
      dev.windlass.testing;
  exports dev.windlass.webhook.server to
      dev.windlass.testing;
}
