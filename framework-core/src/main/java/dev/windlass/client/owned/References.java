// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Resolves references in an object's content to other objects, such as {@code spec.secretRef}, and
 * rejects references to other namespaces unless a grant permits them.
 *
 * <p>An operator usually has more permissions than the users who write its custom resources. If it
 * followed every reference, a user could use it to read or change objects in other namespaces.
 */
public final class References {

  /** The maximum length of an exception message, in characters. */
  private static final int MESSAGE_LIMIT = 500;

  /**
   * Thrown if an object refers to an object in another namespace and no grant permits the
   * reference. Retries fail until the reference or the grant changes. A reconciler should therefore
   * catch this exception, report it in a condition, and return normally.
   */
  public static final class ForbiddenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ObjectKey target;

    private ForbiddenException(ObjectKey target, String message) {
      super(message);
      this.target = target;
    }

    /** Returns the key of the object to which the forbidden reference refers. */
    public ObjectKey target() {
      return target;
    }
  }

  private References() {}

  /**
   * Resolves a reference to an object in the same namespace. Returns the object's key.
   *
   * @param from the referring object, which must be namespaced
   * @param namespace the namespace in the reference; null or empty for the namespace of {@code
   *     from}
   * @param name the name in the reference
   * @throws ForbiddenException if the reference names another namespace
   * @throws IllegalArgumentException if the name is empty or the reference contains a slash
   */
  public static ObjectKey local(HasMetadata from, @Nullable String namespace, String name) {
    return granted(from, namespace, name, target -> false);
  }

  /**
   * Resolves a reference to an object in the same namespace, or in another namespace if a grant
   * permits the reference. Returns the object's key. This method calls the grant only for
   * references to other namespaces. The decision of the grant must depend on something that only
   * users of the other namespace can change, such as an annotation on the referenced object.
   *
   * @param from the referring object; if it is cluster-scoped, every reference requires a grant
   * @param namespace the namespace in the reference; null or empty for the namespace of {@code
   *     from}
   * @param name the name in the reference
   * @param grant tests whether a reference to the given object is permitted
   * @throws ForbiddenException if the grant does not permit the reference
   * @throws IllegalArgumentException if the name is empty or the reference contains a slash
   */
  public static ObjectKey granted(
      HasMetadata from, @Nullable String namespace, String name, Predicate<ObjectKey> grant) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          ObjectNames.of(from) + " refers to an object without a name");
    }
    String own = ObjectNames.namespace(from);
    ObjectKey target =
        ObjectKey.of(namespace == null || namespace.isEmpty() ? own : namespace, name);
    boolean local = !own.isEmpty() && target.namespace().equals(own);
    if (!local && !grant.test(target)) {
      throw new ForbiddenException(
          target,
          OneLine.of(
              "%s must not refer to %s, which is in another namespace"
                  .formatted(ObjectNames.of(from), target),
              MESSAGE_LIMIT));
    }
    return target;
  }
}
