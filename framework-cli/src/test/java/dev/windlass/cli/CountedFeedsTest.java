// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** How much of a list has arrived. */
final class CountedFeedsTest {

  private static final FeedEvent.Json OBJECT = FeedEvent.Json.of("{}");

  private final Queue<FeedEvent> events = new ArrayDeque<>();
  private final CountedFeeds feeds = new CountedFeeds();
  private final ListerWatcher feed =
      feeds.counted(
          new Scripted(events), ResourceType.of(ConfigMap.class), WatchScope.namespace("shop"));

  /** Says what a test has prepared. */
  private record Scripted(Queue<FeedEvent> events) implements ListerWatcher {

    private FeedStream stream() {
      return new FeedStream() {
        @Override
        public Optional<FeedEvent> poll() {
          return Optional.ofNullable(events.poll());
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public FeedStream list(ListRequest request, Runnable wakeUp) {
      return stream();
    }

    @Override
    public FeedStream watch(WatchRequest request, Runnable wakeUp) {
      return stream();
    }

    @Override
    public boolean streamsLists() {
      return true;
    }

    @Override
    public String describe() {
      return "a script";
    }
  }

  private void read(FeedStream stream, FeedEvent... answer) {
    events.addAll(List.of(answer));
    for (FeedEvent expected : answer) {
      assertThat(stream.poll()).contains(expected);
    }
    assertThat(stream.poll()).isEmpty();
  }

  private long arrived() {
    return feeds.arrived("configmaps", "shop");
  }

  private static WatchRequest stream() {
    return new WatchRequest("", Duration.ofMinutes(1), true, Projection.FULL);
  }

  @Test
  void countsTheObjectsOfAllPages() {
    read(
        feed.list(new ListRequest(2, ""), () -> {}),
        new FeedEvent.Opened(),
        FeedEvent.listed(OBJECT),
        FeedEvent.listed(OBJECT),
        new FeedEvent.ListEnd("7", "next"));
    read(feed.list(new ListRequest(2, "next"), () -> {}), FeedEvent.listed(OBJECT));
    assertThat(arrived()).isEqualTo(3);
    assertThat(feeds.arrived("configmaps", "")).isZero();
  }

  @Test
  void countsTheObjectsOfAStream() {
    read(feed.watch(stream(), () -> {}), FeedEvent.added(OBJECT), FeedEvent.added(OBJECT));
    assertThat(arrived()).isEqualTo(2);
  }

  @Test
  void beginsAnewWithEachList() {
    read(feed.watch(stream(), () -> {}), FeedEvent.added(OBJECT));
    read(feed.list(new ListRequest(2, ""), () -> {}), FeedEvent.listed(OBJECT));
    assertThat(arrived()).isEqualTo(1);
    feed.watch(stream(), () -> {});
    assertThat(arrived()).isZero();
  }

  @Test
  void countsTheFeedsOfAnyConnector() {
    ListerWatcher other =
        feeds
            .counting(client -> (type, scope) -> new Scripted(events))
            .with(null)
            .connect(ResourceType.of(ConfigMap.class), WatchScope.namespace("shop"));
    read(other.list(new ListRequest(2, ""), () -> {}), FeedEvent.listed(OBJECT));
    assertThat(arrived()).isEqualTo(1);
  }

  @Test
  void leavesChangesOut() {
    read(
        feed.watch(new WatchRequest("7", Duration.ofMinutes(1)), () -> {}),
        FeedEvent.added(OBJECT));
    assertThat(arrived()).isZero();
  }

  @Test
  void isTheSameFeedInAllElse() {
    assertThat(feed.streamsLists()).isTrue();
    assertThat(feed.describe()).isEqualTo("a script");
    assertThat(feed.access()).isEqualTo(new Scripted(events).access());
  }
}
