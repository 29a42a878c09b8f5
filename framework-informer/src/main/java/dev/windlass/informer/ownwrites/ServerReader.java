// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.ReadableObjects;

/**
 * Reads objects from the API server, for a reader of a cache that does not know their current state
 * for certain; see {@link Overlay#read}.
 *
 * @param <S> the class of the objects that the reader receives
 */
public interface ServerReader<S> {

  /** Reads one object. The result is empty if the object does not exist. */
  ReadableObjects<S> get(ObjectKey key);

  /** Reads the objects in a namespace, or in all namespaces if it is an empty string. */
  ReadableObjects<S> list(String namespace);

  /** Returns whether the read selects an object. */
  boolean selects(S object);

  /** Returns whether the read selects an object that cannot be decoded into its class. */
  boolean selects(ObjectKey unreadable);

  /** Reads those objects in a namespace that the read selects. */
  default ReadableObjects<S> listSelected(String namespace) {
    return selected(list(namespace));
  }

  /** Returns those of the given objects that the read selects. */
  default ReadableObjects<S> selected(ReadableObjects<S> found) {
    ReadableObjects<S> selected = ReadableObjects.none();
    found.objects().stream().filter(this::selects).forEach(selected.objects()::add);
    found
        .unreadable()
        .forEach(
            (key, failure) -> {
              if (selects(key)) {
                selected.unreadable().put(key, failure);
              }
            });
    return selected;
  }
}
