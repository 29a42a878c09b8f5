// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.Selector;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces to which a builder restricts its controller: by name, as a set that may change, or
 * by their labels. Without any of these there is no restriction.
 */
public final class NamespaceSelection {

  private final Set<String> names = new LinkedHashSet<>();
  private @Nullable NamespaceSet changing;
  private @Nullable String labels;
  private boolean addedNone;
  private boolean chosenAgain;

  public void add(List<String> more) {
    addedNone |= more.isEmpty();
    names.addAll(more);
  }

  /** Takes those of a set, whatever is in it at any time. */
  public void follow(NamespaceSet set) {
    chosenAgain |= changing != null && changing != set;
    changing = set;
  }

  /**
   * Takes those whose labels match.
   *
   * @throws IllegalArgumentException if that is no selector
   */
  public void select(String selector) {
    Selector.parse(selector);
    chosenAgain |= changing != null;
    changing = NamespaceSet.of();
    labels = selector;
  }

  /** Those that are known by name, and stay. */
  Set<String> names() {
    return names;
  }

  /** The set that may change, if there is one. */
  Optional<NamespaceSet> changing() {
    return Optional.ofNullable(changing);
  }

  /** What finds the namespaces while the controller runs, if somebody has to. */
  Optional<Source> finder(SharedInformerFactory informers) {
    String selector = labels;
    NamespaceSet set = changing;
    return selector == null || set == null
        ? Optional.empty()
        : Optional.of(Source.namespaces(informers, selector, set));
  }

  /** Whether Namespaces themselves are watched. */
  boolean isByLabels() {
    return labels != null;
  }

  /** Whether it decides where a type is watched. */
  boolean restricts(InformerSpec<?> spec) {
    return (!names.isEmpty() || changing != null)
        && spec.type().namespaced()
        && spec.scope().namespace().isEmpty();
  }

  /**
   * Which namespaces these are at any time; the empty one stands for all. No answer without a
   * restriction; who chooses by labels must be able to read all.
   */
  Optional<Supplier<Set<String>>> now() {
    NamespaceSet set = changing;
    if (set != null) {
      return Optional.of(labels == null ? set::names : () -> Set.of(""));
    }
    Set<String> fixed = Set.copyOf(names);
    return fixed.isEmpty() ? Optional.empty() : Optional.of(() -> fixed);
  }

  /** What does not go together, as the end of a sentence about the controller. */
  Optional<String> misuse(List<InformerSpec<?>> watched) {
    if (addedNone) {
      return Optional.of(
          "is restricted by inNamespaces() without a namespace: leave it out to watch all of them, or"
              + " give it a NamespaceSet, which may be empty");
    }
    for (String name : names) {
      try {
        WatchScope.namespace(name);
      } catch (IllegalArgumentException e) {
        return Optional.of("can't be restricted by inNamespaces(...): " + e.getMessage());
      }
    }
    if (names.contains("")) {
      return Optional.of(
          "is restricted to the namespace '': leave inNamespaces(...) out to watch all of them");
    }
    if (chosenAgain || (!names.isEmpty() && changing != null)) {
      return Optional.of(
          "is restricted to namespaces twice: call inNamespaces(...) with names or with one"
              + " NamespaceSet, or inNamespacesWith(...)");
    }
    if ((!names.isEmpty() || changing != null) && watched.stream().noneMatch(this::restricts)) {
      return Optional.of(
          "is restricted to the namespaces "
              + this
              + ", but watches nothing that lives in them: leave inNamespaces(...) out");
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return labels != null ? "with " + labels : String.valueOf(changing == null ? names : changing);
  }
}
