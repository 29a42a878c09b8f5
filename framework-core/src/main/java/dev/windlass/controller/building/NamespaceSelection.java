// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.selector.Selector;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces to which a builder restricts its controller. The user selects them by name, with a
 * {@link NamespaceSet}, or with a label selector. Without a selection, the controller is not
 * restricted.
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

  /** Selects the namespaces in the given set, including those added later. */
  public void follow(NamespaceSet set) {
    chosenAgain |= changing != null && changing != set;
    changing = set;
  }

  /**
   * Selects the namespaces whose labels match the given selector.
   *
   * @throws IllegalArgumentException if the selector is invalid
   */
  public void select(String selector) {
    Selector.parse(selector);
    chosenAgain |= changing != null;
    changing = NamespaceSet.of();
    labels = selector;
  }

  /** Returns the namespaces that were selected by name. They do not change. */
  Set<String> names() {
    return names;
  }

  /** Returns the set of the selected namespaces if the selection can change, or empty otherwise. */
  Optional<NamespaceSet> changing() {
    return Optional.ofNullable(changing);
  }

  /**
   * Returns the source that watches for matching namespaces, or empty if the namespaces are not
   * selected by label.
   */
  Optional<Source> finder(SharedInformerFactory informers) {
    String selector = labels;
    NamespaceSet set = changing;
    return selector == null || set == null
        ? Optional.empty()
        : Optional.of(Source.namespaces(informers, selector, set));
  }

  /** Returns whether the namespaces are selected by label. This requires a watch of Namespaces. */
  boolean isByLabels() {
    return labels != null;
  }

  /** Returns whether this selection restricts the namespaces in which a type is watched. */
  boolean restricts(InformerSpec<?> spec) {
    return (!names.isEmpty() || changing != null)
        && spec.type().namespaced()
        && spec.scope().namespace().isEmpty();
  }

  /**
   * Returns a supplier of the current namespaces, or empty if there is no restriction. An empty
   * string stands for all namespaces. A selection by label supplies an empty string, because it
   * requires permissions in all namespaces.
   */
  Optional<Supplier<Set<String>>> now() {
    NamespaceSet set = changing;
    if (set != null) {
      return Optional.of(labels == null ? set::names : () -> Set.of(""));
    }
    Set<String> fixed = Set.copyOf(names);
    return fixed.isEmpty() ? Optional.empty() : Optional.of(() -> fixed);
  }

  /**
   * Returns a description of the conflict between this selection and the scope of a manager, or
   * empty if there is none. A manager that is restricted to one namespace must not watch others,
   * because the user who starts the program relies on the restriction. The description completes a
   * sentence that begins with the name of the controller.
   */
  Optional<String> conflict(InformerSpec<?> watched, WatchScope manager) {
    boolean inside =
        manager.namespace().isEmpty()
            || !restricts(watched)
            || (changing == null && names.equals(Set.of(manager.namespace())));
    return inside
        ? Optional.empty()
        : Optional.of(
            "watches the namespaces %s by %s, but the program is restricted to the namespace '%s' (--namespace, WINDLASS_NAMESPACE or ManagerBuilder.namespace): remove one of the two restrictions"
                .formatted(
                    this,
                    labels == null ? "inNamespaces(...)" : "inNamespacesWith(...)",
                    manager.namespace()));
  }

  /**
   * Returns a description of the first error in the selection, or empty if the selection is valid.
   * The description completes a sentence that begins with the name of the controller.
   */
  Optional<String> misuse(List<InformerSpec<?>> watched) {
    if (addedNone) {
      return Optional.of(
          "has inNamespaces() without a namespace: leave the call out to watch all namespaces, or"
              + " pass a NamespaceSet, which may be empty");
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
