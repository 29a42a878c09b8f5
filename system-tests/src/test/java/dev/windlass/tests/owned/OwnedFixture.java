// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import dev.windlass.client.Client;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A namespace of its own on a server, the client under test, and one that changes things. */
final class OwnedFixture implements AutoCloseable {

  final String namespace = "owned-" + UUID.randomUUID().toString().substring(0, 8);
  final KubernetesClient kubectl;
  final Client client;
  final Widget owner;

  /** The methods of the client that {@link #recorded()} was asked for, but for reads. */
  final List<String> writes = new ArrayList<>();

  OwnedFixture(TestApiServer server) {
    kubectl = server.newClient();
    client = Manager.builder().client(kubectl).fieldOwner("owned-test").build().client();
    server.install(Widget.definition());
    kubectl.resource(Samples.namespace(namespace)).create();
    owner = client.create(Widget.of(namespace, "owner"));
  }

  ConfigMap configMap(String name) {
    return Samples.map(namespace, name);
  }

  ObjectKey key(String name) {
    return ObjectKey.of(namespace, name);
  }

  <T extends HasMetadata> T get(Class<T> type, String name) {
    return client.get(type, key(name)).orElseThrow();
  }

  /** Somebody else changes an object. */
  <T extends HasMetadata> void edit(Class<T> type, String name, Consumer<T> change) {
    kubectl
        .resources(type)
        .inNamespace(namespace)
        .withName(name)
        .edit(
            object -> {
              change.accept(object);
              return object;
            });
  }

  /** The client, whose writes are recorded. */
  Client recorded() {
    return around(
        (method, call) -> {
          if (!List.of("get", "uncached", "serialization").contains(method)) {
            writes.add(method);
          }
          return call.run();
        });
  }

  /** The client with a cache that has nothing yet. */
  Client behind() {
    return around((method, call) -> method.equals("get") ? Optional.empty() : call.run());
  }

  /** The client with a cache that goes on showing the objects of a type as they are now. */
  <T extends HasMetadata> Client behindIn(Class<T> type) {
    List<T> seen = client.list(type, namespace);
    return around((method, call) -> method.equals("list") ? seen : call.run());
  }

  /** The client, before each of whose patches something happens. */
  Client beforePatches(Runnable action) {
    return around(
        (method, call) -> {
          if (method.equals("patch")) {
            action.run();
          }
          return call.run();
        });
  }

  /** The client, before the first call of one of whose methods something happens. */
  Client before(String asked, Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    return around(
        (method, call) -> {
          if (method.equals(asked) && !done.getAndSet(true)) {
            action.run();
          }
          return call.run();
        });
  }

  private interface Call {
    Object run() throws Throwable;
  }

  private interface Around {
    Object run(String method, Call call) throws Throwable;
  }

  private Client around(Around around) {
    return (Client)
        Proxy.newProxyInstance(
            Client.class.getClassLoader(),
            new Class<?>[] {Client.class},
            (proxy, method, arguments) ->
                method.getName().equals("reading")
                    ? proxy
                    : around.run(
                        method.getName(),
                        () -> {
                          try {
                            return method.invoke(client, arguments);
                          } catch (InvocationTargetException e) {
                            throw e.getCause() == null ? e : e.getCause();
                          }
                        }));
  }

  @Override
  public void close() {
    kubectl.namespaces().withName(namespace).delete();
    kubectl.close();
  }
}
