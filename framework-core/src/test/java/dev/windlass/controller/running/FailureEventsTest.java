// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static dev.windlass.testing.core.Failures.raise;
import static dev.windlass.testing.core.Samples.cachedFoo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.ApiException;
import dev.windlass.client.ConflictException;
import dev.windlass.client.NotFoundException;
import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.object.CachedObject;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What those who see the object learn of its failures. */
@Timeout(30)
final class FailureEventsTest extends WorkerHarness {

  private static final Duration HOUR = Duration.ofHours(1);

  private final List<String> events = new ArrayList<>();
  private String uid = "first";

  @Override
  void change(ControllerConfigs config) {
    config.objects =
        new ObjectLookup() {
          @Override
          public Optional<? extends CachedObject<?>> primary(Request request) {
            return Optional.of(cachedFoo(request.name(), uid, 1, 1));
          }

          @Override
          public Optional<? extends CachedObject<?>> behind(Object reason) {
            return Optional.empty();
          }
        };
  }

  @BeforeEach
  void recordsEvents() {
    use(recording());
  }

  private ControllerOptions recording() {
    return ControllerOptions.defaults()
        .with(
            o ->
                o.eventRecorder =
                    (regarding, related, type, reason, action, message) ->
                        events.add(
                            type.text()
                                + " "
                                + reason
                                + " "
                                + regarding.getMetadata().getName()
                                + ": "
                                + message));
  }

  /** Runs the request as often as it is due. */
  private void failFor(Duration period) {
    long end = time.nanoTime() + period.toNanos();
    queue.add(FOO);
    while (time.nanoTime() < end) {
      if (queue.length() > 0) {
        worker.step();
      }
      time.advance(Duration.ofMillis(500));
    }
  }

  private void failWith(Exception failure) {
    reconciler = (request, context) -> raise(failure);
  }

  @Test
  void tellOfAFailureThatLasts() {
    failWith(new IllegalStateException("the bucket is full"));
    failFor(Duration.ofSeconds(9));
    assertThat(events).isEmpty();
    failFor(Duration.ofSeconds(20));
    assertThat(events).containsExactly("Warning ReconcileFailed example-foo: the bucket is full");
  }

  @Test
  void tellOfACauseOncePerHour() {
    int[] run = {0};
    reconciler =
        (request, context) ->
            raise(
                run[0]++ % 2 == 0
                    ? new IllegalStateException("try " + run[0])
                    : new UnsupportedOperationException("try " + run[0]));
    failFor(Duration.ofMinutes(55));
    assertThat(events).hasSize(2);
    failFor(HOUR);
    assertThat(events).hasSize(4);
  }

  @Test
  void tellOfItAgainAfterASuccess() {
    failWith(new IllegalStateException("full"));
    failFor(Duration.ofMinutes(1));
    reconciler = (request, context) -> Result.done();
    failFor(Duration.ofMinutes(20));
    failWith(new IllegalStateException("full"));
    failFor(Duration.ofMinutes(1));
    assertThat(events).hasSize(2);
  }

  /** Somebody deletes an object that fails, and creates it again in the hope that it helps. */
  @Test
  void tellOfItAgainForANewObjectOfTheSameName() {
    failWith(new IllegalStateException("full"));
    failFor(Duration.ofMinutes(1));
    int tries = queue.retries(FOO);
    uid = "second";
    try (Logs logs = Logs.of(Controller.class)) {
      failFor(Duration.ofMinutes(1));
      assertThat(logs.lines()).filteredOn(line -> line.startsWith("ERROR")).hasSize(1);
    }
    assertThat(events).hasSize(2);
    assertThat(queue.retries(FOO)).as("the back-off is a new one").isEqualTo(tries);
  }

  @Test
  void tellAtOnceOfAFailureThatIsNotRetried() {
    failWith(new TerminalException("the size is negative"));
    runOnce();
    assertThat(events).containsExactly("Warning ReconcileFailed example-foo: the size is negative");
  }

  /** Nobody else tells of it, unless the policy does. */
  @Test
  void tellAtOnceOfAFailureThatThePolicyEnds() {
    use(recording().with(o -> o.errorPolicy = (request, error, context) -> Result.done()));
    failWith(new IllegalStateException("the size is negative"));
    runOnce();
    assertThat(events).hasSize(1);
  }

  @Test
  void hideTokensAndAddresses() {
    failWith(new TerminalException("https://10.0.0.1/?a=b rejected Bearer abc"));
    runOnce();
    assertThat(events).hasSize(1).first().asString().endsWith("<address> rejected <token>");
  }

  /** The server's own text is for the owner of the object, who could send the same request. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 | a task for an administrator of the cluster: no change of the Foo helps",
        "422 | If a value in the Foo causes this, correct the Foo"
      })
  void nameTheOneWhoCanCorrectIt(int code, String end) {
    failWith(new ApiException("can't create deployments.apps x", code));
    failFor(Duration.ofMinutes(1));
    assertThat(events).hasSize(1).first().asString().endsWith(end);
  }

  @Test
  void callAFaultOfTheProgramByItsName() {
    failWith(new NullPointerException("spec is null"));
    failFor(Duration.ofMinutes(1));
    assertThat(events)
        .containsExactly(
            "Warning ReconcileFailed example-foo: spec is null. This is an error in"
                + " the controller: report it to its developers");
  }

  @ParameterizedTest
  @CsvSource({"401", "429", "500", "503", "0"})
  void staySilentAboutFailuresOfTheServer(int code) {
    failWith(
        code == 0
            ? new KubernetesClientException("no", new ConnectException("refused"))
            : new ApiException("no", code));
    failFor(Duration.ofMinutes(1));
    assertThat(events).isEmpty();
  }

  /** The object that a reconcile has read may be gone when it writes. */
  @Test
  void treatADeletedObjectLikeAConflict() {
    for (Exception failure : List.of(new NotFoundException("gone"), new ConflictException("no"))) {
      failWith(failure);
      queue.add(FOO);
      try (Logs logs = Logs.of(Controller.class)) {
        worker.step();
        assertThat(logs.lines()).singleElement().asString().startsWith("INFO conflict syncing");
      }
    }
  }
}
