// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectSerialization;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Objects;

/**
 * A snapshot of an object, from which later changes to the object can be computed. A snapshot does
 * not keep a reference to the object. Instances are immutable.
 */
public final class ObjectSnapshot {

  private final ObjectSerialization serialization;
  private final ObjectNode before;
  private final String uid;
  private final String resourceVersion;

  private ObjectSnapshot(
      ObjectSerialization serialization, ObjectNode before, String uid, String resourceVersion) {
    this.serialization = serialization;
    this.before = before;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
  }

  /**
   * The changes since the snapshot, as JSON merge patches (RFC 7386). The patches contain the
   * snapshot's uid, so the server rejects them if the object has since been deleted and created
   * again.
   *
   * @param content the patch of all fields except the status; empty if these fields have not
   *     changed. A merge patch replaces a list as a whole, so elements that another client has
   *     since added could be lost. To prevent this, a patch that contains a list also contains the
   *     snapshot's resourceVersion
   * @param status the patch of the status, with the same properties
   */
  public record Change(String content, String status) {

    public boolean isEmpty() {
      return content.isEmpty() && status.isEmpty();
    }
  }

  public static ObjectSnapshot of(ObjectSerialization serialization, HasMetadata object) {
    return new ObjectSnapshot(
        serialization,
        MergePatch.tree(serialization, object),
        Objects.requireNonNullElse(object.getMetadata().getUid(), ""),
        Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), ""));
  }

  /**
   * Returns the change that turns the snapshot's object into the given object. Quantities are equal
   * if the server stores them in the same notation. This does not apply to custom resources, whose
   * quantities the server stores as they are.
   */
  public Change changeTo(HasMetadata after) {
    ObjectNode now = MergePatch.tree(serialization, after);
    ObjectNode content = MergePatch.difference(before, now);
    if (!content.isEmpty() && !(after instanceof CustomResource)) {
      ObjectNode canonical = before.deepCopy();
      TypedTree.replace(after.getClass(), canonical, TypedTree.QUANTITIES);
      TypedTree.replace(after.getClass(), now, TypedTree.QUANTITIES);
      content = MergePatch.difference(canonical, now);
    }
    ObjectNode status = content.objectNode();
    if (content.has("status")) {
      status.set("status", content.remove("status"));
    }
    return new Change(patch(content), patch(status));
  }

  public boolean hasStatus(HasMetadata object) {
    return serialization.convert(object, ObjectNode.class).has("status");
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
