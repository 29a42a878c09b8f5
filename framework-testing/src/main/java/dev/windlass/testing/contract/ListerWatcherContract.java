// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests the behaviour that informers require of a {@link ListerWatcher}. To test an implementation,
 * extend this class. The implementation must list and watch the ConfigMaps on a server. There must
 * be no ConfigMaps on the server when a test begins. The server must keep its history of changes
 * until {@link #expireVersions()} is called.
 */
public abstract class ListerWatcherContract {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration WATCH_TIMEOUT = Duration.ofMinutes(5);

  private final ObjectDecoder<ConfigMap> decoder =
      new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class));
  private final Semaphore wakeUps = new Semaphore(0);

  /** Creates an instance for one test. JUnit calls this constructor. */
  protected ListerWatcherContract() {}

  /** Returns the implementation to test. */
  protected abstract ListerWatcher listerWatcher();

  /** Creates a ConfigMap in the namespace {@code default}, or updates its data if it exists. */
  protected abstract void put(String name, String data);

  /** Deletes a ConfigMap in the namespace {@code default}. */
  protected abstract void delete(String name);

  /** Discards the server's history, so that watches cannot start at earlier resourceVersions. */
  protected abstract void expireVersions();

  @Test
  void listsEachObjectOnceInPagesOfOneVersion() throws InterruptedException {
    List.of("a", "b", "c", "d", "e").forEach(name -> put(name, "1"));
    List<String> names = new ArrayList<>();
    TreeSet<String> versions = new TreeSet<>();
    String token = "";
    do {
      List<FeedEvent> page = list(new ListRequest(2, token));
      FeedEvent.ListEnd end =
          assertInstanceOf(FeedEvent.ListEnd.class, page.remove(page.size() - 1));
      assertTrue(page.size() <= 2, () -> "more objects than requested: " + page);
      page.forEach(event -> names.add(describe(event)));
      versions.add(end.resourceVersion());
      token = end.continueToken();
    } while (!token.isEmpty());
    assertEquals(
        List.of("LISTED a 1", "LISTED b 1", "LISTED c 1", "LISTED d 1", "LISTED e 1"),
        names.stream().sorted().toList());
    assertEquals(1, versions.size(), () -> "the pages have several versions: " + versions);
    assertFalse(versions.first().isEmpty(), "a watch needs the version of the list");
  }

  @Test
  void listsAnEmptyServer() throws InterruptedException {
    List<FeedEvent> events = list(new ListRequest(0, ""));
    assertEquals(1, events.size(), events::toString);
    assertFalse(version(events).isEmpty(), "a watch needs the version of the list");
  }

  @Test
  void watchesEachChangeAfterAVersionInOrder() throws InterruptedException {
    put("a", "1");
    String version = version(list(new ListRequest(0, "")));
    put("b", "1"); // before the watch begins
    try (FeedStream watch = watch(version)) {
      assertInstanceOf(FeedEvent.Opened.class, next(watch));
      assertEquals("ADDED b 1", describe(next(watch)));
      put("a", "2");
      delete("b");
      put("b", "3");
      assertEquals("MODIFIED a 2", describe(next(watch)));
      assertEquals("DELETED b 1", describe(next(watch)));
      assertEquals("ADDED b 3", describe(next(watch)));
    }
  }

  /** Each event must run the wake-up action, because an informer sleeps until it is woken. */
  @Test
  void pollsWithoutBlockingAndWakesForEachEvent() throws InterruptedException {
    try (FeedStream watch = watch(version(list(new ListRequest(0, ""))))) {
      assertInstanceOf(FeedEvent.Opened.class, next(watch));
      assertEquals(Optional.empty(), watch.poll());
      wakeUps.drainPermits();
      put("a", "1");
      assertTrue(wakeUps.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS), "nobody was woken");
      assertEquals("ADDED a 1", describe(next(watch)));
    }
  }

  @Test
  void reportsThatAVersionHasExpired() throws InterruptedException {
    put("a", "1");
    String version = version(list(new ListRequest(0, "")));
    put("a", "2");
    put("a", "3");
    expireVersions();
    try (FeedStream watch = watch(version)) {
      FeedEvent event = next(watch);
      while (event instanceof FeedEvent.Opened) {
        event = next(watch);
      }
      FeedEvent.Failed failed = assertInstanceOf(FeedEvent.Failed.class, event);
      assertEquals(FeedFailure.Reason.EXPIRED, failed.failure().reason());
    }
  }

  @Test
  void closesAStreamMoreThanOnce() throws InterruptedException {
    FeedStream watch = watch(version(list(new ListRequest(0, ""))));
    watch.close();
    watch.close();
    put("a", "1");
    FeedStream list = listerWatcher().list(new ListRequest(0, ""), () -> {});
    list.close();
    list.close();
  }

  @Test
  void describesItselfInOneLine() {
    String description = listerWatcher().describe();
    assertFalse(description.isBlank(), "log messages name the watched objects");
    assertEquals(1, description.lines().count(), description);
    assertFalse(listerWatcher().access().verbs().isEmpty(), "messages name the permission");
  }

  private List<FeedEvent> list(ListRequest request) throws InterruptedException {
    List<FeedEvent> events = new ArrayList<>();
    try (FeedStream stream = listerWatcher().list(request, wakeUps::release)) {
      FeedEvent event = next(stream);
      while (!(event instanceof FeedEvent.ListEnd)) {
        if (!(event instanceof FeedEvent.Opened)) {
          describe(event); // fails unless it is an object
          events.add(event);
        }
        event = next(stream);
      }
      events.add(event);
    }
    return events;
  }

  private static String version(List<FeedEvent> list) {
    return ((FeedEvent.ListEnd) list.get(list.size() - 1)).resourceVersion();
  }

  private FeedStream watch(String version) {
    return listerWatcher().watch(new WatchRequest(version, WATCH_TIMEOUT), wakeUps::release);
  }

  /** Waits for the next event other than a bookmark, and returns it. */
  private FeedEvent next(FeedStream stream) throws InterruptedException {
    Optional<FeedEvent> event = stream.poll();
    while (event.isEmpty() || event.get() instanceof FeedEvent.Bookmark) {
      if (event.isEmpty()) {
        assertTrue(
            wakeUps.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS),
            () -> "no event within " + PATIENCE.toSeconds() + " s");
      }
      event = stream.poll();
    }
    return event.get();
  }

  /** Describes an event by its type, and by the name and data of its ConfigMap. */
  private String describe(FeedEvent event) {
    FeedEvent.Change change = assertInstanceOf(FeedEvent.Change.class, event);
    CachedObject<ConfigMap> object = change.json().decode(decoder);
    return change.type()
        + " "
        + object.key().name()
        + " "
        + String.join(",", object.decode().getData().values());
  }
}
