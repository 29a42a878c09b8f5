// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;

/** Formats the names of objects for messages. */
final class ObjectNames {

  private ObjectNames() {}

  /** Returns the kind and key of an object, such as {@code Deployment shop/web}. */
  static String of(HasMetadata object) {
    return object.getKind() + " " + ObjectKey.of(object);
  }

  /** Returns the kind, name and uid of an owner, such as {@code Foo example (uid 1-2-3)}. */
  static String of(OwnerReference owner) {
    return OneLine.of("%s %s (uid %s)".formatted(owner.getKind(), owner.getName(), owner.getUid()));
  }
}
