// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.OneLine;
import java.util.Optional;

/**
 * What a client says with each of its writes.
 *
 * @param dryRun the server does everything but store the result
 * @param fieldOwner the owner of the fields that are written, if it was chosen explicitly
 * @param outside the owner of the fields that are written outside of reconciles; empty to leave it
 *     to the server, which takes the beginning of the user agent
 * @param validation what to do about unknown fields; the server's default if empty
 * @param force whether an apply takes over fields that others own
 * @param bound the controller for which it writes on any thread; empty for the one of the thread
 */
record WriteOptions(
    boolean dryRun,
    Optional<String> fieldOwner,
    String outside,
    Optional<FieldValidation> validation,
    boolean force,
    Optional<WriteScope> bound) {

  static final WriteOptions DEFAULT =
      new WriteOptions(false, Optional.empty(), "", Optional.empty(), true, Optional.empty());

  WriteOptions {
    fieldOwner.ifPresent(WriteOptions::requireValid);
    if (!outside.isEmpty()) {
      requireValid(outside);
    }
  }

  private static void requireValid(String owner) {
    if (!FieldOwners.isValid(owner)) {
      throw new IllegalArgumentException(
          "the field owner '" + OneLine.of(owner) + "' must be 1 to 128 bytes of printable text");
    }
  }

  /**
   * The owner of what is created, updated or patched: the one that was chosen; empty if the server
   * is to choose, which it does by the user agent. The running controller owns what it applies
   * alone: fabric8's mock server takes a status with a field owner for something else, and drops
   * it.
   */
  String owner() {
    return fieldOwner.orElse(outside);
  }

  /** The controller for which it writes now; empty outside of reconciles. */
  Optional<WriteScope> scope() {
    return bound.or(WriteScope::current);
  }

  /**
   * The owner of what is applied now: the one that was chosen, else the running controller, else
   * the one for writes outside of reconciles.
   *
   * @throws IllegalStateException if there is none
   */
  String applier() {
    String owner = fieldOwner.or(() -> scope().map(WriteScope::fieldOwner)).orElse(outside);
    if (owner.isEmpty()) {
      throw new IllegalStateException(
          "an apply needs a field owner, and there is none outside of a reconcile: set"
              + " ManagerBuilder.fieldOwner(...), or use client.withFieldOwner(...). On a thread"
              + " that works for a reconcile, use ReconcileContext.client()");
    }
    return owner;
  }

  WriteOptions in(WriteScope scope) {
    return new WriteOptions(dryRun, fieldOwner, outside, validation, force, Optional.of(scope));
  }

  WriteOptions inDryRun() {
    return new WriteOptions(true, fieldOwner, outside, validation, force, bound);
  }

  WriteOptions withFieldOwner(String owner) {
    return new WriteOptions(dryRun, Optional.of(owner), outside, validation, force, bound);
  }

  WriteOptions outsideOfReconciles(String owner) {
    return new WriteOptions(dryRun, fieldOwner, owner, validation, force, bound);
  }

  WriteOptions withValidation(FieldValidation other) {
    return new WriteOptions(dryRun, fieldOwner, outside, Optional.of(other), force, bound);
  }

  WriteOptions withoutForce() {
    return new WriteOptions(dryRun, fieldOwner, outside, validation, false, bound);
  }
}
