// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.apply.FieldOwners;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.object.AppliedEntry;
import java.util.Optional;
import java.util.Set;

/**
 * The options that a client sends with each write.
 *
 * @param dryRun whether the server processes writes without storing the results
 * @param fieldOwner the field owner, if it was set explicitly
 * @param outside the default field owner outside reconciles, and for subresources; inside a
 *     reconcile, the controller's field owner is used. If it is empty, applies outside reconciles
 *     fail, and the server derives the field owner of other writes from the user agent
 * @param validation the policy for unknown fields; empty for the server's default
 * @param force whether an apply takes over fields from other owners
 * @param bound the context of the client's writes on any thread; empty to use the context of the
 *     current thread
 */
record WriteOptions(
    boolean dryRun,
    Optional<String> fieldOwner,
    String outside,
    Optional<FieldValidation> validation,
    boolean force,
    Optional<WriterContext> bound) {

  static final WriteOptions DEFAULT =
      new WriteOptions(false, Optional.empty(), "", Optional.empty(), true, Optional.empty());

  WriteOptions {
    fieldOwner.ifPresent(FieldOwners::requireValid);
    if (!outside.isEmpty()) {
      FieldOwners.requireValid(outside);
    }
  }

  /**
   * Returns the field owner of create, update and patch requests, which is that of applies. If the
   * result is empty, the server derives the field owner from the user agent. Requests to a
   * subresource do not use the running controller's name by default: fabric8's mock server discards
   * a status if the update request specifies a field owner.
   */
  String owner(String subresource) {
    return subresource.isEmpty()
        ? fieldOwner.or(() -> scope().map(WriterContext::fieldOwner)).orElse(outside)
        : fieldOwner.orElse(outside);
  }

  /** Returns the context in which the client writes now, or an empty result outside reconciles. */
  Optional<WriterContext> scope() {
    return bound.or(WriterContext::current);
  }

  /** Returns whether the running reconcile observes which versions its writes replace. */
  boolean isObserved() {
    return !dryRun && scope().flatMap(WriterContext::observer).isPresent();
  }

  /**
   * Returns the field owner of applies. Unless a field owner was set explicitly, this is the
   * running controller's field owner during a reconcile, and the default field owner at other
   * times.
   *
   * @throws IllegalStateException if there is no field owner
   */
  String applier() {
    String owner = owner("");
    if (owner.isEmpty()) {
      throw new IllegalStateException(
          "an apply needs a field owner, and there is none outside of a reconcile: set"
              + " ManagerBuilder.fieldOwner(...), or use client.withFieldOwner(...). On a thread"
              + " that works for a reconcile, use ReconcileContext.client()");
    }
    return owner;
  }

  WriteOptions in(WriterContext scope) {
    return new WriteOptions(dryRun, fieldOwner, outside, validation, force, Optional.of(scope));
  }

  WriteOptions inDryRun() {
    return new WriteOptions(true, fieldOwner, outside, validation, force, bound);
  }

  /** Returns the other field owners whose fields the {@link #applier} takes over. */
  Set<String> formerAppliers() {
    return fieldOwner.isPresent()
        ? Set.of()
        : scope().map(WriterContext::formerFieldOwners).orElse(Set.of());
  }

  WriteOptions withFieldOwner(String owner) {
    AppliedEntry.keepFields(owner, false);
    return new WriteOptions(dryRun, Optional.of(owner), outside, validation, force, bound);
  }

  WriteOptions outsideOfReconciles(String owner) {
    if (!owner.isEmpty()) {
      AppliedEntry.keepFields(owner, false);
    }
    return new WriteOptions(dryRun, fieldOwner, owner, validation, force, bound);
  }

  WriteOptions withValidation(FieldValidation other) {
    return new WriteOptions(dryRun, fieldOwner, outside, Optional.of(other), force, bound);
  }

  WriteOptions withoutForce() {
    return new WriteOptions(dryRun, fieldOwner, outside, validation, false, bound);
  }
}
