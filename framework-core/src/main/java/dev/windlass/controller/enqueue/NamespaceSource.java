// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.reflector.WatchScope;
import io.fabric8.kubernetes.api.model.Namespace;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps a {@link NamespaceSet} up to date: the set contains the namespaces whose labels match a
 * selector. This source does not request reconciles. {@link Source#namespaces} creates instances.
 */
final class NamespaceSource implements Source {

  private final NamespaceSet namespaces;
  private final InformerSource<Namespace> source;

  NamespaceSource(SharedInformerFactory informers, String selector, NamespaceSet namespaces) {
    this.namespaces = namespaces;
    this.source =
        Source.informer(
            informers,
            spec(selector),
            EventPredicate.always(),
            (event, sink) -> take(event),
            Duration.ZERO);
  }

  static InformerSpec<Namespace> spec(String selector) {
    return InformerSpec.of(Namespace.class).in(WatchScope.ALL.withLabels(selector));
  }

  private void take(ResourceEvent<Namespace> event) {
    String name = event.key().name();
    if (event.type() == ResourceEvent.Type.DELETED) {
      namespaces.remove(name);
    } else {
      namespaces.add(name);
    }
  }

  /**
   * Starts the watch. After the initial list, this source removes all namespaces from the set that
   * are not in the list. These namespaces were deleted, or stopped matching, while the source was
   * stopped.
   */
  @Override
  public Running start(PrioritySink sink) {
    namespaces.known(false);
    Running started = source.start(sink);
    return new Running() {
      private boolean pruned;

      @Override
      public synchronized boolean hasSynced() {
        if (!started.hasSynced()) {
          return false;
        }
        if (!pruned) {
          pruned = true;
          Set<String> gone = new HashSet<>(namespaces.names());
          source.indexer().keys().forEach(key -> gone.remove(key.name()));
          gone.forEach(namespaces::remove);
          namespaces.known(true);
        }
        return true;
      }

      @Override
      public Optional<String> problem() {
        return started.problem();
      }

      @Override
      public void stop() {
        started.stop();
      }
    };
  }

  @Override
  public String toString() {
    return "the selected " + source.watched();
  }
}
