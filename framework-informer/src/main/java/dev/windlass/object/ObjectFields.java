// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the JSON of an object: the fields that the machine needs, and where in the bytes
 * that stands which is kept beside them.
 */
final class ObjectFields {

  private String name = "";
  private String namespace = "";
  long uidHigh;
  long uidLow;

  /** The uid, if it is no UUID. */
  @Nullable String uidText = "";

  long version = -1;

  /** The resourceVersion, if it is no plain decimal. */
  @Nullable String versionText = "";

  long generation;
  @Nullable String deletionTimestamp;
  Map<String, String> labels = Map.of();
  List<OwnerRef> owners = List.of();

  /** What is left of the metadata, and of the rest of the object, for the cache to keep. */
  final ByteRanges metadataKept = new ByteRanges();

  final ByteRanges othersKept = new ByteRanges();

  private final JsonCursor cursor;
  private final boolean keepManagedFields;
  private boolean hasMetadata;

  /**
   * Reads one object, which must be all that the bytes hold.
   *
   * @param keepManagedFields whether they are among what is kept
   * @throws MalformedObjectException if it is none
   */
  ObjectFields(byte[] buffer, int offset, int length, boolean keepManagedFields) {
    this.keepManagedFields = keepManagedFields;
    cursor = new JsonCursor(buffer, offset, length);
    readObject();
    cursor.expectEnd();
  }

  ObjectKey key() {
    if (name.isEmpty()) {
      throw new MalformedObjectException("an object without metadata.name");
    }
    try {
      return new ObjectKey(namespace, name);
    } catch (IllegalArgumentException e) {
      throw new MalformedObjectException("an object whose name or namespace contains a slash");
    }
  }

  /** Whether both are of one state of one object. */
  boolean isSameStateAs(ObjectFields other) {
    return name.equals(other.name)
        && namespace.equals(other.namespace)
        && uidHigh == other.uidHigh
        && uidLow == other.uidLow
        && Objects.equals(uidText, other.uidText)
        && version == other.version
        && Objects.equals(versionText, other.versionText);
  }

  private void readObject() {
    for (boolean more = cursor.enterObject(); more; more = cursor.nextField()) {
      int from = cursor.fieldStart();
      switch (cursor.field()) {
        case METADATA -> {
          othersKept.drop();
          if (hasMetadata || !cursor.isObject()) {
            throw new MalformedObjectException("an object with no or with more than one metadata");
          }
          hasMetadata = true;
          readMetadata();
        }
        case KIND, API_VERSION -> {
          othersKept.drop(); // the type that was asked for says it
          cursor.skipValue();
        }
        default -> {
          cursor.skipValue();
          othersKept.keep(from, cursor.position());
        }
      }
    }
  }

  private void readMetadata() {
    for (boolean more = cursor.enterObject(); more; more = cursor.nextField()) {
      int from = cursor.fieldStart();
      if (standsBeside(cursor.field())) {
        metadataKept.drop();
      } else {
        metadataKept.keep(from, cursor.position());
      }
    }
  }

  /** Reads a field, and says whether what it holds need not be kept in the bytes as well. */
  private boolean standsBeside(Field field) {
    switch (field) {
      case NAME -> name = cursor.text();
      case NAMESPACE -> namespace = cursor.text(StringPool.SHARED);
      case UID -> readUid();
      case RESOURCE_VERSION -> readVersion();
      case LABELS -> {
        return readLabels();
      }
      case MANAGED_FIELDS -> {
        boolean cut = cursor.isArray() && !keepManagedFields;
        cursor.skipValue();
        return cut;
      }
      case GENERATION -> {
        generation = cursor.number();
        return false;
      }
      case DELETION_TIMESTAMP -> {
        String text = cursor.text();
        deletionTimestamp = text.isEmpty() ? null : text;
        return false;
      }
      case OWNER_REFERENCES -> {
        readOwners();
        return false;
      }
      default -> {
        cursor.skipValue();
        return false;
      }
    }
    return true;
  }

  private void readVersion() {
    version = cursor.decimal();
    versionText = null;
    if (version < 0) {
      versionText = cursor.text();
      version = digits(versionText);
    }
  }

  /** The value of a number that is not in the usual form; -1 for what is none. */
  private static long digits(String text) {
    try {
      return text.matches("[0-9]+") ? Long.parseLong(text) : -1;
    } catch (NumberFormatException e) {
      return -1; // too large: opaque, and accepted in the order of arrival
    }
  }

  private void readUid() {
    if (cursor.isUuid()) {
      uidHigh = cursor.uuidHalf(true);
      uidLow = cursor.uuidHalf(false);
      uidText = null;
      cursor.skipValue();
    } else {
      uidText = cursor.text();
    }
  }

  private boolean readLabels() {
    if (!cursor.isObject()) {
      cursor.skipValue();
      return false;
    }
    String[] flat = new String[8];
    int count = 0;
    for (boolean more = cursor.enterObject(); more; more = cursor.nextField()) {
      if (count == flat.length) {
        flat = Arrays.copyOf(flat, count * 2);
      }
      flat[count++] = cursor.name(StringPool.SHARED);
      flat[count++] = cursor.text(StringPool.SHARED);
    }
    labels = LabelMap.of(flat, count);
    return true;
  }

  private void readOwners() {
    if (!cursor.isArray()) {
      cursor.skipValue();
      return;
    }
    List<OwnerRef> found = new ArrayList<>(1);
    for (boolean more = cursor.enterArray(); more; more = cursor.nextElement()) {
      if (cursor.isObject()) {
        found.add(readOwner());
      } else {
        cursor.skipValue();
      }
    }
    owners = List.copyOf(found);
  }

  private OwnerRef readOwner() {
    String apiVersion = "";
    String kind = "";
    String ownerName = "";
    String uid = "";
    boolean controller = false;
    for (boolean more = cursor.enterObject(); more; more = cursor.nextField()) {
      switch (cursor.field()) {
        case API_VERSION -> apiVersion = cursor.text(StringPool.SHARED);
        case KIND -> kind = cursor.text(StringPool.SHARED);
        case NAME -> ownerName = cursor.text(StringPool.SHARED);
        case UID -> uid = cursor.text(StringPool.SHARED);
        case CONTROLLER -> controller = cursor.text().equals("true");
        default -> cursor.skipValue();
      }
    }
    return new OwnerRef(apiVersion, kind, ownerName, uid, controller);
  }
}
