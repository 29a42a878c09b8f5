// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.MergePatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A change of an object that leaves the rest of it as it is, whoever wrote that meanwhile.
 *
 * <p>Most useful is {@link #mergeFrom}: take a copy, change it, and send what is different.
 *
 * <pre>{@code
 * Foo before = client.get(Foo.class, key).orElseThrow();
 * Foo after = client.get(Foo.class, key).orElseThrow();
 * after.getMetadata().getLabels().put("seen", "yes");
 * client.patch(after, Patch.mergeFrom(before));
 * }</pre>
 *
 * <p>Immutable, but for the object it was given, which must not be changed before it is sent.
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

  /** A JSON merge patch (RFC 7386): fields replace fields, null removes, lists replace lists. */
  public static ObjectPatch merge(String json) {
    return new ObjectPatch("application/merge-patch+json", json, Optional.empty(), false);
  }

  /** A list of JSON patch operations (RFC 6902), with tests among them if wanted. */
  public static ObjectPatch json(String operations) {
    return new ObjectPatch("application/json-patch+json", operations, Optional.empty(), false);
  }

  /** A strategic merge patch, which merges lists by their keys. Custom resources don't know it. */
  public static ObjectPatch strategic(String json) {
    return new ObjectPatch("application/strategic-merge-patch+json", json, Optional.empty(), false);
  }

  /** The merge patch that makes the object to be patched out of this one. */
  public static ObjectPatch mergeFrom(HasMetadata before) {
    return new ObjectPatch("application/merge-patch+json", "", Optional.of(before), false);
  }

  /**
   * The same, refused with a {@link ConflictException} if somebody has changed the object since: it
   * carries the resourceVersion that {@link #mergeFrom} was given. Use it where a list changes,
   * because a merge patch replaces lists as a whole.
   *
   * @throws IllegalStateException if it does not come from {@link #mergeFrom}, or from an object
   *     without a resourceVersion
   */
  public ObjectPatch withOptimisticLock() {
    if (before.isEmpty() || before.get().getMetadata().getResourceVersion() == null) {
      throw new IllegalStateException(
          "only a patch from an object with a resourceVersion can be locked to that: use"
              + " Patch.mergeFrom(object that was read)");
    }
    return new ObjectPatch(contentType, text, before, true);
  }

  String contentType() {
    return contentType;
  }

  /** The object that it was computed from, if that is known. */
  Optional<HasMetadata> before() {
    return before;
  }

  /** The body of the request that changes an object, or makes it out of {@link #before()}. */
  String body(HasMetadata after) {
    return before.map(from -> MergePatch.between(from, after, locked)).orElse(text);
  }

  /** Whether it is known to make nothing else of the object it was computed from. */
  boolean changesNothing(HasMetadata after) {
    return before.isPresent() && MergePatch.between(before.get(), after, false).equals("{}");
  }

  /** Content type only; what is in it may be secret. */
  @Override
  public String toString() {
    return contentType;
  }
}
