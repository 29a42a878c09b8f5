// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.patch.MergePatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A change to some fields of an object. A patch preserves all other fields, including concurrent
 * changes by other writers.
 *
 * <p>In most cases, use {@link #mergeFrom}, which computes the difference between an object and a
 * modified copy:
 *
 * <pre>{@code
 * Foo before = client.get(Foo.class, key).orElseThrow();
 * Foo after = client.get(Foo.class, key).orElseThrow();
 * after.getMetadata().getLabels().put("seen", "yes");
 * client.patch(after, ObjectPatch.mergeFrom(before));
 * }</pre>
 *
 * <p>Instances are immutable. However, a patch from {@link #mergeFrom} refers to the given object;
 * do not change that object before the patch is sent.
 */
public final class ObjectPatch {

  private final String contentType;
  private final String text;
  private final Optional<HasMetadata> before;
  private final boolean locked;

  private ObjectPatch(
      String contentType, String text, Optional<HasMetadata> before, boolean locked) {
    this.contentType = contentType;
    this.text = text;
    this.before = before;
    this.locked = locked;
  }

  /**
   * Returns a JSON merge patch (RFC 7386). Each field in the patch replaces the field of the
   * object. A null value removes a field. A list replaces the whole list.
   */
  public static ObjectPatch merge(String json) {
    return new ObjectPatch("application/merge-patch+json", json, Optional.empty(), false);
  }

  /**
   * Returns a JSON patch (RFC 6902), which consists of a list of operations, such as add or test.
   */
  public static ObjectPatch json(String operations) {
    return new ObjectPatch("application/json-patch+json", operations, Optional.empty(), false);
  }

  /**
   * Returns a strategic merge patch, which merges lists by the keys of their elements. Custom
   * resources do not support strategic merge patches.
   */
  public static ObjectPatch strategic(String json) {
    return new ObjectPatch("application/strategic-merge-patch+json", json, Optional.empty(), false);
  }

  /**
   * Returns a JSON merge patch that contains the differences between the given object and the
   * object passed to {@link Client#patch}.
   */
  public static ObjectPatch mergeFrom(HasMetadata before) {
    return new ObjectPatch("application/merge-patch+json", "", Optional.of(before), false);
  }

  /**
   * Returns a copy of this patch that also contains the resourceVersion of the object passed to
   * {@link #mergeFrom}. If the object on the server has changed since it was read, the patch fails
   * with a {@link ConflictException}. Use this method if you change a list, because a JSON merge
   * patch replaces the whole list.
   *
   * @throws IllegalStateException if the patch was not created by {@link #mergeFrom}, or if the
   *     object passed to that method does not have a resourceVersion
   */
  public ObjectPatch withOptimisticLock() {
    if (before.isEmpty() || before.get().getMetadata().getResourceVersion() == null) {
      throw new IllegalStateException(
          "an optimistic lock needs a resourceVersion: create the patch with"
              + " ObjectPatch.mergeFrom(...) from an object that was read from the server");
    }
    return new ObjectPatch(contentType, text, before, true);
  }

  String contentType() {
    return contentType;
  }

  /**
   * Returns the object passed to {@link #mergeFrom}. The result is empty if this patch was created
   * by another method.
   */
  Optional<HasMetadata> before() {
    return before;
  }

  /**
   * Returns the request body. If {@link #before()} is not empty, this is the difference between
   * that object and the given one; otherwise, it is the text of the patch.
   */
  String body(ObjectSerialization serialization, HasMetadata after) {
    return before.map(from -> MergePatch.between(serialization, from, after, locked)).orElse(text);
  }

  /**
   * Returns whether the patch is known to have no effect, because the given object equals {@link
   * #before()}.
   */
  boolean changesNothing(ObjectSerialization serialization, HasMetadata after) {
    return before.isPresent()
        && MergePatch.between(serialization, before.get(), after, false).equals("{}");
  }

  /** Returns the content type of this patch, without its content, which may be confidential. */
  @Override
  public String toString() {
    return contentType;
  }
}
