// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.feed.WatchScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Namespaces that controllers watch and that change while they run. Give it to {@code
 * ControllerBuilder.inNamespaces}; several controllers may share one.
 *
 * <p>A namespace that is added is listed and watched at once, for every type that the controllers
 * watch, and its objects are reconciled. One that is removed leaves the caches, unless others watch
 * it, and no reconcile of its objects begins any more; one that runs ends in its own time. The
 * rights in a namespace must be granted before it is added. Thread safe; no method waits for a
 * server.
 */
public final class NamespaceSet {

  /** Hears of each change, and of what is there when it begins; must not block. */
  interface Follower {
    void added(String namespace);

    void removed(String namespace);
  }

  private static final Logger log = LoggerFactory.getLogger(NamespaceSet.class);

  @GuardedBy("this")
  private final Set<String> names = new TreeSet<>();

  @GuardedBy("this")
  private final List<Follower> followers = new ArrayList<>();

  /** Whether somebody who is still to find out which namespaces there are has done so. */
  private volatile boolean known = true;

  private NamespaceSet() {}

  /**
   * Creates a set.
   *
   * @param namespaces those that are in it from the beginning, maybe none
   * @throws IllegalArgumentException if one of them can't be the name of a namespace
   */
  public static NamespaceSet of(String... namespaces) {
    NamespaceSet set = new NamespaceSet();
    for (String namespace : namespaces) {
      set.add(namespace);
    }
    return set;
  }

  /**
   * Adds a namespace, whether it exists on the server or not.
   *
   * @return false if it was there already
   * @throws IllegalArgumentException if it can't be the name of a namespace
   */
  public boolean add(String namespace) {
    Objects.requireNonNull(namespace, "add(...) was given null: give it the name of a namespace");
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

  /** One that fails must not keep the others from following. */
  private static void tell(Follower follower, String namespace) {
    try {
      follower.added(namespace);
    } catch (RuntimeException | Error e) {
      log.error("Failed to watch the namespace {}", namespace, e);
    }
  }

  /**
   * Removes a namespace.
   *
   * @return false if it was not there
   */
  public synchronized boolean remove(String namespace) {
    if (!names.remove(namespace)) {
      return false;
    }
    List.copyOf(followers).forEach(follower -> follower.removed(namespace));
    return true;
  }

  /** Whether a namespace is in the set. */
  public synchronized boolean contains(String namespace) {
    return names.contains(namespace);
  }

  /** The namespaces in alphabetical order; a snapshot. */
  public synchronized Set<String> names() {
    return new TreeSet<>(names);
  }

  /** Tells a follower of all that there is, and of every change from now on. */
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
