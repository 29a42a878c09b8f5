// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects partial objects. A partial object may lack fields that the object on the server has,
 * because it was read from a cache that has a {@link Transform} or keeps only metadata. If a
 * partial object replaced the object on the server, the missing fields would be deleted.
 *
 * <p>Each partial object has a marker entry in {@code metadata.managedFields}. Copies of the object
 * that are made with builders or through JSON also have this entry. The entry has no effect on
 * writes: an apply request never contains managedFields, a JSON merge patch contains only the
 * differences, and the server ignores an entry without fields.
 */
public final class PartialObjects {

  private static final String MARK = "windlass: a part, not to be sent back as a whole";

  /** The parts that a partial object may lack. */
  enum Lacks {
    /** The object may lack any part except the status. */
    NOT_STATUS(MARK + " but for its status"),
    /** The object may lack any part. */
    CONTENT(MARK);

    private final String manager;

    Lacks(String manager) {
      this.manager = manager;
    }

    static @Nullable Lacks after(Transform transform) {
      if (transform == Transform.NONE) {
        return null;
      }
      return transform.keepsStatus() ? NOT_STATUS : CONTENT;
    }

    void mark(HasMetadata object) {
      List<ManagedFieldsEntry> entries = new ArrayList<>(entries(object).toList());
      entries.add(new ManagedFieldsEntryBuilder().withManager(manager).build());
      object.getMetadata().setManagedFields(entries);
    }
  }

  private PartialObjects() {}

  /** Returns whether the object may lack fields that exist on the server. */
  public static boolean is(HasMetadata object) {
    return lacks(object).isPresent();
  }

  /** Returns whether the object's status may lack fields that exist on the server. */
  public static boolean isInStatus(HasMetadata object) {
    return lacks(object).filter(lacks -> lacks == Lacks.CONTENT).isPresent();
  }

  private static Optional<Lacks> lacks(HasMetadata object) {
    return entries(object)
        .map(ManagedFieldsEntry::getManager)
        .flatMap(manager -> Stream.of(Lacks.values()).filter(l -> l.manager.equals(manager)))
        .findFirst();
  }

  private static Stream<ManagedFieldsEntry> entries(HasMetadata object) {
    if (object.getMetadata() == null || object.getMetadata().getManagedFields() == null) {
      return Stream.empty();
    }
    return object.getMetadata().getManagedFields().stream();
  }
}
