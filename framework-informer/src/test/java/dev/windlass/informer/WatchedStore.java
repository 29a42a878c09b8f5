// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** A store that does something around each write, such as breaking it off. */
final class WatchedStore {

  private static final Set<String> WRITES = Set.of("put", "remove");

  /** What to do around writes; may throw. */
  interface Watcher {

    /** Nothing has been written yet. */
    void before(String name);

    /** The write is done. */
    default void after(String name) {}
  }

  private WatchedStore() {}

  @SuppressWarnings("unchecked") // a proxy has no type arguments
  static Store<ConfigMap> of(Store<ConfigMap> store, Watcher watcher) {
    return (Store<ConfigMap>)
        Proxy.newProxyInstance(
            WatchedStore.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              boolean write = WRITES.contains(method.getName());
              String name = write ? nameIn(arguments[0]) : "";
              if (write) {
                watcher.before(name);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                if (write) {
                  watcher.after(name);
                }
              }
            });
  }

  private static String nameIn(Object argument) {
    return argument instanceof ObjectKey key
        ? key.name()
        : ((CachedObject<?>) argument).key().name();
  }
}
