// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.events.EventRecorder.EventType;
import dev.windlass.events.broadcast.OpenSeries.Outgoing;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which events are one, and when the server is told; against a server that takes everything. */
final class EventCorrelatorTest {

  private static final Duration TOKEN = Duration.ofMinutes(5);

  private final ManualScheduler time = new ManualScheduler();

  private final EventFactory factory = new EventFactory("c", "i", time.clock());

  private final EventCorrelator correlator = new EventCorrelator();

  private void add(String foo, String reason) {
    add(Samples.foo(foo), reason);
  }

  private void add(Foo foo, String reason) {
    var filled = factory.fill(foo, null, EventType.NORMAL, reason, "a", "m");
    correlator.add(filled.key(), filled.event(), time.nanoTime());
  }

  private void add(String foo, String reason, int times) {
    for (int i = 0; i < times; i++) {
      add(foo, reason);
    }
  }

  private static String text(Outgoing out) {
    var series = out.event().getSeries();
    return (out.exists() ? "patch " : "create ")
        + out.event().getReason()
        + (series == null ? "" : " x" + series.getCount());
  }

  /** Tells the server all that waits. */
  private List<String> told() {
    List<String> told = new ArrayList<>();
    @Nullable Outgoing next;
    while ((next = correlator.next()) != null) {
      told.add(text(next));
      correlator.sent(next, next.occurrences(), time.nanoTime());
    }
    return told;
  }

  private Outgoing next() {
    return Objects.requireNonNull(correlator.next());
  }

  private StepDelay sweep() {
    return correlator.sweep(time.nanoTime());
  }

  @Test
  void tellsOfWhatHappenedDuringTheRequest() {
    add("foo", "Synced");
    Outgoing next = next();
    add("foo", "Synced");
    correlator.sent(next, next.occurrences(), time.nanoTime());
    assertThat(told()).containsExactly("patch Synced x2");
  }

  /** client-go {@code tools/events}: 6 minutes. */
  @Test
  void beginsANewSeriesAfterSixMinutesOfSilence() {
    add("foo", "Synced");
    time.advance(EventCorrelator.END);
    add("foo", "Synced");
    assertThat(told()).containsExactly("create Synced x2");
    time.advance(EventCorrelator.END.plusNanos(1));
    add("foo", "Synced");
    assertThat(told()).containsExactly("create Synced");
  }

  /** client-go events_cache.go: 25, then one per 5 minutes; per object. */
  @Test
  void limitsWhatOneObjectMaySay() {
    for (int i = 0; i < 30; i++) {
      add("foo", "Reason" + i);
    }
    assertThat(told()).hasSize(25);
    assertThat(correlator.dropped()).isEqualTo(5);
    add("other", "Reason");
    assertThat(told()).hasSize(1);
    time.advance(TOKEN);
    add("foo", "Later");
    add("foo", "TooMuch");
    assertThat(told()).containsExactly("create Later");
    assertThat(correlator.dropped()).isEqualTo(6);
  }

  /** Objects of one name in two namespaces are two objects, uid or not. */
  @Test
  void limitsObjectsOfEachNamespaceApart() {
    for (String namespace : List.of("one", "two")) {
      Foo unborn = Samples.foo("x");
      unborn.getMetadata().setUid(null);
      unborn.getMetadata().setNamespace(namespace);
      for (int i = 0; i < 25; i++) {
        add(unborn, "Reason" + i);
      }
    }
    assertThat(told()).hasSize(50);
  }

  private void useUpTheAllowance(String foo) {
    for (int i = 0; i < 25; i++) {
      add(foo, "Synced");
      assertThat(told()).hasSize(1);
    }
  }

  /** A thousand repetitions cost one request, and not one of them is lost. */
  @Test
  void keepsCountingWhileItMayNotSend() {
    useUpTheAllowance("foo");
    add("foo", "Synced", 1000);
    assertThat(told()).isEmpty();
    assertThat(sweep()).isEqualTo(StepDelay.of(EventCorrelator.SWEEP));
    for (int i = 1; i < 10; i++) {
      time.advance(EventCorrelator.SWEEP);
      assertThat(sweep()).isEqualTo(StepDelay.of(EventCorrelator.SWEEP));
      assertThat(told()).isEmpty();
    }
    time.advance(EventCorrelator.SWEEP);
    assertThat(sweep()).as("5 minutes are over").isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(told()).containsExactly("patch Synced x1025");
    assertThat(correlator.dropped()).isZero();
  }

  /** A sweep that comes early, because somebody woke the loop, does nothing. */
  @Test
  void sweepsNotMoreOftenThanItNeedsTo() {
    useUpTheAllowance("foo");
    add("foo", "Synced");
    time.advance(TOKEN);
    assertThat(sweep()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(told()).hasSize(1);
    add("foo", "Synced");
    time.advance(Duration.ofSeconds(10));
    assertThat(sweep()).isEqualTo(StepDelay.of(Duration.ofSeconds(20)));
  }

  @Test
  void tellsTheLastCountAtTheEndOfASeries() {
    useUpTheAllowance("foo");
    add("foo", "Synced", 3);
    time.advance(TOKEN);
    add("foo", "News");
    assertThat(told()).as("it took the allowance").containsExactly("create News");
    time.advance(Duration.ofSeconds(61));
    sweep();
    assertThat(told()).containsExactly("patch Synced x28");
    add("foo", "Synced");
    assertThat(correlator.dropped()).as("a new series without an allowance").isEqualTo(1);
  }

  @Test
  void tellsTheLastCountWhenTheNextSeriesBegins() {
    useUpTheAllowance("foo");
    add("foo", "Synced", 3);
    time.advance(Duration.ofMinutes(7));
    add("foo", "Synced");
    assertThat(told()).containsExactly("patch Synced x28", "create Synced");
  }

  /** A server that was away for long answers, and the series is over by then. */
  @Test
  void tellsTheLastCountAlsoWhenTheRequestOutlivedTheSeries() {
    useUpTheAllowance("foo");
    time.advance(TOKEN);
    add("foo", "Synced");
    Outgoing slow = next();
    add("foo", "Synced");
    time.advance(Duration.ofMinutes(7));
    add("foo", "Synced");
    correlator.sent(slow, slow.occurrences(), time.nanoTime());
    assertThat(told()).containsExactly("create Synced", "patch Synced x27");
  }

  /** The number of open series is bounded; the one with the oldest repetition ends first. */
  @Test
  void endsTheOldestSeriesWhenThereAreTooMany() {
    useUpTheAllowance("oldest");
    add("oldest", "Synced");
    for (int i = 0; i < EventCorrelator.REMEMBERED; i++) {
      add("foo-" + i, "Synced");
    }
    List<String> told = told();
    assertThat(told).hasSize(EventCorrelator.REMEMBERED + 1).contains("patch Synced x26");
    add("foo-0", "Synced");
    assertThat(told()).as("is remembered").containsExactly("patch Synced x2");
  }

  @Test
  void beginsAnewAfterAFailure() {
    add("foo", "Synced", 2);
    Outgoing next = next();
    correlator.failed(next);
    assertThat(correlator.dropped()).isEqualTo(2);
    add("foo", "Synced");
    assertThat(told()).containsExactly("create Synced");
  }

  private void warn(String foo, String reason) {
    var filled = factory.fill(Samples.foo(foo), null, EventType.WARNING, reason, "a", "m");
    correlator.add(filled.key(), filled.event(), time.nanoTime());
  }

  /** What tells a person what to do must not wait behind thousands that say that all is well. */
  @Test
  void sendsWarningsFirst() {
    for (int i = 0; i < 100; i++) {
      add("foo-" + i, "Synced");
    }
    Outgoing first = Objects.requireNonNull(correlator.next());
    warn("bad", "Refused");
    correlator.sent(first, 1, time.nanoTime());
    assertThat(told()).startsWith("create Refused").hasSize(100);
  }

  /** A Warning takes the place of the latest Normal event, but not of the one under way. */
  @Test
  void dropsWarningsLast() {
    for (int i = 0; i < EventCorrelator.CAPACITY; i++) {
      add("foo-" + i, "Synced");
    }
    Outgoing first = Objects.requireNonNull(correlator.next());
    for (int i = 0; i < EventCorrelator.CAPACITY - 1; i++) {
      warn("bad-" + i, "Refused");
    }
    assertThat(correlator.dropped()).isEqualTo(EventCorrelator.CAPACITY - 1);
    warn("one too many", "Refused");
    assertThat(correlator.dropped()).isEqualTo(EventCorrelator.CAPACITY);
    assertThat(correlator.crowded()).isEqualTo(EventCorrelator.CAPACITY);
    correlator.sent(first, 1, time.nanoTime());
    assertThat(told()).hasSize(EventCorrelator.CAPACITY - 1).allMatch("create Refused"::equals);
  }

  /** With more objects than series a resync must not make an Event for each of them, each time. */
  @Test
  void makesNoNewEventsForRepetitionsThatFindNoRoom() {
    int objects = 5_100;
    int[] created = new int[12];
    for (int pass = 0; pass < created.length; pass++) {
      for (int i = 0; i < objects; i++) {
        add("foo-" + i, "Synced");
        created[pass] += (int) told().stream().filter("create Synced"::equals).count();
      }
      time.advance(Duration.ofSeconds(pass < 4 ? 30 : 120)); // longer than any limit counts
    }
    assertThat(created[0]).isEqualTo(objects);
    for (int pass = 1; pass < created.length; pass++) {
      assertThat(created[pass]).as("at pass %s", pass).isZero();
    }
    time.advance(EventCorrelator.SUPPRESSED);
    add("foo-0", "Synced");
    assertThat(told()).as("the server may have forgotten it").contains("create Synced");
  }

  private static final Duration PER_TOKEN = Duration.ofMinutes(5);

  private final EventLimiter<String> limiter = new EventLimiter<>(3, PER_TOKEN, 2);

  private int takeAll(String key, Duration at) {
    int taken = 0;
    while (limiter.tryTake(key, at.toNanos())) {
      taken++;
    }
    return taken;
  }

  @Test
  void savesUpNoMoreThanTheBurst() {
    takeAll("a", Duration.ZERO);
    assertThat(takeAll("a", Duration.ofDays(1000))).isEqualTo(3);
  }

  @Test
  void losesNoTimeToThoseWhoAskTooEarly() {
    takeAll("a", Duration.ZERO);
    for (int i = 1; i < 10; i++) {
      assertThat(takeAll("a", PER_TOKEN.dividedBy(10).multipliedBy(i))).isZero();
    }
    assertThat(takeAll("a", PER_TOKEN)).isEqualTo(1);
  }

  /** The number of keys is bounded; the least recently used key is removed. */
  @Test
  void forgetsTheKeyThatWasUsedLongestAgo() {
    takeAll("a", Duration.ZERO);
    takeAll("b", Duration.ZERO);
    takeAll("a", Duration.ZERO);
    takeAll("c", Duration.ZERO);
    assertThat(takeAll("a", Duration.ZERO)).as("used after b").isZero();
    assertThat(takeAll("b", Duration.ZERO)).as("forgotten").isEqualTo(3);
  }
}
