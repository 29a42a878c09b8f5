// SPDX-License-Identifier: Apache-2.0

/**
 * Informers: the reflector, the delta FIFO, the indexed cache and the fan-out to handlers; and what
 * they stand on: objects, the HTTP transport, TLS and kubeconfig files.
 */
@SuppressWarnings("module") // dev.windlass.core is compiled after this module
module dev.windlass.informer {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires transitive com.fasterxml.jackson.annotation; // for the classes of custom resources
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires transitive dev.windlass.workqueue;
  requires java.net.http;
  requires transitive kubernetes.client.api;
  requires kubernetes.model.common;
  requires transitive kubernetes.model.core;
  requires org.slf4j;

  exports dev.windlass.failure;
  exports dev.windlass.informer;
  exports dev.windlass.informer.reflector;
  exports dev.windlass.informer.reflector.http;
  exports dev.windlass.informer.index;
  exports dev.windlass.informer.notify;
  exports dev.windlass.informer.ownwrites;
  exports dev.windlass.informer.testing;
  exports dev.windlass.json to
      dev.windlass.webhook;
  exports dev.windlass.kubeconfig to
      dev.windlass.core;
  exports dev.windlass.logging;
  exports dev.windlass.object;
  exports dev.windlass.object.patch to
      dev.windlass.core,
      dev.windlass.webhook;
  exports dev.windlass.object.selector;
  exports dev.windlass.tls to
      dev.windlass.core,
      dev.windlass.webhook;
  exports dev.windlass.transport to
      dev.windlass.core;
}
