// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.logging.OneLine;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.UndecodableException;
import dev.windlass.scheduling.FatalErrors;
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
 * Adds the requests that a function returns for an object. For an update, the handler calls the
 * function for both the old and the new version of the object. It also adds the requests that the
 * function returned for the last event of the object. The handler adds each request once per event.
 *
 * <p>The handler stores the last result for two reasons. The function may later return a different
 * result for the old version, and a restarted source does not receive the old version. The handler
 * stores a result for each existing object for which the function returned at least one request. It
 * replaces or removes a result only after the sink has received the requests. If the sink is
 * closed, it keeps the requests for the next run.
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
      return; // a generic event does not describe server state
    }
    if (!sink.isOpen()) {
      remember(event.key(), List.copyOf(requests)); // may be lost; the next run repeats them
    } else if (event.type() == ResourceEvent.Type.DELETED) {
      forget(event.key());
    } else {
      now.ifPresent(latest -> remember(event.key(), latest));
    }
  }

  /**
   * Calls the function for one version of an object. If the function fails, logs the failure and
   * returns empty. The result for the other version is still used.
   */
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
                + " to requests returned a list that contains null");
      }
      return Optional.of(List.copyOf(requests));
    } catch (Exception | Error e) {
      FatalErrors.rethrow(e);
      if (e instanceof UndecodableException misfit
          && misfit.key().filter(key -> !key.equals(object.key())).isEmpty()) {
        UndecodableException.Log.omitted(object, misfit);
        return Optional.empty();
      }
      log.error(
          "Failed to map {} to requests; nothing is reconciled for it", object, OneLine.of(e));
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

  /** Returns the number of objects for which requests are stored. */
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
