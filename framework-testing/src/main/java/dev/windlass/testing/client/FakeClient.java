// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.testing.apiserver.OpenDefinition;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.InMemoryTransport;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Creates {@link Client}s for unit tests of a reconciler. Their objects are in memory, in an {@link
 * EmbeddedApiServer}, and every call is executed on the calling thread.
 *
 * <p>The clients have no caches: every read returns the latest version, every write is sent even if
 * it has no effect, and lists by an index are rejected. To test code that uses an index, use a
 * {@code ReconcilerTest} or a manager. Outside reconciles, the field owner is {@code fake}.
 */
public final class FakeClient {

  private static final CachedClient.Settings SETTINGS =
      CachedClient.Settings.DEFAULT.withFieldOwner("fake").withSkipNoOps(false);

  private FakeClient() {}

  /**
   * Creates a client for a new server that contains the given objects, as {@link
   * #of(EmbeddedApiServer, HasMetadata...)} does. The server does not collect garbage.
   */
  public static Client of(HasMetadata... objects) {
    return of(
        EmbeddedApiServer.builder().withoutThreads().garbageCollection(false).start(), objects);
  }

  /**
   * Creates a client for the given server, after adding objects to the server, including their
   * status. Their namespaces are created. If the server does not serve the type of an object, this
   * method installs a CRD that accepts any content. To use other types of custom resources, install
   * their CRDs.
   *
   * <p>The test can use {@link EmbeddedApiServer#requests() requests()}, {@link
   * EmbeddedApiServer#fail fail(...)} and {@link EmbeddedApiServer#beforeNext beforeNext(...)} of
   * the server. Its recorded requests are cleared.
   *
   * @param server the server, usually {@code EmbeddedApiServer.builder().withoutThreads().start()}
   * @throws dev.windlass.client.ApiException if an object violates the rules of its type
   */
  public static Client of(EmbeddedApiServer server, HasMetadata... objects) {
    KubernetesClient kubernetes =
        new KubernetesClientBuilder()
            .withConfig(InMemoryTransport.clientConfig())
            .withHttpClientFactory(server.inMemory())
            .withKubernetesSerialization(ObjectSerialization.standard())
            .build();
    Client client = new CachedClient(kubernetes, withoutCaches(), SETTINGS).uncached();
    Stream.of(objects).filter(Namespace.class::isInstance).forEach(client::create);
    for (HasMetadata object : objects) {
      if (!isServed(kubernetes, object)) {
        server.install(OpenDefinition.of(object.getClass()));
      }
      if (!(object instanceof Namespace)) {
        add(client, kubernetes, object);
      }
    }
    server.clearRequests();
    return client;
  }

  private static SharedInformerFactory withoutCaches() {
    return new SharedInformerFactory(
        (type, scope) -> {
          throw new UnsupportedOperationException("a FakeClient has no caches");
        },
        WatchScope.ALL,
        InformerOptions.defaults());
  }

  private static boolean isServed(KubernetesClient kubernetes, HasMetadata object) {
    var served = kubernetes.getApiResources(object.getApiVersion());
    return served != null
        && served.getResources().stream().anyMatch(type -> type.getKind().equals(object.getKind()));
  }

  private static void add(Client client, KubernetesClient kubernetes, HasMetadata object) {
    String namespace = object.getMetadata().getNamespace();
    if (namespace != null
        && !namespace.isEmpty()
        && client.get(Namespace.class, ObjectKey.of(namespace)).isEmpty()) {
      client.create(
          new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build());
    }
    HasMetadata created = client.create(object);
    var serialization = kubernetes.getKubernetesSerialization();
    Object status = serialization.convertValue(object, Map.class).get("status");
    if (status != null
        && !status.equals(serialization.convertValue(created, Map.class).get("status"))) {
      String patch = serialization.asJson(Map.of("status", status));
      client.status().patch(created, ObjectPatch.merge(patch));
    }
  }
}
