// SPDX-License-Identifier: Apache-2.0

/**
 * Provides controllers, the manager that runs them, a client, and features for operating a program
 * in production.
 */
@SuppressWarnings("module") // dev.windlass.webhook is compiled after this module
module dev.windlass.core {
  requires static com.google.errorprone.annotations;
  requires static micrometer.registry.prometheus;
  requires static transitive org.jspecify;
  requires com.fasterxml.jackson.annotation;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.yaml;
  requires com.fasterxml.jackson.datatype.jsr310;
  requires transitive dev.windlass.informer;
  requires java.management;
  requires java.net.http;
  requires jdk.httpserver;
  requires jdk.management;
  requires jdk.unsupported;
  requires kubernetes.client;
  requires kubernetes.model.admissionregistration;
  requires transitive kubernetes.model.apiextensions;
  requires kubernetes.model.coordination;
  requires kubernetes.model.events;
  requires kubernetes.model.rbac;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires org.slf4j;
  requires org.snakeyaml.engine;

  uses dev.windlass.httpserver.CertificateIssuer;

  exports dev.windlass.client;
  exports dev.windlass.client.owned;
  exports dev.windlass.controller;
  exports dev.windlass.controller.enqueue;
  exports dev.windlass.controller.reconcile;
  exports dev.windlass.diagnosis;
  exports dev.windlass.events;
  exports dev.windlass.events.broadcast;
  exports dev.windlass.health;
  exports dev.windlass.leader;
  exports dev.windlass.manager;
  exports dev.windlass.rbac;

  // For our own modules only.
  exports dev.windlass.httpserver to
      dev.windlass.cli,
      dev.windlass.webhook;
  exports dev.windlass.metrics to
      dev.windlass.webhook;
  exports dev.windlass.rest to
      dev.windlass.webhook;
}
