// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.NotFoundException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.patch.FinalizersPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The clean-up that must be done before objects of a type may be deleted: a list of finalizers,
 * each with a name, which appears in {@code metadata.finalizers}.
 *
 * <pre>{@code
 * Finalizers<Foo> finalizers =
 *     Finalizers.<Foo>none().with("example.com/bucket", foo -> buckets.delete(foo));
 *
 * Finalization<Foo> state = finalizers.run(client, foo);
 * if (state.deleting()) {
 *   return state.result();
 * }
 * }</pre>
 *
 * <ul>
 *   <li>Missing names are added to an object that is not being deleted, in one patch, before
 *       anything is created for it that requires a clean-up.
 *   <li>For an object that is being deleted, the finalizers run in the order of their registration,
 *       and each name is removed when its finalizer is done. A finalizer that is not done, or
 *       throws, blocks those after it.
 *   <li>Only registered names are added and removed. Each patch carries the resourceVersion, so
 *       concurrent changes by others are kept; after a conflict, the object is read again from the
 *       server and the patch is retried, with {@value #MAX_TRIES} tries in total.
 * </ul>
 *
 * <p>Immutable; {@link #with} returns a new instance. Thread safe if the finalizers are.
 *
 * @param <T> the type of the objects
 */
public final class Finalizers<T extends HasMetadata> {

  /** The number of tries that client-go makes after conflicts ({@code retry.DefaultRetry}). */
  private static final int MAX_TRIES = 5;

  private static final Pattern NAME =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+"
              + "(/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

  /** The maximum length of a domain, and of a name without one. */
  private static final int LONGEST_DOMAIN = 253;

  private static final int LONGEST_BARE = 63;

  private final Map<String, Finalizer<? super T>> registered;

  private Finalizers(Map<String, Finalizer<? super T>> registered) {
    this.registered = registered;
  }

  /** Returns an instance without finalizers. */
  public static <T extends HasMetadata> Finalizers<T> none() {
    return new Finalizers<>(Map.of());
  }

  /**
   * Returns these finalizers, followed by one more.
   *
   * @param name unique in the cluster: a domain, or better a domain and a name, such as {@code
   *     example.com/bucket}
   * @throws IllegalArgumentException if the name is invalid, or already registered
   */
  public Finalizers<T> with(String name, Finalizer<? super T> finalizer) {
    checkName(name);
    Map<String, Finalizer<? super T>> more = new LinkedHashMap<>(registered);
    if (more.put(name, finalizer) != null) {
      throw new IllegalArgumentException("the finalizer " + name + " is already registered");
    }
    return new Finalizers<>(more);
  }

  /**
   * Adds the missing names to an object, or runs the finalizers if it is being deleted.
   *
   * @param object the object as it was read; not changed
   * @return how to continue
   * @throws ConflictException if others kept changing the object
   * @throws Exception if a finalizer throws it
   */
  public Finalization<T> run(Client client, T object) throws Exception {
    if (!object.isMarkedForDeletion()) {
      Optional<T> now = addMissing(client, object);
      boolean deleting = now.isEmpty() || now.get().isMarkedForDeletion();
      return new Finalization<>(now.orElse(object), deleting, Result.done());
    }
    T now = object;
    for (Map.Entry<String, Finalizer<? super T>> entry : registered.entrySet()) {
      if (!names(now).contains(entry.getKey())) {
        continue;
      }
      Result result = entry.getValue().cleanUp(now);
      if (result == null) {
        throw new IllegalStateException(
            "the clean-up of the finalizer "
                + entry.getKey()
                + " returned null; it must return Result.done() or another result");
      }
      if (!result.isDone()) {
        return new Finalization<>(now, true, result);
      }
      Optional<T> left = remove(client, now, entry.getKey());
      if (left.isEmpty()) {
        break; // it is gone
      }
      now = left.get();
    }
    return new Finalization<>(now, true, Result.done());
  }

  private Optional<T> addMissing(Client client, T object) {
    Collection<String> wanted = registered.keySet();
    return edit(
        client,
        object,
        names -> {
          List<String> longer = new ArrayList<>(names);
          wanted.stream().filter(name -> !names.contains(name)).forEach(longer::add);
          return longer;
        },
        false);
  }

  private Optional<T> remove(Client client, T object, String name) {
    return edit(
        client,
        object,
        names -> names.stream().filter(other -> !other.equals(name)).toList(),
        true);
  }

  /**
   * Edits the names. Sends nothing if the edit changes nothing, or if the object is not, or no
   * longer, in the state (deleting or not) for which the edit is meant.
   *
   * @return the resulting object; empty if it no longer exists
   */
  private Optional<T> edit(
      Client client, T object, UnaryOperator<List<String>> change, boolean deleting) {
    T now = object;
    for (int tries = 1; ; tries++) {
      List<String> names = change.apply(names(now));
      if (names.equals(names(now)) || now.isMarkedForDeletion() != deleting) {
        return Optional.of(now);
      }
      try {
        return Optional.of(client.patch(now, ObjectPatch.json(FinalizersPatch.of(now, names))));
      } catch (NotFoundException e) {
        return Optional.empty();
      } catch (ConflictException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
      Optional<T> read = read(client, object);
      if (read.isEmpty()) {
        return read;
      }
      now = read.get();
    }
  }

  /** Returns the object from the server; empty if another object has its name now. */
  private Optional<T> read(Client client, T object) {
    @SuppressWarnings("unchecked") // the class of a T
    Class<T> type = (Class<T>) object.getClass();
    return client
        .uncached()
        .get(type, ObjectKey.of(object))
        .filter(
            found -> Objects.equals(found.getMetadata().getUid(), object.getMetadata().getUid()));
  }

  private static List<String> names(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getFinalizers(), List.of());
  }

  private static void checkName(String name) {
    int slash = name.indexOf('/');
    boolean fits = slash < 0 ? name.length() <= LONGEST_BARE : slash <= LONGEST_DOMAIN;
    if (!fits || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + OneLine.of(name, 100)
              + "' can't be the name of a finalizer; use a domain and a name, such as"
              + " 'example.com/bucket'");
    }
  }
}
