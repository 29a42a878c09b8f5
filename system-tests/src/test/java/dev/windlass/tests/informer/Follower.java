// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerStatus;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An informer, and a handler that was there from the start.
 *
 * @param <T> the typed class of the objects
 */
record Follower<T>(SharedIndexInformer<T> informer, EventCopy<T> events) {

  InformerStatus status() {
    return informer.status();
  }

  long relists() {
    return status().relists();
  }

  /** How many requests failed because of this. */
  long failures(FeedFailure.Reason reason) {
    return status().failures().getOrDefault(reason, 0L);
  }

  boolean knows(String namespace, String name) {
    return informer.indexer().get(ObjectKey.of(namespace, name)).isPresent();
  }

  /** uid and version of each object in the cache. */
  Map<ObjectKey, String> cache() {
    return versions(informer.indexer().list());
  }

  /** uid and version of each object that the handler knows of. */
  Map<ObjectKey, String> told() {
    return versions(events.objects().values());
  }

  private Map<ObjectKey, String> versions(Collection<CachedObject<T>> objects) {
    return objects.stream()
        .collect(Collectors.toMap(CachedObject::key, o -> o.uid() + " " + o.resourceVersion()));
  }

  /** The cache is what the server has, and the handler heard of all of it. */
  void assertIs(Map<ObjectKey, String> truth) {
    assertThat(cache()).as("%s: the cache", informer.status().source()).isEqualTo(truth);
    assertThat(told()).as("%s: the handler", informer.status().source()).isEqualTo(truth);
  }

  /** The loops that must run do. */
  boolean isAlive() {
    return informer.loops().stream().allMatch(loop -> loop.isRunning());
  }
}
