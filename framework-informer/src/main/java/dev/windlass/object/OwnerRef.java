// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * A reference to an owner of an object: one entry of {@code metadata.ownerReferences}.
 *
 * @param apiVersion the API version of the owner, {@code group/version} or {@code version}
 * @param kind the kind of the owner
 * @param name the name of the owner, which is either cluster-scoped or in the namespace of the
 *     owned object
 * @param uid the uid of the owner
 * @param controller whether this owner is the controller that manages the object
 */
public record OwnerRef(
    String apiVersion, String kind, String name, String uid, boolean controller) {

  /** Returns the API group of the owner, or an empty string for the core group. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
