// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.client.ApiException;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * The requests of a migration. Each method blocks until the server has responded, and throws an
 * {@link ApiException} if the server rejects the request or does not respond.
 */
interface MigrationRequests {

  /**
   * The fields of a CustomResourceDefinition that a migration needs.
   *
   * @param uid the uid; a definition that is deleted and created again has another uid
   * @param resourceVersion the resource version that was read
   * @param generation the generation, which increases by one with every change to the spec
   * @param usable whether the definition is established and not being deleted
   * @param storageVersion the version in which the API server stores objects
   * @param storedVersions the versions in which objects may be stored, according to the status
   * @param removedField a field that the API server would remove from stored objects, because it
   *     does not call a webhook to convert them; empty if there is none
   */
  record Definition(
      String uid,
      String resourceVersion,
      long generation,
      boolean usable,
      String storageVersion,
      List<String> storedVersions,
      Optional<String> removedField) {

    /**
     * Returns true if the definition is usable and some objects may be stored in a version other
     * than the storage version.
     */
    boolean needsMigration() {
      return usable && storedVersions.stream().anyMatch(version -> !version.equals(storageVersion));
    }

    /**
     * Returns true if this definition is usable, has the same uid as a definition that was read
     * earlier, is guaranteed to have had the same storage version since then, and still converts
     * objects without loss. A change to another version and back is detected because it increases
     * the generation by at least two.
     */
    boolean continues(Definition earlier) {
      return usable
          && removedField.isEmpty()
          && uid.equals(earlier.uid)
          && storageVersion.equals(earlier.storageVersion)
          && generation - earlier.generation <= 1;
    }
  }

  /**
   * An object to rewrite.
   *
   * @param uid the uid; an object that is deleted and created again has another uid
   * @param resourceVersion the resource version that was listed
   */
  record StoredObject(ObjectKey key, String uid, String resourceVersion) {}

  /** Reads the definition. Returns an empty result if it does not exist. */
  Optional<Definition> definition();

  /** Lists all objects of the custom resource in the given version. */
  List<StoredObject> list(String version);

  /**
   * Makes the server store an object in the current storage version, by sending a patch that does
   * not change the object. Fails with status 409 if the object has changed since it was listed.
   */
  void rewrite(String version, StoredObject object);

  /**
   * Removes all versions from {@code status.storedVersions} except the storage version. Fails with
   * status 409 if the definition has changed since it was read.
   */
  void trim(Definition definition);
}
