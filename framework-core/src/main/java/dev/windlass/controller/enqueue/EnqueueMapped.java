// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.OneLine;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests what a function says of an object, of its old state, and what it said of the object
 * last; each request once per event.
 *
 * <p>The last is remembered, because the answer for an old state may be a different one by now, and
 * because a source that is started again does not hear of the old state at all. There is one entry
 * for each object that exists and leads to requests. Nothing is forgotten before the requests for
 * it are in the sink, nor if that was closed meanwhile.
 */
final class EnqueueMapped<T> implements StatefulEventHandler<T> {

  private static final Logger log = LoggerFactory.getLogger(EventHandler.class);

  private final Function<CachedObject<T>, ? extends Collection<Request>> requestsOf;
  private final Map<ObjectKey, List<Request>> links = new ConcurrentHashMap<>();

  EnqueueMapped(Function<CachedObject<T>, ? extends Collection<Request>> requestsOf) {
    this.requestsOf = requestsOf;
  }

  @Override
  public void handle(ResourceEvent<T> event, RequestSink sink) {
    Set<Request> requests = new LinkedHashSet<>(links.getOrDefault(event.key(), List.of()));
    if (event instanceof ResourceEvent.Updated<T> updated && !updated.isResync()) {
      requests.addAll(ask(updated.old()).orElse(List.of()));
    }
    Optional<List<Request>> now = ask(event.object());
    requests.addAll(now.orElse(List.of()));
    requests.forEach(sink::add);
    if (event.type() == ResourceEvent.Type.GENERIC) {
      return; // says nothing of what the API server holds
    }
    if (!sink.isOpen()) {
      remember(event.key(), List.copyOf(requests)); // they may be lost: the next run asks for them
    } else if (event.type() == ResourceEvent.Type.DELETED) {
      forget(event.key());
    } else {
      now.ifPresent(latest -> remember(event.key(), latest));
    }
  }

  /** Empty if it fails: one state that it can't take must not hide what it says of the other. */
  private Optional<List<Request>> ask(CachedObject<T> object) {
    try {
      Collection<Request> requests = requestsOf.apply(object);
      if (requests == null) {
        throw new IllegalStateException(
            "the function that maps a "
                + object.type().kind()
                + " to requests returned null; it must return a list, empty for none");
      }
      if (requests.stream().anyMatch(Objects::isNull)) {
        throw new IllegalStateException(
            "the function that maps a "
                + object.type().kind()
                + " to requests returned a null among them");
      }
      return Optional.of(List.copyOf(requests));
    } catch (Exception | Error e) {
      log.error(
          "The mapping of {} to requests failed; nothing is reconciled for it",
          object,
          OneLine.of(e));
      return Optional.empty();
    }
  }

  private void remember(ObjectKey key, List<Request> requests) {
    if (requests.isEmpty()) {
      links.remove(key);
    } else {
      links.put(key, requests);
    }
  }

  /** Of how many objects it remembers something. */
  int remembered() {
    return links.size();
  }

  @Override
  public StatefulEventHandler<T> fresh() {
    return new EnqueueMapped<>(requestsOf);
  }

  @Override
  public void forget(ObjectKey key) {
    links.remove(key);
  }

  @Override
  public void forgetNamespace(String namespace) {
    links.keySet().removeIf(key -> key.namespace().equals(namespace));
  }

  @Override
  public void recall(RequestSink sink) {
    Map<ObjectKey, List<Request>> before = Map.copyOf(links);
    Set<Request> all = new LinkedHashSet<>();
    before.values().forEach(all::addAll);
    all.forEach(sink::add);
    if (sink.isOpen()) {
      before.forEach(links::remove);
    }
  }
}
