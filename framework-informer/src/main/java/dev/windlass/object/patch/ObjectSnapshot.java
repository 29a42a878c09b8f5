// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;

/**
 * An object's state before a change, from which later changes can be computed. A snapshot does not
 * keep a reference to the object. Instances are immutable.
 */
public final class ObjectSnapshot {

  private final ObjectNode before;
  private final String uid;
  private final String resourceVersion;

  private ObjectSnapshot(ObjectNode before, String uid, String resourceVersion) {
    this.before = before;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
  }

  /**
   * The changes since the snapshot, as JSON merge patches (RFC 7386). The patches contain the
   * snapshot's uid, so the server rejects them if another object has since replaced this object.
   *
   * @param content the patch of all parts except the status; empty if these parts have not changed.
   *     A patch that replaces a list contains the snapshot's resourceVersion. Lists are replaced as
   *     a whole, so an entry that another client has since added would otherwise be lost
   * @param status the patch of the status, under the same rules
   */
  public record Change(String content, String status) {

    /** Returns whether the object is unchanged. */
    public boolean isEmpty() {
      return content.isEmpty() && status.isEmpty();
    }
  }

  /** Takes a snapshot of an object's current state. */
  public static ObjectSnapshot of(HasMetadata object) {
    return new ObjectSnapshot(
        MergePatch.tree(object),
        Objects.requireNonNullElse(object.getMetadata().getUid(), ""),
        Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), ""));
  }

  /** Returns the change that turns the snapshot's object into the given object. */
  public Change changeTo(HasMetadata after) {
    ObjectNode content = MergePatch.difference(before, MergePatch.tree(after));
    ObjectNode status = content.objectNode();
    if (content.has("status")) {
      status.set("status", content.remove("status"));
    }
    return new Change(patch(content), patch(status));
  }

  private String patch(ObjectNode change) {
    if (change.isEmpty()) {
      return "";
    }
    if (!uid.isEmpty()) {
      change.withObject("/metadata").put("uid", uid);
    }
    if (!resourceVersion.isEmpty() && hasList(change)) {
      change.withObject("/metadata").put("resourceVersion", resourceVersion);
    }
    return change.toString();
  }

  private static boolean hasList(JsonNode node) {
    if (node.isArray()) {
      return true;
    }
    for (JsonNode child : node) {
      if (hasList(child)) {
        return true;
      }
    }
    return false;
  }
}
