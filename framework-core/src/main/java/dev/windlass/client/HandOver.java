// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sends what makes the fields of a creation those of an applier; see {@link CreatedFields}. */
final class HandOver {

  /** How often others may change an object while its fields are handed over. */
  private static final int TRIES = 5;

  private final LiveClient client;
  private final ApiRequests requests;
  private final String applier;

  HandOver(LiveClient client, ApiRequests requests, String applier) {
    this.client = client;
    this.requests = requests;
    this.applier = applier;
  }

  /**
   * Makes what the creation of an object owns belong to the applier.
   *
   * @param object as the server has it
   * @return whether there was anything, so that the next apply may remove some of it
   */
  <T extends HasMetadata> boolean of(T object) {
    Optional<T> now = Optional.of(object);
    for (int tries = 1; now.isPresent(); tries++) {
      ObjectMeta metadata = now.get().getMetadata();
      Optional<List<ManagedFieldsEntry>> after = CreatedFields.handedOver(metadata, applier);
      if (after.isEmpty()) {
        return tries > 1;
      }
      try {
        patch(
            object,
            List.of(
                operation("replace", "/managedFields", after.get()),
                operation("replace", "/resourceVersion", metadata.getResourceVersion())));
        return true;
      } catch (ConflictException e) { // somebody else was faster: a controller of the status, say
        if (tries == TRIES) {
          throw e;
        }
        now = client.getLike(object);
      }
    }
    return false;
  }

  /**
   * The same before the first apply, without having seen the object: the entry of the creation, if
   * it is the first one, becomes that of the applier. The server puts the entries of applies first,
   * so if this one is, the applier has none yet. Where it is not, nothing happens.
   */
  void unseen(HasMetadata object) {
    String entry = "/managedFields/0/";
    List<Map<String, Object>> operations = new ArrayList<>();
    operations.add(operation("test", entry + "manager", CreatedFields.creator(applier)));
    operations.add(operation("test", entry + "operation", "Update"));
    if (object.getMetadata().getUid() != null) {
      operations.add(operation("test", "/uid", object.getMetadata().getUid()));
    }
    operations.add(operation("replace", entry + "manager", applier));
    operations.add(operation("replace", entry + "operation", CreatedFields.APPLY));
    try {
      patch(object, operations);
    } catch (InvalidException | NotFoundException | ConflictException e) {
      // the apply itself finds out what is so
    }
  }

  private void patch(HasMetadata object, List<Map<String, Object>> operations) {
    client.patch(object, ObjectPatch.json(requests.write(operations)));
  }

  private static Map<String, Object> operation(String name, String path, Object value) {
    return Map.of("op", name, "path", "/metadata" + path, "value", value);
  }
}
