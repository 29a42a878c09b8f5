// SPDX-License-Identifier: Apache-2.0

/**
 * Provides an embedded Kubernetes API server, a launcher for a real API server, and simulated
 * network faults for tests.
 */
module dev.windlass.testserver {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires com.fasterxml.jackson.annotation;
  requires com.fasterxml.jackson.databind;
  requires java.logging;
  requires java.net.http;
  requires jdk.httpserver;
  requires transitive kubernetes.client.api;
  requires kubernetes.model.common;
  requires transitive kubernetes.model.core;
  requires kubernetes.model.admissionregistration;
  requires transitive kubernetes.model.apiextensions;
  requires kubernetes.model.apps;
  requires kubernetes.model.autoscaling;
  requires kubernetes.model.batch;
  requires kubernetes.model.certificates;
  requires kubernetes.model.coordination;
  requires kubernetes.model.discovery;
  requires kubernetes.model.events;
  requires kubernetes.model.flowcontrol;
  requires kubernetes.model.networking;
  requires kubernetes.model.node;
  requires kubernetes.model.policy;
  requires kubernetes.model.rbac;
  requires kubernetes.model.resource;
  requires kubernetes.model.scheduling;
  requires kubernetes.model.storageclass;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires org.bouncycastle.util;
  requires static transitive org.junit.jupiter.api;
  requires org.slf4j;
  requires org.snakeyaml.engine;

  exports dev.windlass.testing.apiserver;
  exports dev.windlass.testing.apiserver.embedded;
  exports dev.windlass.testing.apiserver.embedded.requests;
  exports dev.windlass.testing.apiserver.embedded.services;
  exports dev.windlass.testing.apiserver.embedded.time;
  exports dev.windlass.testing.apiserver.real;
  exports dev.windlass.testing.fault;
  exports dev.windlass.testing.junit;
  exports dev.windlass.testing.aot;

  uses dev.windlass.testing.junit.TestResource;
}
