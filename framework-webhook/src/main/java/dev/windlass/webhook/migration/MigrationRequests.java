// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

/** The requests of a migration. Each call blocks until the server has replied. */
interface MigrationRequests {

  /** Reads the definition. The reply has the code 404 if the definition does not exist. */
  Reply<Definition> definition() throws InterruptedException;

  /**
   * Lists one page of the custom resource's objects, in the order of their keys.
   *
   * @param version the version of the custom resource in which the objects are listed
   * @param continueToken the token from the previous page; empty for the first page
   */
  Reply<ObjectPage> list(String version, String continueToken) throws InterruptedException;

  /**
   * Makes the server store an object in the current storage version, by sending a patch that does
   * not change the object. The reply has the code 409 if the object has changed since it was
   * listed.
   */
  Reply<Boolean> rewrite(String version, StoredObject object) throws InterruptedException;

  /**
   * Removes all versions from {@code status.storedVersions} except the storage version. The reply
   * has the code 409 if the definition has changed since it was read.
   */
  Reply<Boolean> trim(Definition definition) throws InterruptedException;
}
