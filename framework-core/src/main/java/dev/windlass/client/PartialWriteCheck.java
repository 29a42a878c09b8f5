// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.PartialObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Rejects writes that would delete fields because the caller has not read them. */
final class PartialWriteCheck {

  private PartialWriteCheck() {}

  /**
   * Rejects an update if the given object is incomplete. For an update of the status, only the
   * status must be complete.
   *
   * @param subresource the subresource to update; empty for the object itself
   */
  static void requireWhole(HasMetadata object, String subresource) {
    boolean lacks =
        subresource.equals("status")
            ? PartialObjects.isInStatus(object)
            : PartialObjects.is(object);
    if (lacks) {
      throw refusal(
          object, subresource.isEmpty() ? "update" : "update of " + subresource, subresource);
    }
  }

  /**
   * Rejects a patch if one of the two objects that determine it is complete and the other is
   * incomplete. Such a patch would include the fields that the incomplete object lacks.
   */
  static void requireSameView(HasMetadata object, ObjectPatch patch) {
    patch
        .before()
        .filter(before -> PartialObjects.is(before) != PartialObjects.is(object))
        .ifPresent(
            before -> {
              throw new IllegalArgumentException(
                  ("%s and the state that it is compared with were read in different forms, so the"
                          + " patch would delete the fields that one of them lacks: read both with"
                          + " the same client")
                      .formatted(name(object)));
            });
  }

  private static IllegalArgumentException refusal(
      HasMetadata object, String write, String subresource) {
    String client =
        subresource.isEmpty() ? "client" : "client.subresource(\"" + subresource + "\")";
    return new IllegalArgumentException(
        ("%s was read from a cache with a transform or Projection.METADATA, so this %s would"
                + " delete the fields that it lacks: send a patch (%s.patch with"
                + " ObjectPatch.mergeFrom), apply the desired state, or read the object with"
                + " client.uncached().get first")
            .formatted(name(object), write, client));
  }

  private static String name(HasMetadata object) {
    return object.getKind() + " " + ObjectKey.of(object);
  }
}
