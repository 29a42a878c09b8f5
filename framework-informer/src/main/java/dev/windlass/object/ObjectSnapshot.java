// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;

/**
 * What an object was like before somebody changed it, and so what has been changed since. The
 * object itself is not kept. Immutable.
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
   * What has been changed, as merge patches (RFC 7386). They carry the uid of the snapshot: the
   * server refuses them if another object has taken the place of this one meanwhile.
   *
   * @param content all but the status; empty if that is as it was. A patch that replaces a list
   *     carries the resourceVersion of the snapshot: lists are replaced as a whole, and an entry
   *     that somebody else has added meanwhile would be lost
   * @param status the status alone, likewise
   */
  public record Change(String content, String status) {

    /** Whether everything is as it was. */
    public boolean isEmpty() {
      return content.isEmpty() && status.isEmpty();
    }
  }

  /** The state that an object is in now. */
  public static ObjectSnapshot of(HasMetadata object) {
    return new ObjectSnapshot(
        MergePatch.tree(object),
        Objects.requireNonNullElse(object.getMetadata().getUid(), ""),
        Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), ""));
  }

  /** What has to be sent to make this object out of the one that the snapshot was taken of. */
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
