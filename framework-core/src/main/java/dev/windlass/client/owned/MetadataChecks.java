// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Checks the metadata of objects that are to be created or changed. */
final class MetadataChecks {

  private MetadataChecks() {}

  static ObjectKey checkedKey(HasMetadata wanted) {
    String name = wanted.getMetadata() == null ? null : wanted.getMetadata().getName();
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException(
          "a "
              + wanted.getKind()
              + " to create or update needs a name, and this one has none. Derive it from the"
              + " owner's: with generateName, a stale cache leads to duplicates");
    }
    return ObjectKey.of(wanted);
  }
}
