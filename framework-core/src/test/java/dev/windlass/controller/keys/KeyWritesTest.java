// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.pipeline.WriterContext.Write;
import dev.windlass.client.pipeline.WriterContext.Written;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.enqueue.RequestCause.Change;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyWritesTest {

  private static final ResourceType MAPS = ResourceType.of(ConfigMap.class);
  private static final Request FOO = Request.of("here", "foo");
  private static final ObjectKey MAP = new ObjectKey("here", "map");

  private final List<Request> ignored = new ArrayList<>();
  private final List<Change> added = new ArrayList<>();
  private final ManualScheduler time = new ManualScheduler();
  private final ControllerRun run =
      new ControllerRun(
          ControllerConfigs.config(
              time,
              c -> {
                c.options = ControllerOptions.defaults().with(o -> o.ignoreOwnEvents = true);
                c.listener =
                    new ControllerListener() {
                      @Override
                      public void reconciled(Request request, Outcome outcome, Duration took) {}

                      @Override
                      public void ownEventIgnored(Request request) {
                        ignored.add(request);
                      }
                    };
              }));

  KeyWritesTest() {
    run.keys().openQueue(run.keys().begin(0));
  }

  private Written begin(long replaced) {
    return run.keys().ownWrites(FOO).before(new Write("", "", "configmaps", "here", replaced));
  }

  private void written(long replaced, long version) {
    ended(begin(replaced), "map", version);
  }

  private void ended(Written write, String name, long version) {
    write.ended(name, version);
    take();
  }

  private void arrives(long from, long to) {
    arrives(FOO, "", from, to);
  }

  private void arrives(Request request, String cluster, long from, long to) {
    arrives(request, MAP, new Change(MAPS, cluster, from, to));
  }

  private void arrives(Request request, ObjectKey key, Change change) {
    RequestCause cause = new RequestCause("ConfigMap", RequestCause.Kind.UPDATED, key, change);
    run.keys().add(request, Priority.NORMAL, cause);
    take();
  }

  /** Takes what was added from the queue. */
  private void take() {
    for (var item = run.keys().queue().poll(); item.isPresent(); item = run.keys().queue().poll()) {
      Request request = item.get().key();
      KeyState.Begun begun = run.keys().queue().record(request, KeyState::begin);
      begun.reasons().forEach(reason -> added.add(((RequestCause) reason).change()));
      item.get().close();
    }
  }

  private int takeIgnored() {
    return run.keys().queue().record(FOO, KeyState::begin).ignoredEvents();
  }

  private int size() {
    int[] states = {0};
    run.keys().queue().forEach((request, state) -> states[0]++);
    return states[0];
  }

  @Test
  void ignoresACreationAndAnUpdateOfItsOwn() {
    written(Change.NONE, 5);
    written(5, 7);
    arrives(Change.NONE, 5);
    arrives(5, 7);
    assertThat(added).isEmpty();
    assertThat(ignored).containsExactly(FOO, FOO);
    assertThat(takeIgnored()).isEqualTo(2);
    assertThat(takeIgnored()).isZero();
  }

  /** The second source that watches the same type delivers the same event. */
  @Test
  void ignoresTheSameEventFromSeveralSources() {
    written(Change.NONE, 5);
    arrives(Change.NONE, 5);
    arrives(Change.NONE, 5);
    assertThat(added).isEmpty();
  }

  @Test
  void ignoresOwnWritesThatACacheHasMerged() {
    written(5, 7);
    written(7, 9);
    arrives(5, 9);
    assertThat(added).isEmpty();
  }

  /** Between 5 and 7, somebody else has written 6, or the event shows a later state. */
  @ParameterizedTest
  @CsvSource({"5, 7", "6, 8", "0, 7", "5, 6", "7, 7", "-1, 7", "6, -1"})
  void acceptsWhatIsNotExactlyItsOwnWrite(long from, long to) {
    written(6, 7);
    arrives(from, to);
    assertThat(added).hasSize(1);
    assertThat(ignored).isEmpty();
  }

  @Test
  void acceptsAMergedEventThatHidesAForeignWrite() {
    written(5, 7);
    written(8, 9); // 8 is foreign
    arrives(5, 9);
    assertThat(added).hasSize(1);
  }

  @Test
  void acceptsTheEventsOfOtherRequestsClustersAndObjects() {
    written(6, 7);
    arrives(Request.of("here", "other"), "", 6, 7);
    arrives(FOO, "other", 6, 7);
    Change change = new Change(MAPS, "", 6, 7);
    arrives(FOO, new ObjectKey("here", "b"), change);
    arrives(FOO, new ObjectKey("there", "map"), change);
    assertThat(added).hasSize(4);
  }

  @Test
  void letsAnEventWaitForTheResponseToItsWrite() {
    Written sent = begin(Change.NONE);
    arrives(Change.NONE, 5);
    assertThat(added).isEmpty();
    ended(sent, "map", 5);
    assertThat(added).isEmpty();
    assertThat(ignored).containsExactly(FOO);
  }

  @Test
  void acceptsAForeignEventOnceAllWritesHaveEnded() {
    Written first = begin(5);
    Written second = begin(5);
    arrives(5, 6);
    ended(first, "map", 7);
    assertThat(added).isEmpty();
    ended(second, "", -1);
    assertThat(added).hasSize(1);
  }

  /** An event is never lost. */
  @Test
  void acceptsTheEventOfAWriteWithAnUnknownOutcome() {
    Written unknown = begin(5);
    arrives(5, 6);
    ended(unknown, "", -1);
    assertThat(added).hasSize(1);
    assertThat(size()).isZero();
  }

  /** The answer to a write that changes nothing has the version that was there before. */
  @Test
  void remembersNothingOfAWriteWithoutEffect() {
    written(6, 6);
    assertThat(size()).isZero();
  }

  @Test
  void forgetsTheOldestStates() {
    for (int i = 1; i <= KeyWrites.REMEMBERED + 1; i++) {
      written(i, i + 1);
    }
    arrives(1, 2);
    assertThat(added).hasSize(1);
    arrives(2, 3);
    assertThat(added).hasSize(1);
  }

  @Test
  void forgetsEverythingAMinuteAfterTheLastWrite() {
    written(6, 7);
    assertThat(size()).isEqualTo(1);
    time.advance(Duration.ofMinutes(1));
    run.keys().queue().add(Request.of("here", "other"));
    take();
    assertThat(size()).isZero();
  }
}
