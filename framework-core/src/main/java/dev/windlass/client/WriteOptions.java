// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import java.util.Optional;

/**
 * What a client says with each of its writes.
 *
 * @param dryRun the server does everything but store the result
 * @param fieldOwner who is the owner of the fields that are written; empty to leave it to the
 *     server, which takes the beginning of the user agent, but for an apply, which must name one
 * @param validation what to do about unknown fields; the server's default if empty
 * @param force whether an apply takes over fields that others own
 */
record WriteOptions(
    boolean dryRun, String fieldOwner, Optional<FieldValidation> validation, boolean force) {

  static final WriteOptions DEFAULT = new WriteOptions(false, "", Optional.empty(), true);

  /** Of an apply for which nobody has named an owner. */
  private static final String OWNER = "windlass";

  WriteOptions {
    if (fieldOwner.length() > 128) {
      throw new IllegalArgumentException(
          "the field owner '" + fieldOwner + "' must have 128 characters at most");
    }
  }

  /** Who applies. */
  String applier() {
    return fieldOwner.isEmpty() ? OWNER : fieldOwner;
  }

  WriteOptions inDryRun() {
    return new WriteOptions(true, fieldOwner, validation, force);
  }

  WriteOptions withFieldOwner(String owner) {
    if (owner.isEmpty()) {
      throw new IllegalArgumentException("a field owner must have 1 to 128 characters");
    }
    return new WriteOptions(dryRun, owner, validation, force);
  }

  WriteOptions withValidation(FieldValidation other) {
    return new WriteOptions(dryRun, fieldOwner, Optional.of(other), force);
  }

  WriteOptions withForce(boolean other) {
    return new WriteOptions(dryRun, fieldOwner, validation, other);
  }
}
