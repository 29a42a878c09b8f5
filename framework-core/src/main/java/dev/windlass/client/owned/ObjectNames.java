// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;

/** Names objects in messages. */
final class ObjectNames {

  private ObjectNames() {}

  /** {@code Deployment shop/web}. */
  static String of(HasMetadata object) {
    return object.getKind() + " " + ObjectKey.of(object);
  }

  /** {@code Foo example (uid 1-2-3)}. */
  static String of(OwnerReference owner) {
    return OneLine.of("%s %s (uid %s)".formatted(owner.getKind(), owner.getName(), owner.getUid()));
  }
}
