// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.NotFoundException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.logging.OneLine;
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
 * The finalizers that must complete before objects of a type can be deleted. Each finalizer has a
 * name, which appears in {@code metadata.finalizers}.
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
 *   <li>If an object is not being deleted, {@link #run} adds the missing names in one patch. Call
 *       {@link #run} before you create resources that require a clean-up.
 *   <li>If an object is being deleted, {@link #run} calls the finalizers in the order of their
 *       registration. When a finalizer has finished, {@link #run} removes its name and calls the
 *       next one. If a finalizer has not finished or throws an exception, {@link #run} does not
 *       call the finalizers after it.
 *   <li>{@link #run} adds and removes only registered names. Each patch contains the
 *       resourceVersion, so it preserves concurrent changes by other writers. After a conflict,
 *       {@link #run} reads the object again from the server and retries the patch. There are up to
 *       {@value #MAX_TRIES} attempts.
 * </ul>
 *
 * <p>Instances are immutable; {@link #with} returns a new instance. An instance is thread-safe if
 * its finalizers are thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class Finalizers<T extends HasMetadata> {

  /**
   * The maximum number of attempts to patch an object after conflicts, as in client-go ({@code
   * retry.DefaultRetry}).
   */
  private static final int MAX_TRIES = 5;

  private static final Pattern NAME =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+"
              + "(/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

  /** The maximum length of the domain in a qualified name, such as {@code example.com/bucket}. */
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
   * Returns a copy of these finalizers with the given finalizer appended.
   *
   * @param name a name that is unique in the cluster: a domain, optionally followed by a slash and
   *     a name, such as {@code example.com/bucket}
   * @throws IllegalArgumentException if the name is invalid or already registered
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
   * Adds the missing finalizer names to an object. If the object is being deleted, calls its
   * finalizers instead.
   *
   * @param object the object as it was read; this method does not modify it
   * @return the current version of the object, and whether the reconciler must return
   * @throws ConflictException if the last attempt to write the names also fails with a conflict
   * @throws Exception if a finalizer throws an exception
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
        break; // the object has been deleted
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
   * Changes the list of an object's finalizers. Does not send a request if the list remains the
   * same. If the object is being deleted and {@code deleting} is false, or vice versa, this method
   * returns the object unchanged.
   *
   * @param deleting true if the change is for objects that are being deleted; false if it is for
   *     other objects
   * @return the resulting object; empty if the object no longer exists
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

  /**
   * Reads the object from the server. Returns empty if the object no longer exists, or if a new
   * object with a different uid has replaced it.
   */
  private Optional<T> read(Client client, T object) {
    return client
        .uncached()
        .get(object)
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
