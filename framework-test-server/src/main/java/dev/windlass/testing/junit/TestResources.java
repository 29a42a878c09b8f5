// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The objects to inject into one test. This class is not thread-safe. */
final class TestResources implements AutoCloseable {

  /**
   * The serialiser that all clients share. A new instance would have to inspect the model classes
   * again.
   */
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private final TestApiServer server;
  private final String namespace;
  private final List<TestResource> providers =
      ServiceLoader.load(TestResource.class).stream().map(ServiceLoader.Provider::get).toList();
  private final Map<Class<?>, Object> created = new HashMap<>();
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

  private TestResources(
      TestApiServer server, String namespace, Class<? extends CustomResource<?, ?>>[] types) {
    this.server = server;
    this.namespace = namespace;
    for (Class<? extends CustomResource<?, ?>> type : types) {
      server.install(type);
    }
  }

  static TestResources embedded(EmbeddedKubernetes settings, ExtensionContext test) {
    LeakedThreads threads = LeakedThreads.before(test);
    EmbeddedApiServer server = EmbeddedApiServer.start();
    TestResources resources = new TestResources(server, "default", settings.install());
    if (settings.leakCheck()) {
      resources.toClose.push(threads::assertNone);
    }
    resources.toClose.push(server);
    if (settings.leakCheck()) {
      resources.toClose.push(() -> assertNoWatches(server, threads));
    }
    return resources;
  }

  private static void assertNoWatches(EmbeddedApiServer server, LeakedThreads threads) {
    List<String> left = threads.remaining(server::probeWatches);
    if (!left.isEmpty()) {
      throw new AssertionError(
          "the test left %d watch%s open; close each client, manager and informer that it creates:\n  %s"
              .formatted(left.size(), left.size() == 1 ? "" : "es", String.join("\n  ", left)));
    }
  }

  /** Creates the resources of a test, with a new namespace on the shared server. */
  static TestResources real(RealKubernetes settings, ExtensionContext test) {
    RealApiServerExtension shared =
        settings.controllerManager()
            ? RealApiServerExtension.sharedWithControllerManager()
            : RealApiServerExtension.shared();
    shared.beforeEach(test);
    RealApiServer server = shared.server();
    String namespace = "test-" + UUID.randomUUID();
    TestResources resources = new TestResources(server, namespace, settings.install());
    KubernetesClient client = (KubernetesClient) resources.get(KubernetesClient.class);
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    resources.toClose.push(() -> client.namespaces().withName(namespace).delete());
    return resources;
  }

  boolean supports(Class<?> type) {
    return type == KubernetesClient.class
        || type == Config.class
        || type == TestApiServer.class
        || type == server.getClass()
        || provider(type).isPresent();
  }

  private Optional<TestResource> provider(Class<?> type) {
    return providers.stream().filter(provider -> provider.type() == type).findFirst();
  }

  /** Returns the object to inject for a supported type. Creates it when it is first requested. */
  Object get(Class<?> type) {
    if (type == TestApiServer.class || type == server.getClass()) {
      return server;
    }
    Object known = created.get(type);
    if (known != null) {
      return known;
    }
    Object object = create(type);
    created.put(type, object);
    if (object instanceof AutoCloseable closeable) {
      toClose.push(closeable);
    }
    return object;
  }

  private Object create(Class<?> type) {
    Config config = server.clientConfig();
    config.setNamespace(namespace);
    if (type == Config.class) {
      return config;
    }
    if (type == KubernetesClient.class) {
      return new KubernetesClientBuilder()
          .withConfig(config)
          .withKubernetesSerialization(SERIALIZATION)
          .build();
    }
    return provider(type).orElseThrow().create(server, config);
  }

  /** Closes all objects in the reverse of the order in which they were created. */
  @Override
  public void close() {
    List<Throwable> failures = new ArrayList<>();
    while (!toClose.isEmpty()) {
      try {
        toClose.pop().close();
      } catch (Exception | AssertionError e) { // the others must be closed as well
        failures.add(e);
      }
    }
    if (failures.stream().allMatch(AssertionError.class::isInstance) && !failures.isEmpty()) {
      throw new AssertionError(
          failures.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")));
    }
    if (!failures.isEmpty()) {
      IllegalStateException failure =
          new IllegalStateException("failed to close what was injected", failures.get(0));
      failures.stream().skip(1).forEach(failure::addSuppressed);
      throw failure;
    }
  }
}
