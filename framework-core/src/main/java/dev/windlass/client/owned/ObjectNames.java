// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Objects;

/** Formats the names of objects for messages. */
final class ObjectNames {

  private ObjectNames() {}

  /** Returns the kind and key of an object, such as {@code Deployment shop/web}. */
  static String of(HasMetadata object) {
    return object.getKind() + " " + key(object);
  }

  /**
   * Returns an object's key. If the object has a {@code generateName} but no name yet, the key
   * contains the {@code generateName}, followed by {@code *}.
   */
  static ObjectKey key(HasMetadata object) {
    var metadata = object.getMetadata();
    if (metadata == null || metadata.getName() != null || metadata.getGenerateName() == null) {
      return ObjectKey.of(object);
    }
    return ObjectKey.of(namespace(object), metadata.getGenerateName() + "*");
  }

  /** Returns an object's namespace, or an empty string if it has none. */
  static String namespace(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
  }

  /** Returns the kind, name and uid of an owner, such as {@code Foo example (uid 1-2-3)}. */
  static String of(OwnerReference owner) {
    return OneLine.of("%s %s (uid %s)".formatted(owner.getKind(), owner.getName(), owner.getUid()));
  }
}
