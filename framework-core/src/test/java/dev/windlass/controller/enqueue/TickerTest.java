// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class TickerTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualScheduler time = new ManualScheduler();
  private final InformerOptions options =
      InformerOptions.defaults().withScheduler(time).withRandom(new Random(7));
  private final RecordingSink sink = new RecordingSink();
  private List<Request> answer = List.of(Request.of("a"), Request.of("b"));

  private Ticker.Run run(double jitter) {
    return new Ticker(MINUTE, jitter, () -> answer, options).run(sink);
  }

  /** At each period, not before the first is over. */
  @Test
  void asksOncePerPeriod() {
    Ticker.Run run = run(0);
    assertThat(run.hasSynced()).isTrue();
    assertThat(run.run()).isEqualTo(StepDelay.of(MINUTE));
    assertThat(sink.keys()).isEmpty();
    time.advance(MINUTE.minusSeconds(1));
    assertThat(run.run()).as("woken too early").isEqualTo(StepDelay.of(Duration.ofSeconds(1)));
    assertThat(sink.keys()).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(run.run()).isEqualTo(StepDelay.of(MINUTE));
    assertThat(sink.keys()).containsExactly("a", "b");
    assertThat(sink.causes).contains("the ticker every 1 min TICKED");
    answer = List.of();
    time.advance(MINUTE);
    run.run();
    assertThat(sink.keys()).containsExactly("a", "b");
  }

  @Test
  void keepsItsPaceAndDoesNotMakeUpForMissedTicks() {
    Ticker.Run run = run(0);
    time.advance(MINUTE.plusSeconds(10));
    assertThat(run.run()).isEqualTo(StepDelay.of(Duration.ofSeconds(50)));
    time.advance(MINUTE.multipliedBy(10));
    assertThat(run.run()).isEqualTo(StepDelay.of(MINUTE));
    assertThat(sink.keys()).containsExactly("a", "b", "a", "b");
  }

  @Test
  void spreadsTicksOverTheJitter() {
    Ticker.Run run = run(0.5);
    Duration first = run.run().limit().orElseThrow();
    assertThat(first).isBetween(MINUTE, MINUTE.plusSeconds(30)).isNotEqualTo(MINUTE);
    time.advance(first);
    Duration second = run.run().limit().orElseThrow();
    assertThat(second).isBetween(MINUTE, MINUTE.plusSeconds(30)).isNotEqualTo(first);
    assertThat(sink.keys()).containsExactly("a", "b");
  }

  @Test
  void namesItselfIfItsSupplierReturnsNull() {
    for (Collection<Request> bad :
        Arrays.asList(null, Arrays.asList(Request.of("a"), (Request) null))) {
      Ticker.Run run = new Ticker(MINUTE, 0, () -> bad, options).run(sink);
      time.advance(MINUTE);
      run.run();
      assertThat(run.problem().orElseThrow())
          .endsWith(
              "the supplier of the ticker every 1 min returned null, or a null request; it must"
                  + " return a list, empty for none");
    }
    assertThat(sink.keys()).isEmpty();
  }

  /** A supplier that fails is reported and called again. */
  @Test
  void tellsTroubleUntilTheSupplierAnswers() {
    List<String> failures = new CopyOnWriteArrayList<>(List.of("no connection"));
    Ticker.Run run =
        new Ticker(
                MINUTE,
                0,
                () -> {
                  if (!failures.isEmpty()) {
                    throw new IllegalStateException(failures.remove(0));
                  }
                  return answer;
                },
                options)
            .run(sink);
    try (Logs logs = Logs.of(Source.class)) {
      time.advance(MINUTE);
      assertThat(run.run()).isEqualTo(StepDelay.of(MINUTE));
      assertThat(run.problem().orElseThrow())
          .startsWith("the ticker every 1 min failed: ")
          .endsWith("no connection");
      assertThat(logs.messages()).hasSize(1);
      time.advance(MINUTE);
      run.run();
      assertThat(run.problem()).isEmpty();
      assertThat(sink.keys()).containsExactly("a", "b");
    }
  }

  @Test
  void ticksOnAThreadOfItsOwn() throws Exception {
    Threads threads = new Threads();
    List<Thread> asked = new CopyOnWriteArrayList<>();
    Source ticker =
        Source.ticker(
            MINUTE,
            () -> {
              asked.add(Thread.currentThread());
              return answer;
            },
            options.withThreads(threads));
    Source.Running run = ticker.start(sink);
    Eventually.that(time, MINUTE, () -> assertThat(sink.keys()).hasSizeGreaterThanOrEqualTo(4));
    run.stop();
    threads.assertEnded();
    assertThat(threads).hasSize(1).containsAll(asked);
  }

  @Test
  void refusesWhatItCantKeep() {
    assertThatThrownBy(() -> Source.ticker(Duration.ZERO, () -> answer, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a ticker's period must be more than zero: 0 s");
    assertThatThrownBy(() -> Source.ticker(MINUTE.negated(), () -> answer, options))
        .hasMessage("a ticker's period must be more than zero: -1 min");
    assertThatThrownBy(() -> Source.ticker(MINUTE, 1.5, () -> answer, options))
        .hasMessage("the jitter must be between 0 and 1, not 1.5");
    assertThatThrownBy(() -> Source.ticker(MINUTE, Double.NaN, () -> answer, options))
        .hasMessage("the jitter must be between 0 and 1, not NaN");
  }
}
