// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * A reference to an object's owner: one entry of {@code metadata.ownerReferences}.
 *
 * @param apiVersion the owner's API version, {@code group/version} or {@code version}
 * @param kind the owner's kind
 * @param name the owner's name; the owner is either cluster-scoped or in the owned object's
 *     namespace
 * @param uid the owner's uid
 * @param controller whether this owner is the controller that manages the object
 */
public record OwnerRef(
    String apiVersion, String kind, String name, String uid, boolean controller) {

  /** Returns the owner's API group, or an empty string for the core group. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
