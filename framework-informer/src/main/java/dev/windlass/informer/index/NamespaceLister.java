// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.UndecodableException;
import dev.windlass.object.selector.Selector;
import java.util.List;
import java.util.Optional;

/**
 * Reads the typed objects in one namespace, with the guarantees of {@link Lister}. Instances do not
 * store objects and are cheap to create.
 *
 * @param <T> the Java class of the objects
 */
public final class NamespaceLister<T> {

  private final Lister<T> lister;
  private final String namespace;

  NamespaceLister(Lister<T> lister, String namespace) {
    this.lister = lister;
    this.namespace = namespace;
  }

  /**
   * Returns the object with the given name, or empty if there is none.
   *
   * @throws UndecodableException if the object cannot be decoded into its class
   */
  public Optional<T> get(String name) {
    return lister.get(ObjectKey.of(namespace, name));
  }

  /** Returns all objects in the namespace. The order is unspecified. */
  public List<T> list() {
    return lister.list(namespace);
  }

  /**
   * Returns the objects in the namespace whose labels match the given selector. The order is
   * unspecified.
   */
  public List<T> list(Selector labels) {
    return lister.list(namespace, labels);
  }
}
