// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.mock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the watch that is opened with each list, whatever the calls do. */
@Timeout(60)
final class DslListerWatcherCallsTest {

  private final CountDownLatch watchClosed = new CountDownLatch(1);
  private final CountDownLatch listing = new CountDownLatch(1);
  private final CountDownLatch mayList = new CountDownLatch(1);
  private final Semaphore news = new Semaphore(0);
  private volatile Throwable failure = new IllegalStateException();

  private final DslListerWatcher source =
      new DslListerWatcher(
          ResourceType.of(ConfigMap.class),
          WatchScope.ALL,
          "a test",
          new DslListerWatcher.Calls() {
            @Override
            public Watch watch(Watcher<GenericKubernetesResource> watcher) {
              return watchClosed::countDown;
            }

            @Override
            public GenericKubernetesResourceList list() {
              listing.countDown();
              try {
                mayList.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              if (failure instanceof RuntimeException e) {
                throw e;
              } else if (failure instanceof Error e) {
                throw e;
              }
              GenericKubernetesResourceList list = new GenericKubernetesResourceList();
              list.setMetadata(new ListMetaBuilder().withResourceVersion("7").build());
              return list;
            }
          });

  private FeedEvent next(FeedStream stream) throws InterruptedException {
    Optional<FeedEvent> event = stream.poll();
    while (event.isEmpty()) {
      news.acquire();
      event = stream.poll();
    }
    return event.get();
  }

  /** A thread that dies must not leave the reflector waiting for a minute. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalArgumentException.class, NoClassDefFoundError.class})
  void tellsOfAnyFailure(Class<? extends Throwable> thrown) throws Exception {
    failure = thrown.getDeclaredConstructor().newInstance();
    mayList.countDown();
    FeedStream list = source.list(new ListRequest(500, ""), news::release);
    FeedEvent.Failed failed = (FeedEvent.Failed) next(list);
    assertThat(failed.failure().reason()).isEqualTo(FeedFailure.Reason.INTERNAL);
    assertThat(failed.failure().message()).contains(thrown.getName());
    assertThat(watchClosed.await(20, TimeUnit.SECONDS)).isTrue();
    list.close();
  }

  @Test
  void closesTheWatchOfAListThatIsGivenUp() throws Exception {
    FeedStream list = source.list(new ListRequest(500, ""), news::release);
    listing.await();
    list.close();
    assertThat(watchClosed.await(20, TimeUnit.SECONDS)).isTrue();
    mayList.countDown();
  }

  @Test
  void keepsTheWatchOfAListThatWasRead() throws Exception {
    failure = new Exception("none");
    mayList.countDown();
    FeedStream list = source.list(new ListRequest(500, ""), news::release);
    assertThat(next(list)).isEqualTo(new FeedEvent.ListEnd("7", ""));
    list.close();
    FeedStream watch = source.watch(new WatchRequest("7", Duration.ofMinutes(5)), news::release);
    assertThat(next(watch)).isEqualTo(new FeedEvent.Opened());
    assertThat(watchClosed.getCount()).isEqualTo(1);
    watch.close();
    assertThat(watchClosed.getCount()).isZero();
  }
}
