// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.NotFoundException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.FinalizersPatch;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.OneLine;
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
 * What has to be done before objects of a type may go: names, which stand in {@code
 * metadata.finalizers}, and what each of them does.
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
 *   <li>An object that lives gets the names that it lacks, in one patch, before anything is made
 *       for it that would have to be cleaned up.
 *   <li>Of an object that is being deleted, the finalizers run in the order in which they were
 *       registered, and each name is removed when its finalizer is done. One that is not done, or
 *       throws, holds up those after it.
 *   <li>Only names that are registered here are added and removed. Each patch carries the
 *       resourceVersion, so whatever others change at the same moment survives; then the object is
 *       read again from the server and the patch is tried again, {@value #MAX_TRIES} times in all.
 * </ul>
 *
 * <p>Immutable; {@link #with} gives another one. Safe for use by several threads, if the finalizers
 * are.
 *
 * @param <T> the type of the objects
 */
public final class Finalizers<T extends HasMetadata> {

  /** As often as client-go tries after conflicts ({@code retry.DefaultRetry}). */
  private static final int MAX_TRIES = 5;

  private static final Pattern NAME =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+"
              + "(/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

  /** The longest domain, and the longest name without one. */
  private static final int LONGEST_DOMAIN = 253;

  private static final int LONGEST_BARE = 63;

  private final Map<String, Finalizer<? super T>> registered;

  private Finalizers(Map<String, Finalizer<? super T>> registered) {
    this.registered = registered;
  }

  /** No finalizers yet. */
  public static <T extends HasMetadata> Finalizers<T> none() {
    return new Finalizers<>(Map.of());
  }

  /**
   * These, and one more after them.
   *
   * @param name of its own in the cluster: a domain, or better a domain and a name, such as {@code
   *     example.com/bucket}
   * @throws IllegalArgumentException if the name is none, or is registered
   */
  public Finalizers<T> with(String name, Finalizer<? super T> finalizer) {
    checkName(name);
    Map<String, Finalizer<? super T>> more = new LinkedHashMap<>(registered);
    if (more.put(name, finalizer) != null) {
      throw new IllegalArgumentException("the finalizer " + name + " is registered already");
    }
    return new Finalizers<>(more);
  }

  /**
   * Adds the names to an object that lives, or runs the finalizers of one that is being deleted.
   *
   * @param object as it was read; not changed
   * @return what to go on with
   * @throws ConflictException if others kept changing the object
   * @throws Exception what a finalizer threw
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
   * Edits the names; nothing is sent if that changes nothing, or if the object is not, or no more,
   * in the state (deleting or not) that the edit is for.
   *
   * @return the object as it is then; empty if it is gone
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

  /** The object as the server has it; empty if that is another one of its name. */
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
