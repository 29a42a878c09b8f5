// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An API server that remembers what it is sent, and fails as long as the test says. */
final class FakeSink implements EventSink {
  final List<Event> created = new ArrayList<>();
  final List<Event> updated = new ArrayList<>();
  int calls;
  boolean forgetful;
  @Nullable RuntimeException failure;

  private void answer() {
    calls++;
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public synchronized void create(Event event) {
    answer();
    created.add(event);
  }

  @Override
  public synchronized boolean update(Event event) {
    answer();
    if (forgetful) {
      return false;
    }
    updated.add(event);
    return true;
  }

  /** How often what was updated had happened by then. */
  List<Integer> counts() {
    return updated.stream().map(event -> event.getSeries().getCount()).toList();
  }

  static KubernetesClientException status(int code) {
    return new KubernetesClientException("status " + code, code, null);
  }
}
