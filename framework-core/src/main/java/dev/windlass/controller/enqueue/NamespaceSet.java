// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.scheduling.FatalErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The set of namespaces that a controller watches. The set can change at runtime. Pass it to {@code
 * ControllerBuilder.inNamespaces}. Several controllers can share one set.
 *
 * <p>When a namespace is added, the controllers immediately list and watch all their types in that
 * namespace and reconcile its objects. When a namespace is removed, the controllers stop using the
 * caches of its objects. A cache that has no other users is discarded. Running reconciles of these
 * objects finish normally, but no further reconciles start. A namespace in which the program lacks
 * the permission to list objects does not delay the others, not even at startup: health checks name
 * it, and the controllers begin there when the permission is granted. This class is thread-safe,
 * and its methods never wait for a server.
 */
public final class NamespaceSet {

  /**
   * Receives the current namespaces of a set on registration, and all later changes.
   * Implementations must not block.
   */
  interface Follower {
    void added(String namespace);

    void removed(String namespace);
  }

  private static final Logger log = LoggerFactory.getLogger(NamespaceSet.class);

  @GuardedBy("this")
  private final Set<String> names = new TreeSet<>();

  @GuardedBy("this")
  private final List<Follower> followers = new ArrayList<>();

  /**
   * Whether the namespaces are known. If a source selects them, this field is false until the
   * source has found them.
   */
  private volatile boolean known = true;

  private NamespaceSet() {}

  /**
   * Creates a set with the given initial namespaces.
   *
   * @param namespaces the names of the initial namespaces; can be empty
   * @throws IllegalArgumentException if a name is not a valid namespace name
   */
  public static NamespaceSet of(String... namespaces) {
    NamespaceSet set = new NamespaceSet();
    for (String namespace : namespaces) {
      set.add(namespace);
    }
    return set;
  }

  /**
   * Adds a namespace. The namespace does not have to exist on the server yet.
   *
   * @return false if the namespace was already in the set
   * @throws IllegalArgumentException if the name is not a valid namespace name
   */
  public boolean add(String namespace) {
    Objects.requireNonNull(namespace, "add(...) was given null: pass the name of a namespace");
    if (WatchScope.namespace(namespace).namespace().isEmpty()) {
      throw new IllegalArgumentException(
          "an empty name stands for all namespaces, and can't be one of several");
    }
    synchronized (this) {
      if (!names.add(namespace)) {
        return false;
      }
      for (Follower follower : List.copyOf(followers)) {
        tell(follower, namespace);
      }
      return true;
    }
  }

  /**
   * Notifies a follower that a namespace was added. Logs a failure of the follower, and does not
   * pass it to the caller.
   */
  private static void tell(Follower follower, String namespace) {
    try {
      follower.added(namespace);
    } catch (RuntimeException | Error e) {
      FatalErrors.rethrow(e);
      log.error("Failed to watch the namespace {}", namespace, e);
    }
  }

  /**
   * Removes the given namespace.
   *
   * @return false if the namespace was not in the set
   */
  public synchronized boolean remove(String namespace) {
    if (!names.remove(namespace)) {
      return false;
    }
    List.copyOf(followers).forEach(follower -> follower.removed(namespace));
    return true;
  }

  /** Returns whether the given namespace is in the set. */
  public synchronized boolean contains(String namespace) {
    return names.contains(namespace);
  }

  /** Returns a snapshot of the namespaces in alphabetical order. */
  public synchronized Set<String> names() {
    return new TreeSet<>(names);
  }

  /** Registers a follower, which receives the current namespaces and all later changes. */
  synchronized void follow(Follower follower) {
    followers.add(follower);
    names.forEach(name -> tell(follower, name));
  }

  synchronized void unfollow(Follower follower) {
    followers.remove(follower);
  }

  boolean isKnown() {
    return known;
  }

  void known(boolean now) {
    known = now;
  }

  @Override
  public String toString() {
    return names().toString();
  }
}
