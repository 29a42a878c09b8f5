// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON of an object in one pass. Extracts the fields that the framework needs, and
 * records the positions of the other bytes to keep.
 */
final class ObjectFields {

  String kind = "";
  String name = "";
  private String namespace = "";
  long uidHigh;
  long uidLow;

  /** The uid, if it is not a UUID. */
  @Nullable String uidText = "";

  long version = -1;

  /** The resourceVersion, if it is not a plain decimal. */
  @Nullable String versionText = "";

  long generation;
  @Nullable String deletionTimestamp;
  long gracePeriodSeconds;
  boolean finalized;
  Map<String, String> labels = Map.of();
  List<OwnerRef> owners = List.of();

  /**
   * The managedFields entries that result from apply requests and create requests; null if there
   * are none.
   */
  @Nullable AppliedEntries applied;

  /**
   * The fields of the metadata that the cache keeps as bytes. {@code othersKept} contains the
   * fields outside the metadata.
   */
  final ByteRanges metadataKept = new ByteRanges();

  final ByteRanges othersKept = new ByteRanges();

  private final byte[] buffer;
  private final JsonCursor cursor;
  private final boolean keepManagedFields;
  private boolean hasMetadata;

  /**
   * Whether a part of the object is nested too deeply to be decoded. This part is never among the
   * metadata that is kept.
   */
  boolean tooDeep;

  /**
   * Reads the JSON of one object. The given bytes must not contain anything else.
   *
   * @param keepManagedFields whether the managedFields are among the bytes to keep
   * @throws MalformedObjectException if the bytes are not the JSON of an object
   */
  ObjectFields(byte[] buffer, int offset, int length, boolean keepManagedFields) {
    this.buffer = buffer;
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

  /**
   * Returns whether this instance and the given one were read from the same version of the same
   * object.
   */
  boolean isSameStateAs(ObjectFields other) {
    return name.equals(other.name)
        && namespace.equals(other.namespace)
        && uidHigh == other.uidHigh
        && uidLow == other.uidLow
        && Objects.equals(uidText, other.uidText)
        && version == other.version
        && Objects.equals(versionText, other.versionText);
  }

  // Each loop skips every value at a single call site and examines it afterwards. The compiler
  // copies the code that skips values to each call site, which costs more than examining twice.

  private void readObject() {
    cursor.enterObject();
    while (cursor.nextField()) {
      int from = cursor.fieldStart();
      Field field = cursor.field();
      if (field == Field.METADATA) {
        othersKept.drop();
        if (hasMetadata || !cursor.isObject()) {
          throw new MalformedObjectException("an object without metadata, or with more than one");
        }
        hasMetadata = true;
        readMetadata();
        continue;
      }
      int value = cursor.valueStart();
      cursor.skipValue();
      tooDeep |= cursor.wasDeep();
      kind = field == Field.KIND ? cursor.text(value, StringPool.SHARED) : kind;
      if (field == Field.KIND || field == Field.API_VERSION) {
        othersKept.drop(); // known from the requested type
      } else {
        othersKept.keep(from, cursor.position());
      }
    }
  }

  private void readMetadata() {
    cursor.enterObject();
    while (cursor.nextField()) {
      int from = cursor.fieldStart();
      Field field = cursor.field();
      int value = cursor.valueStart();
      if (field == Field.MANAGED_FIELDS && cursor.startsWith('[', value)) {
        applied = AppliedEntries.read(cursor, buffer);
      } else {
        cursor.skipValue();
      }
      if (cursor.wasDeep()) {
        // managedFields are as deep as the content that they describe
        if (field != Field.MANAGED_FIELDS) {
          throw new MalformedObjectException("an object whose metadata is nested too deep");
        }
        tooDeep |= keepManagedFields;
        metadataKept.drop();
      } else if (field != Field.OTHER && standsBeside(field, value)) {
        metadataKept.drop();
      } else {
        metadataKept.keep(from, cursor.position());
      }
    }
  }

  /**
   * Reads the value of a metadata field. Returns true if the bytes of the field can be omitted,
   * either because this instance stores the value or because the field is dropped.
   */
  private boolean standsBeside(Field field, int value) {
    switch (field) {
      case NAME -> name = cursor.text(value, null);
      case NAMESPACE -> namespace = cursor.text(value, StringPool.SHARED);
      case UID -> readUid(value);
      case RESOURCE_VERSION -> readVersion(value);
      case DELETION_TIMESTAMP -> {
        String time = cursor.text(value, null);
        deletionTimestamp = time.isEmpty() ? null : time;
        return false;
      }
      case LABELS -> {
        return readLabels(value);
      }
      case FINALIZERS -> {
        finalized = hasElement(value);
        return false;
      }
      case DELETION_GRACE_PERIOD_SECONDS -> {
        gracePeriodSeconds = cursor.number(value);
        return false;
      }
      case MANAGED_FIELDS -> {
        return cursor.startsWith('[', value) && !keepManagedFields;
      }
      case GENERATION -> {
        generation = cursor.number(value);
        return false;
      }
      case OWNER_REFERENCES -> {
        readOwners(value);
        return false;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void readVersion(int value) {
    version = cursor.decimal(value);
    versionText = null;
    if (version < 0) {
      versionText = cursor.text(value, null);
      version = digits(versionText);
    }
  }

  /**
   * Parses a resourceVersion that {@link JsonCursor#decimal} does not accept. Returns -1 if the
   * string is not a number or the number is too large for a long.
   */
  private static long digits(String text) {
    try {
      return text.matches("[0-9]+") ? Long.parseLong(text) : -1;
    } catch (NumberFormatException e) {
      return -1; // too large, so the version is opaque and accepted in order of arrival
    }
  }

  private void readUid(int value) {
    if (cursor.readUuid(value)) {
      uidHigh = cursor.uuidHigh();
      uidLow = cursor.uuidLow();
      uidText = null;
    } else {
      uidText = cursor.text(value, null);
    }
  }

  private boolean hasElement(int value) {
    if (!cursor.startsWith('[', value)) {
      return false;
    }
    int end = cursor.position();
    cursor.backTo(value);
    cursor.enterArray();
    boolean found = cursor.nextElement();
    cursor.backTo(end);
    return found;
  }

  private boolean readLabels(int value) {
    if (!cursor.startsWith('{', value)) {
      return false;
    }
    int to = cursor.position();
    Map<String, String> known = LabelMap.known(buffer, value, to);
    if (known != null) {
      labels = known;
    } else {
      labels = parseLabels(value);
      LabelMap.remember(buffer, value, to, labels);
    }
    return true;
  }

  private Map<String, String> parseLabels(int value) {
    String[] flat = new String[8];
    int count = 0;
    cursor.backTo(value);
    cursor.enterObject();
    while (cursor.nextField()) {
      if (count == flat.length) {
        flat = Arrays.copyOf(flat, count * 2);
      }
      flat[count++] = cursor.name(StringPool.SHARED);
      int label = cursor.valueStart();
      cursor.skipValue();
      flat[count++] = cursor.text(label, StringPool.SHARED);
    }
    return LabelMap.of(flat, count);
  }

  private void readOwners(int value) {
    if (!cursor.startsWith('[', value)) {
      return;
    }
    List<OwnerRef> found = new ArrayList<>(1);
    cursor.backTo(value);
    cursor.enterArray();
    while (cursor.nextElement()) {
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
    cursor.enterObject();
    while (cursor.nextField()) {
      Field field = cursor.field();
      int value = cursor.valueStart();
      cursor.skipValue();
      String text = field == Field.OTHER ? "" : cursor.text(value, StringPool.SHARED);
      switch (field) {
        case API_VERSION -> apiVersion = text;
        case KIND -> kind = text;
        case NAME -> ownerName = text;
        case UID -> uid = text;
        case CONTROLLER -> controller = text.equals("true");
        default -> {}
      }
    }
    return new OwnerRef(apiVersion, kind, ownerName, uid, controller);
  }
}
