// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The JSON fields that the framework reads. {@link #of} looks up a field by the bytes of its name.
 */
enum Field {
  KIND("kind"),
  API_VERSION("apiVersion"),
  METADATA("metadata"),
  NAME("name"),
  NAMESPACE("namespace"),
  UID("uid"),
  RESOURCE_VERSION("resourceVersion"),
  GENERATION("generation"),
  DELETION_TIMESTAMP("deletionTimestamp"),
  DELETION_GRACE_PERIOD_SECONDS("deletionGracePeriodSeconds"),
  FINALIZERS("finalizers"),
  LABELS("labels"),
  OWNER_REFERENCES("ownerReferences"),
  MANAGED_FIELDS("managedFields"),
  CONTROLLER("controller"),
  MANAGER("manager"),
  OPERATION("operation"),
  SUBRESOURCE("subresource"),
  TIME("time"),
  FIELDS_V1("fieldsV1"),
  /** Any other name. */
  OTHER("");

  /** A hash table of the fields. The table is large enough to make collisions rare. */
  private static final @Nullable Field[] PLACES = new @Nullable Field[64];

  static {
    for (Field field : values()) {
      int place = place(field.name, 0, field.name.length);
      while (PLACES[place] != null) {
        place = (place + 1) % PLACES.length;
      }
      PLACES[place] = field;
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // the array is never exposed
  private final byte[] name;

  Field(String name) {
    this.name = name.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the field whose name consists of the given bytes, or {@link #OTHER}. */
  static Field of(byte[] bytes, int from, int to) {
    int place = place(bytes, from, to);
    Field found = PLACES[place];
    while (found != null) {
      if (Arrays.equals(found.name, 0, found.name.length, bytes, from, to)) {
        return found;
      }
      place = (place + 1) % PLACES.length;
      found = PLACES[place];
    }
    return OTHER;
  }

  private static int place(byte[] bytes, int from, int to) {
    int length = to - from;
    return length == 0 ? 0 : (length * 5 + bytes[from] * 3 + bytes[to - 1]) & (PLACES.length - 1);
  }
}
