// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import java.util.Optional;

/**
 * What a client says with each of its writes.
 *
 * @param dryRun the server does everything but store the result
 * @param fieldOwner who is the owner of the fields that are written
 * @param validation what to do about unknown fields; the server's default if empty
 * @param force whether an apply takes over fields that others own
 */
record WriteOptions(
    boolean dryRun, String fieldOwner, Optional<FieldValidation> validation, boolean force) {

  /** Its field owner is {@code windlass}. */
  static final WriteOptions DEFAULT = new WriteOptions(false, "windlass", Optional.empty(), true);

  WriteOptions {
    if (fieldOwner.isEmpty() || fieldOwner.length() > 128) {
      throw new IllegalArgumentException(
          "the field owner '" + fieldOwner + "' must have 1 to 128 characters");
    }
  }

  WriteOptions inDryRun() {
    return new WriteOptions(true, fieldOwner, validation, force);
  }

  WriteOptions withFieldOwner(String owner) {
    return new WriteOptions(dryRun, owner, validation, force);
  }

  WriteOptions withValidation(FieldValidation other) {
    return new WriteOptions(dryRun, fieldOwner, Optional.of(other), force);
  }

  WriteOptions withForce(boolean other) {
    return new WriteOptions(dryRun, fieldOwner, validation, other);
  }
}
