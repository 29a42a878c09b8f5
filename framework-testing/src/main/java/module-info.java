// SPDX-License-Identifier: Apache-2.0

/**
 * Provides virtual time, fakes and a mock server for tests. A module that requires this module can
 * also use the test servers of framework-test-server.
 */
module dev.windlass.testing {
  requires com.fasterxml.jackson.databind;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires transitive dev.windlass.core;
  requires transitive dev.windlass.testserver;
  requires static transitive dev.windlass.webhook;
  requires java.logging;
  requires kubernetes.server.mock;
  requires micrometer.commons;
  requires mockwebserver;
  requires transitive org.junit.jupiter.api;
  requires org.slf4j;

  exports dev.windlass.testing.apiserver.mock;
  exports dev.windlass.testing.client;
  exports dev.windlass.testing.contract;
  exports dev.windlass.testing.rbac;
  exports dev.windlass.testing.reconciler;
  exports dev.windlass.testing.simulation;
  exports dev.windlass.testing.webhook;

  provides dev.windlass.testing.junit.TestResource with
      dev.windlass.testing.client.ManagerResource;
}
