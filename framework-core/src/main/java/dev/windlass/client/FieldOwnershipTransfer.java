// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.apply.CreationOwnership;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Transfers the ownership of fields on the server. After the transfer, the field owner of an
 * object's applies (the applier) also owns the fields that belonged to the creation of the object;
 * see {@link CreationOwnership}.
 */
final class FieldOwnershipTransfer {

  /** The maximum number of attempts if other writers change the object during the transfer. */
  private static final int TRIES = 5;

  private final LiveClient client;
  private final RestClient requests;
  private final String applier;

  FieldOwnershipTransfer(LiveClient client, RestClient requests, String applier) {
    this.client = client;
    this.requests = requests;
    this.applier = applier;
  }

  /**
   * Makes the applier the owner of the fields that an object's creation owns.
   *
   * @param object the object as it is on the server
   * @return the object after the transfer, or empty if the applier already owned the fields. If the
   *     ownership of any fields was transferred, the caller must send the apply again, to remove
   *     the fields that it omits
   */
  <T extends HasMetadata> Optional<T> of(T object) {
    Optional<T> now = Optional.of(object);
    for (int tries = 1; now.isPresent(); tries++) {
      ObjectMeta metadata = now.get().getMetadata();
      Optional<List<ManagedFieldsEntry>> after = CreationOwnership.transferred(metadata, applier);
      if (after.isEmpty()) {
        return tries > 1 ? now : Optional.empty();
      }
      try {
        return Optional.of(
            patch(
                object,
                List.of(
                    operation("replace", "/managedFields", after.get()),
                    operation("replace", "/resourceVersion", metadata.getResourceVersion()))));
      } catch (ConflictException e) { // another writer, such as a status controller, was faster
        if (tries == TRIES) {
          throw e;
        }
        now = client.getLike(object);
      }
    }
    return Optional.empty();
  }

  /**
   * Makes the applier the owner of the fields that an object's creation owns, before the first
   * apply and without reading the object. This method changes only the first entry in the object's
   * managedFields, and only if that entry belongs to the creation. This is sufficient, because the
   * server places the entries of apply requests first: if the first entry belongs to the creation,
   * the applier does not have an entry yet.
   *
   * @param creator the field manager of the creation
   * @param base the resourceVersion that the transfer replaces, or empty if it replaces any version
   * @return the object after the transfer, or empty if nothing was transferred
   */
  <T extends HasMetadata> Optional<T> unseen(T object, String creator, Optional<String> base) {
    String entry = "/managedFields/0/";
    List<Map<String, Object>> operations = new ArrayList<>();
    operations.add(operation("test", entry + "manager", creator));
    operations.add(operation("test", entry + "operation", "Update"));
    base.ifPresent(version -> operations.add(operation("replace", "/resourceVersion", version)));
    if (object.getMetadata().getUid() != null) {
      operations.add(operation("test", "/uid", object.getMetadata().getUid()));
    }
    operations.add(operation("replace", entry + "manager", applier));
    operations.add(operation("replace", entry + "operation", CreationOwnership.APPLY));
    try {
      return Optional.of(patch(object, operations));
    } catch (InvalidException | NotFoundException | ConflictException e) {
      return Optional.empty(); // the following apply determines the actual state
    }
  }

  private <T extends HasMetadata> T patch(T object, List<Map<String, Object>> operations) {
    return client.patch(object, ObjectPatch.json(requests.write(operations)));
  }

  private static Map<String, Object> operation(String name, String path, Object value) {
    return Map.of("op", name, "path", "/metadata" + path, "value", value);
  }
}
