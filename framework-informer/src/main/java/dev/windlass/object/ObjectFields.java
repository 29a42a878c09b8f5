// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
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

  private static final byte[] KIND = ascii("kind");
  private static final byte[] API_VERSION = ascii("apiVersion");
  private static final byte[] METADATA = ascii("metadata");
  private static final byte[] NAME = ascii("name");
  private static final byte[] NAMESPACE = ascii("namespace");
  private static final byte[] UID = ascii("uid");
  private static final byte[] RESOURCE_VERSION = ascii("resourceVersion");
  private static final byte[] GENERATION = ascii("generation");
  private static final byte[] DELETION_TIMESTAMP = ascii("deletionTimestamp");
  private static final byte[] LABELS = ascii("labels");
  private static final byte[] OWNER_REFERENCES = ascii("ownerReferences");
  private static final byte[] MANAGED_FIELDS = ascii("managedFields");
  private static final byte[] CONTROLLER = ascii("controller");

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

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
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
      if (cursor.nameIs(METADATA)) {
        othersKept.drop();
        if (hasMetadata || !cursor.isObject()) {
          throw new MalformedObjectException("an object with no or with more than one metadata");
        }
        hasMetadata = true;
        readMetadata();
      } else if (cursor.nameIs(KIND) || cursor.nameIs(API_VERSION)) {
        othersKept.drop(); // the type that was asked for says it
        cursor.skipValue();
      } else {
        cursor.skipValue();
        othersKept.keep(from, cursor.position());
      }
    }
  }

  private void readMetadata() {
    for (boolean more = cursor.enterObject(); more; more = cursor.nextField()) {
      int from = cursor.fieldStart();
      if (readIdentity()) {
        metadataKept.drop();
      } else {
        readOther();
        metadataKept.keep(from, cursor.position());
      }
    }
  }

  /** Reads a field that stands in a place of its own, if this is one. */
  private boolean readIdentity() {
    if (cursor.nameIs(NAME)) {
      name = cursor.text();
    } else if (cursor.nameIs(NAMESPACE)) {
      namespace = cursor.text(StringPool.SHARED);
    } else if (cursor.nameIs(UID)) {
      readUid();
    } else if (cursor.nameIs(RESOURCE_VERSION)) {
      readVersion();
    } else if (cursor.nameIs(LABELS) && cursor.isObject()) {
      readLabels();
    } else if (cursor.nameIs(MANAGED_FIELDS) && cursor.isArray() && !keepManagedFields) {
      cursor.skipValue();
    } else {
      return false;
    }
    return true;
  }

  /** Reads a field that the machine looks at, but that is also kept as it is. */
  private void readOther() {
    if (cursor.nameIs(GENERATION)) {
      generation = cursor.number();
    } else if (cursor.nameIs(DELETION_TIMESTAMP)) {
      String text = cursor.text();
      deletionTimestamp = text.isEmpty() ? null : text;
    } else if (cursor.nameIs(OWNER_REFERENCES) && cursor.isArray()) {
      readOwners();
    } else {
      cursor.skipValue();
    }
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

  private void readLabels() {
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
  }

  private void readOwners() {
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
      if (cursor.nameIs(API_VERSION)) {
        apiVersion = cursor.text(StringPool.SHARED);
      } else if (cursor.nameIs(KIND)) {
        kind = cursor.text(StringPool.SHARED);
      } else if (cursor.nameIs(NAME)) {
        ownerName = cursor.text(StringPool.SHARED);
      } else if (cursor.nameIs(UID)) {
        uid = cursor.text(StringPool.SHARED);
      } else if (cursor.nameIs(CONTROLLER)) {
        controller = cursor.text().equals("true");
      } else {
        cursor.skipValue();
      }
    }
    return new OwnerRef(apiVersion, kind, ownerName, uid, controller);
  }
}
