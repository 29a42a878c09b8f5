// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.ManualScheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A factory on virtual time, with a server in memory for each type and scope. */
final class Servers {

  /** The scopes that were connected to, one entry for each informer that was made. */
  final List<String> connections = Collections.synchronizedList(new ArrayList<>());

  final ManualScheduler time = new ManualScheduler();
  final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

  final SharedInformerFactory factory =
      new SharedInformerFactory(
          this::connect,
          WatchScope.ALL,
          InformerOptions.defaults().withScheduler(time).withThreads(this::thread));

  private final Map<String, FakeListerWatcher> servers = new ConcurrentHashMap<>();

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task);
    threads.add(thread);
    return thread;
  }

  private FakeListerWatcher connect(ResourceType type, WatchScope scope) {
    String connection = type.plural() + " in " + scope;
    connections.add(connection);
    return server(connection);
  }

  private FakeListerWatcher server(String connection) {
    return servers.computeIfAbsent(connection, c -> new FakeListerWatcher());
  }

  /** The ConfigMaps of a namespace. */
  FakeListerWatcher in(String namespace) {
    return server("configmaps in namespace " + namespace);
  }

  void put(String namespace, String name) {
    in(namespace).put(json(namespace, name));
  }

  void delete(String namespace, String name) {
    in(namespace).delete(ObjectKey.of(namespace, name));
  }

  static String json(String namespace, String name) {
    return "{\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\",\"labels\":{\"name\":\"%s\"}}}"
        .formatted(namespace, name, name);
  }

  void assertNothingOpen() {
    servers.values().forEach(FakeListerWatcher::assertNothingOpen);
  }
}
