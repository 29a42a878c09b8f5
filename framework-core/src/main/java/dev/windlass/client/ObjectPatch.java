// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.patch.MergePatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A change to an object that leaves its other fields as they are, including concurrent changes by
 * others.
 *
 * <p>{@link #mergeFrom} suits most purposes: take a copy, change it, and send the difference.
 *
 * <pre>{@code
 * Foo before = client.get(Foo.class, key).orElseThrow();
 * Foo after = client.get(Foo.class, key).orElseThrow();
 * after.getMetadata().getLabels().put("seen", "yes");
 * client.patch(after, Patch.mergeFrom(before));
 * }</pre>
 *
 * <p>Immutable, but refers to the object passed to {@link #mergeFrom}, which must not be changed
 * before the patch is sent.
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
   * Returns a JSON merge patch (RFC 7386): fields replace fields, null removes, lists replace
   * lists.
   */
  public static ObjectPatch merge(String json) {
    return new ObjectPatch("application/merge-patch+json", json, Optional.empty(), false);
  }

  /** Returns a JSON patch (RFC 6902): a list of operations, which may include tests. */
  public static ObjectPatch json(String operations) {
    return new ObjectPatch("application/json-patch+json", operations, Optional.empty(), false);
  }

  /**
   * Returns a strategic merge patch, which merges lists by their keys. Custom resources do not
   * support it.
   */
  public static ObjectPatch strategic(String json) {
    return new ObjectPatch("application/strategic-merge-patch+json", json, Optional.empty(), false);
  }

  /** Returns the merge patch that turns this object into the one passed to {@link Client#patch}. */
  public static ObjectPatch mergeFrom(HasMetadata before) {
    return new ObjectPatch("application/merge-patch+json", "", Optional.of(before), false);
  }

  /**
   * Returns this patch with the resourceVersion of the object passed to {@link #mergeFrom}: if the
   * object has changed since, the server rejects the patch with a {@link ConflictException}. Use it
   * if a list changes, because a merge patch replaces lists as a whole.
   *
   * @throws IllegalStateException if the patch does not come from {@link #mergeFrom}, or comes from
   *     an object without a resourceVersion
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

  /** Returns the object from which the patch is computed, if it is known. */
  Optional<HasMetadata> before() {
    return before;
  }

  /** Returns the body of the request: the given text, or the difference from {@link #before()}. */
  String body(HasMetadata after) {
    return before.map(from -> MergePatch.between(from, after, locked)).orElse(text);
  }

  /** Returns whether the patch is known not to change the object from which it is computed. */
  boolean changesNothing(HasMetadata after) {
    return before.isPresent() && MergePatch.between(before.get(), after, false).equals("{}");
  }

  /** Returns only the content type, because the content may be secret. */
  @Override
  public String toString() {
    return contentType;
  }
}
