// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import java.util.Comparator;

/**
 * The key of an object within its resource. Lists return objects in the natural order of their
 * keys.
 *
 * @param namespace the namespace; empty for cluster-scoped objects
 * @param name the name
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }
}
