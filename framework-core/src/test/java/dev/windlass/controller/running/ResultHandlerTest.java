// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static dev.windlass.controller.reconcile.ControllerListener.Outcome.DONE;
import static dev.windlass.controller.reconcile.ControllerListener.Outcome.ERROR;
import static dev.windlass.controller.reconcile.ControllerListener.Outcome.REQUEUE;
import static dev.windlass.controller.reconcile.ControllerListener.Outcome.REQUEUE_AFTER;
import static dev.windlass.controller.reconcile.ControllerListener.Outcome.TERMINAL_ERROR;
import static dev.windlass.controller.reconcile.Result.done;
import static dev.windlass.controller.reconcile.Result.requeueAfter;
import static dev.windlass.controller.reconcile.Result.requeueWithBackoff;
import static dev.windlass.testing.core.Failures.raise;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.ApiException;
import dev.windlass.client.ConflictException;
import dev.windlass.client.TooManyRequestsException;
import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.failure.FailureCause;
import dev.windlass.testsupport.Logs;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkItem;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of requests. */
@Timeout(30)
final class ResultHandlerTest extends WorkerHarness {

  @AutoClose private final Logs logs = Logs.of(Controller.class);

  @SuppressWarnings("NullAway") // what a careless reconciler does
  private static Result nothing() {
    return null;
  }

  private record Case(
      String reconcile, Reconciler reconciler, Outcome outcome, Duration next, int retries) {}

  private static final Duration BACK_OFF = ofMillis(20);

  private static Case thrown(String what, Throwable thrown) {
    return new Case(what, failing(thrown), ERROR, BACK_OFF, 3);
  }

  // Each case follows two failures.

  static Stream<Case> backsOff() {
    return Stream.of(
        new Case("requeue", (r, c) -> requeueWithBackoff(), REQUEUE, BACK_OFF, 3),
        new Case("null", (r, c) -> nothing(), ERROR, BACK_OFF, 3),
        thrown("an exception", new Exception("no")),
        thrown("an unchecked exception", new IllegalStateException()),
        thrown("an error", new StackOverflowError()),
        thrown("an interrupt of its own", new InterruptedException("woken")));
  }

  static Stream<Case> waitsExactlyAsLongAsRequested() {
    return Stream.of(
        new Case("after", (r, c) -> requeueAfter(TEN), REQUEUE_AFTER, TEN, 0),
        new Case("after and requeue", (r, c) -> new Result(true, TEN), REQUEUE_AFTER, TEN, 0),
        new Case("after zero", (r, c) -> requeueAfter(ZERO), REQUEUE_AFTER, ZERO, 0));
  }

  /** A terminal error resets the failure count as well. */
  static Stream<Case> isDone() {
    TerminalException nonsense = new TerminalException("spec is nonsense");
    Exception wrapped = new IllegalStateException(nonsense);
    return Stream.of(
        new Case("done", (r, c) -> done(), DONE, NEVER, 0),
        new Case("neither, as ported Go code", (r, c) -> new Result(false, ZERO), DONE, NEVER, 0),
        new Case("a terminal error", failing(nonsense), TERMINAL_ERROR, NEVER, 0),
        new Case("a wrapped terminal error", failing(wrapped), TERMINAL_ERROR, NEVER, 0));
  }

  @ParameterizedTest
  @MethodSource({"backsOff", "waitsExactlyAsLongAsRequested", "isDone"})
  void decides(Case c) {
    failBefore(2);
    reconciler = c.reconciler();
    assertThat(worker.step()).isTrue();
    assertThat(waitOfKey()).isEqualTo(c.next());
    assertThat(queue.retries(FOO)).isEqualTo(c.retries());
    assertThat(heard).containsExactly(new Heard(FOO, c.outcome(), Duration.ZERO));
  }

  /** {@code max(0, due - now)} is zero exactly when it is due. */
  @Test
  void runsAgainAtOnceBehindWhatIsReady() {
    Request other = Request.of("default", "other");
    List<Request> ran = new ArrayList<>();
    reconciler =
        (request, context) -> {
          ran.add(request);
          return ran.size() == 1 ? requeueAfter(ZERO) : done();
        };
    queue.add(FOO);
    queue.add(other);
    worker.step();
    time.advance(ofNanos(1));
    worker.step();
    worker.step();
    assertThat(ran).containsExactly(FOO, other, FOO);
    assertThat(worker.step()).isFalse();
  }

  /** A program that means "not again" by zero must not keep a core busy. */
  @Test
  void backsOffAfterAHundredRunsAtOnceInARow() {
    reconciler = (request, context) -> requeueAfter(ZERO);
    queue.add(FOO);
    for (int i = 0; i < ResultHandler.MOST_AT_ONCE; i++) {
      worker.step();
      assertThat(waitOfKey()).isEqualTo(Duration.ZERO);
    }
    for (int millis = 5; millis < 100; millis *= 2) {
      worker.step();
      assertThat(waitOfKey()).isEqualTo(ofMillis(millis));
      time.advance(ofMillis(millis));
    }
    assertThat(logs.lines())
        .filteredOn(line -> line.startsWith("WARN"))
        .containsExactly(
            "WARN foo: 'default/example-foo' has requested an immediate requeue 101 times in a"
                + " row; backing off. To stop requeuing, return Result.done() instead of"
                + " requeueAfter(Duration.ZERO)");
  }

  /** An event in between is a reason of its own. */
  @Test
  void countsRunsAtOnceAnewAfterAnEvent() {
    reconciler = (request, context) -> requeueAfter(ZERO);
    queue.add(FOO);
    for (int i = 0; i < 10 * ResultHandler.MOST_AT_ONCE; i++) {
      worker.step();
      assertThat(waitOfKey()).isEqualTo(Duration.ZERO);
      if (i % 90 == 0) {
        run.keys().add(FOO);
      }
    }
  }

  @ParameterizedTest
  @MethodSource({"backsOff", "waitsExactlyAsLongAsRequested", "isDone"})
  void givesTheKeyBack(Case c) {
    queue.add(FOO);
    reconciler = c.reconciler();
    worker.step();
    queue.add(FOO);
    assertThat(worker.step()).isTrue();
    assertThat(attempts).hasSize(2);
  }

  /** 5 ms doubled; and from 5 ms again after a success. */
  @Test
  void waitsTwiceAsLongAfterEachFailure() {
    List<Duration> waits = new ArrayList<>();
    List<Integer> failing = List.of(0, 1, 2, 4);
    reconciler =
        (request, context) -> {
          if (failing.contains(attempts.size() - 1)) {
            throw new IllegalStateException("not yet");
          }
          return done();
        };
    queue.add(FOO);
    while (worker.step()) {
      Duration wait = waitOfKey();
      if (!wait.isNegative()) {
        waits.add(wait);
        time.advance(wait.minusNanos(1));
        assertThat(queue.length()).as("not before its time").isZero();
        time.advance(ofNanos(1));
      } else if (attempts.size() == 4) {
        queue.add(FOO);
      }
    }
    assertThat(waits).containsExactly(ofMillis(5), ofMillis(10), ofMillis(20), ofMillis(5));
    assertThat(attempts).containsExactly(0, 1, 2, 3, 0, 1);
  }

  @Test
  void retriesAtOnceWhatChangedMeanwhile() {
    queue.add(FOO);
    reconciler =
        (request, context) -> {
          if (attempts.size() == 1) {
            queue.add(FOO);
            throw new IllegalStateException("not yet");
          }
          return done();
        };
    worker.step();
    assertThat(queue.length()).isEqualTo(1);
    worker.step();
    time.advance(TEN);
    assertThat(worker.step()).isFalse();
    assertThat(attempts).containsExactly(0, 1);
  }

  @ParameterizedTest
  @MethodSource({"backsOff", "waitsExactlyAsLongAsRequested", "isDone"})
  void keepsThePriorityOfWhatComesAgain(Case c) {
    queue.add(FOO, Priority.LOW);
    reconciler = c.reconciler();
    worker.step();
    time.advance(TEN);
    queue
        .poll()
        .ifPresent(
            item -> {
              try (WorkItem<Request> again = item) {
                assertThat(again.priority()).isEqualTo(Priority.LOW);
              }
            });
  }

  private void use(ErrorPolicy policy) {
    use(ControllerOptions.defaults().with(o -> o.errorPolicy = policy));
  }

  private static Reconciler failing(Throwable thrown) {
    return (request, context) -> raise(thrown);
  }

  /** What is logged of one run. */
  private List<String> logged() {
    runOnce();
    return logs.lines();
  }

  private static final String SYNCING = "ERROR error syncing 'default/example-foo': ";

  private record Line(String reconcile, Reconciler reconciler, List<String> lines) {}

  private static Line retried(String reconcile, Reconciler reconciler, String failure) {
    String line = SYNCING + failure + ", requeuing in 5 ms (attempt 2)";
    return new Line(reconcile, reconciler, List.of(line));
  }

  static Stream<Line> lines() {
    return Stream.of(
        new Line("done", (r, c) -> done(), List.of("DEBUG Successfully Reconciled")),
        new Line("requeue", (r, c) -> requeueWithBackoff(), List.of()),
        new Line("requeueAfter", (r, c) -> requeueAfter(TEN), List.of()),
        retried("an error", failing(new IllegalStateException("no quota")), "no quota"),
        retried("no message", failing(new IllegalStateException()), "IllegalStateException"),
        retried(
            "a forged line",
            failing(new IllegalStateException("${jndi:x} {} %n\r\n\u001b[31mERROR \u202e")),
            "${jndi:x} {} %n\\u000d\\u000a\\u001b[31mERROR \\u202e"),
        retried(
            "a refusal that fabric8 met",
            failing(new KubernetesClientException("no", 401, null)),
            "no. " + FailureCause.UNAUTHORIZED.sentence().replaceFirst("\\.$", "")),
        retried(
            "null",
            (r, c) -> nothing(),
            "the reconciler of the controller foo returned null; it must return Result.done() or"
                + " another result"),
        new Line(
            "a terminal error",
            failing(new TerminalException("spec is nonsense")),
            List.of(SYNCING + "spec is nonsense, not requeuing")));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void logsHowItEnded(Line c) {
    reconciler = c.reconciler();
    runOnce();
    assertThat(logs.lines()).isEqualTo(c.lines());
    assertThat(logs.thrown()).noneMatch(said -> said.chars().anyMatch(Character::isISOControl));
  }

  /** The first question about a failure is when the next attempt begins. */
  @ParameterizedTest
  @CsvSource({
    "6, requeuing in 320 ms (attempt 8)",
    "8, requeuing in 1.3 s (attempt 10)",
    "12, requeuing in 20 s (attempt 14)",
    "30, requeuing in 16 min 40 s (attempt 32)"
  })
  void logsWhenItRetries(int failures, String text) {
    failBefore(failures);
    reconciler = failing(new IllegalStateException("no quota"));
    worker.step();
    assertThat(logs.lines()).containsExactly(SYNCING + "no quota, " + text);
  }

  /** An event during the reconcile does not wait for the back-off. */
  @Test
  void logsARetryAtOnceIfAnEventHasArrived() {
    reconciler =
        (request, context) -> {
          queue.add(FOO);
          throw new IllegalStateException("no quota");
        };
    assertThat(logged()).containsExactly(SYNCING + "no quota, requeuing at once (attempt 2)");
  }

  /** It is no failure of the reconciler that it was asked to end. */
  @Test
  void doesNotCallAnInterruptByTheStopAnError() {
    reconciler =
        (request, context) -> {
          run.cancel(ofHours(1));
          throw new InterruptedException();
        };
    runOnce();
    assertThat(logs.lines())
        .containsExactly(
            "INFO Shutting down workers",
            "INFO foo: the reconcile of 'default/example-foo' was interrupted by the stop");
    assertThat(waitOfKey()).isEqualTo(NEVER);
  }

  static Stream<Result> repeating() {
    return Stream.of(
        requeueWithBackoff(), requeueAfter(TEN), requeueAfter(ZERO), new Result(true, TEN));
  }

  /** Unless the result sets a priority, a retry keeps the previous one. */
  @ParameterizedTest
  @MethodSource("repeating")
  void givesWhatComesAgainThePriorityThatTheResultAsksFor(Result result) {
    Priority seven = new Priority(ofSeconds(7));
    reconciler = (request, context) -> result.withPriority(seven);
    queue.add(FOO, Priority.LOW);
    worker.step();
    time.advance(TEN);
    try (WorkItem<Request> again = queue.poll().orElseThrow()) {
      assertThat(again.priority()).isEqualTo(seven);
    }
  }

  /** A conflict is expected and solved by the next run, so it is no error. */
  @Test
  void callsAConflictByItsName() {
    KubernetesClientException conflict =
        new KubernetesClientException("the object has been modified", 409, null);
    reconciler = failing(new IllegalStateException("could not update", conflict));
    assertThat(logged())
        .containsExactly(
            "INFO conflict syncing 'default/example-foo', requeuing in 5 ms (attempt 2): could not"
                + " update");
    assertThat(heard).extracting(Heard::outcome).containsExactly(ERROR);
    assertThat(waitOfKey()).isEqualTo(ofMillis(5));
  }

  private record Overload(String response, Throwable thrown, Duration next, String when) {}

  private static KubernetesClientException fabric8(int code, int retryAfterSeconds) {
    return new KubernetesClientException(
        "slow down",
        code,
        new StatusBuilder()
            .withCode(code)
            .withNewDetails()
            .withRetryAfterSeconds(retryAfterSeconds)
            .endDetails()
            .build());
  }

  static Stream<Overload> overloads() {
    Duration six = ofSeconds(6);
    TooManyRequestsException soon = new TooManyRequestsException("busy", ofMillis(1));
    TooManyRequestsException late = new TooManyRequestsException("busy", ofDays(1));
    Exception wrapped = new IllegalStateException("busy", new TooManyRequestsException("no", six));
    return Stream.of(
        new Overload("429", new TooManyRequestsException("busy", six), six, "6 s"),
        new Overload("429 alone", new TooManyRequestsException("busy", ZERO), BACK_OFF, "20 ms"),
        new Overload("503", new ApiException("busy", 503, six), six, "6 s"),
        new Overload("429 as a cause", wrapped, six, "6 s"),
        new Overload("429 that fabric8 met", fabric8(429, 6), six, "6 s"),
        new Overload("503 that fabric8 met", fabric8(503, 6), six, "6 s"),
        new Overload("less than the back-off", soon, BACK_OFF, "20 ms"),
        new Overload("more than the maximum", late, ofMinutes(2), "2 min"));
  }

  /** The attempt counts, so that the back-off grows if the overload lasts. */
  @ParameterizedTest
  @MethodSource("overloads")
  void waitsAsLongAsAnOverloadedServerAsks(Overload c) {
    failBefore(2);
    reconciler = failing(c.thrown());
    worker.step();
    assertThat(waitOfKey()).isEqualTo(c.next());
    assertThat(queue.retries(FOO)).isEqualTo(3);
    assertThat(logs.lines())
        .singleElement()
        .asString()
        .startsWith("WARN error syncing 'default/example-foo': ")
        .endsWith(", requeuing in " + c.when() + " (attempt 4)");
    assertThat(logs.thrown()).isEmpty();
  }

  static Stream<Throwable> noOverloads() {
    return Stream.of(
        new ApiException("broken", 503), new ApiException("broken", 500), fabric8(409, 6));
  }

  @ParameterizedTest
  @MethodSource("noOverloads")
  void backsOffAsUsualIfTheServerAsksForNothing(Throwable thrown) {
    reconciler = failing(thrown);
    assertThat(logged()).singleElement().asString().doesNotStartWith("WARN");
    assertThat(waitOfKey()).isEqualTo(ofMillis(5));
  }

  /** A delay of the policy's own replaces the server's, as it replaces the back-off. */
  @Test
  void appliesTheDelayOfAnOverloadedServerToThePolicysBackOffOnly() {
    reconciler = failing(new TooManyRequestsException("busy", ofSeconds(6)));
    use((request, error, context) -> requeueWithBackoff());
    runOnce();
    assertThat(queue.dueIn(FOO)).contains(ofSeconds(6));
    use((request, error, context) -> requeueAfter(TEN));
    runOnce();
    assertThat(queue.dueIn(FOO)).contains(TEN);
  }

  private record Policy(String answer, ErrorPolicy policy, Outcome outcome, Duration next) {}

  static Stream<Policy> policies() {
    return Stream.of(
        new Policy("later", (r, e, c) -> requeueAfter(TEN), ERROR, TEN),
        new Policy("never", (r, e, c) -> done(), ERROR, NEVER),
        new Policy("with back-off", (r, e, c) -> requeueWithBackoff(), ERROR, BACK_OFF),
        new Policy("null", (r, e, c) -> nothing(), ERROR, BACK_OFF),
        new Policy("the error itself", ErrorPolicy.DEFAULT, ERROR, BACK_OFF),
        new Policy(
            "stop", (r, e, c) -> raise(new TerminalException("no", e)), TERMINAL_ERROR, NEVER));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void leavesErrorsToThePolicy(Policy c) {
    List<String> asked = new ArrayList<>();
    use(
        (request, error, context) -> {
          asked.add(request + " " + error.getMessage() + " " + context.attempt());
          return c.policy().onError(request, error, context);
        });
    failBefore(2);
    reconciler = failing(new IllegalStateException("no quota"));
    worker.step();
    assertThat(asked).containsExactly("default/example-foo no quota 2");
    assertThat(heard).extracting(Heard::outcome).containsExactly(c.outcome());
    assertThat(waitOfKey()).isEqualTo(c.next());
  }

  private static final ConflictException CONFLICT = new ConflictException("modified");

  private record Conflict(String reconcile, List<Throwable> thrown, List<Integer> asked) {}

  static Stream<Conflict> conflicts() {
    Throwable other = new IllegalStateException("no quota");
    Throwable cause = new IllegalStateException(CONFLICT);
    Throwable exists = new AlreadyExistsException("exists");
    Throwable terminal = new TerminalException("enough", CONFLICT);
    return Stream.of(
        new Conflict("four", nCopies(4, CONFLICT), List.of()),
        new Conflict("seven", nCopies(7, CONFLICT), List.of(5, 6, 7)),
        new Conflict("a cause", nCopies(5, cause), List.of(5)),
        new Conflict("one that exists already", List.of(exists), List.of()),
        new Conflict(
            "after other failures",
            List.of(other, other, other, other, CONFLICT),
            List.of(1, 2, 3, 4)),
        new Conflict(
            "not in a row",
            List.of(CONFLICT, CONFLICT, CONFLICT, CONFLICT, other, CONFLICT),
            List.of(5)),
        new Conflict("a terminal one", List.of(terminal), List.of(1)));
  }

  /** An ordinary race is no failure to report; the next run reads what the other has written. */
  @ParameterizedTest
  @MethodSource("conflicts")
  void asksThePolicyAboutConflictsThatPersistOnly(Conflict c) {
    List<Integer> asked = new ArrayList<>();
    use(
        (request, error, context) -> {
          asked.add(context.attempt() + 1);
          throw error;
        });
    reconciler = (request, context) -> raise(c.thrown().get(attempts.size() - 1));
    queue.add(FOO);
    for (int i = 0; i < c.thrown().size(); i++) {
      assertThat(worker.step()).isTrue();
      time.advance(TEN);
    }
    assertThat(asked).isEqualTo(c.asked());
  }

  /** Nobody has to do anything: the object usually goes with its namespace. */
  @Test
  void waitsForTheEndOfANamespaceWithoutAnError() {
    List<Exception> asked = new ArrayList<>();
    use(
        (request, error, context) -> {
          asked.add(error);
          throw error;
        });
    reconciler = failing(endOf("default"));
    queue.add(FOO);
    for (int i = 0; i < 12; i++) {
      assertThat(worker.step()).as("it is retried").isTrue();
      time.advance(TEN);
    }
    assertThat(logs.lines()).noneMatch(line -> line.matches("(ERROR|WARN|INFO).*"));
    assertThat(asked).isEmpty();
    assertThat(run.keys().failures()).isEmpty();
  }

  private static KubernetesClientException endOf(String namespace) {
    String message = "namespace " + namespace + " is being terminated";
    return new KubernetesClientException(
        "no",
        403,
        new StatusBuilder()
            .withNewDetails()
            .addNewCause("metadata.namespace", message, "NamespaceTerminating")
            .endDetails()
            .build());
  }

  /** The object does not go with a namespace that is not its own, and may wait in vain. */
  @Test
  void callsTheEndOfAnotherNamespaceAnError() {
    reconciler = failing(endOf("other"));
    assertThat(logged()).singleElement().asString().startsWith("ERROR error syncing");
    assertThat(run.keys().failures()).hasSize(1);
  }

  /** Twelve retries in three seconds are one line, and another failure is another one. */
  @Test
  void logsAFailureAgainOnlyIfItChanges() {
    List<String> said =
        List.of("no quota", "no quota", "no quota", "no disk", "no disk", "", "no disk");
    AtomicInteger runs = new AtomicInteger();
    reconciler =
        (request, context) -> {
          String failure = said.get(runs.getAndIncrement());
          if (failure.isEmpty()) {
            return requeueWithBackoff();
          }
          throw new IllegalStateException(failure);
        };
    queue.add(FOO);
    for (int i = 0; i < said.size(); i++) {
      worker.step();
      time.advance(TEN);
    }
    assertThat(logs.lines().stream().filter(line -> line.startsWith("ERROR")))
        .map(line -> line.replaceAll(".*': |, requeuing.*", ""))
        .containsExactly("no quota", "no disk", "no disk");
  }

  /** However many objects have conflicts at the same time. */
  @Test
  void callsTheFifthConflictInARowAnErrorAlsoIfManyObjectsFail() {
    reconciler = failing(CONFLICT);
    for (int i = 0; i < 150; i++) {
      queue.add(Request.of("default", "o" + i));
    }
    for (int round = 0; round < 5; round++) {
      while (worker.step()) {}
      time.advance(TEN);
    }
    assertThat(logs.lines()).filteredOn(line -> line.startsWith("ERROR")).hasSize(150);
  }

  /** A conflict that persists is not resolved by repeating it. */
  @Test
  void callsTheFifthConflictInARowAnError() {
    reconciler = failing(CONFLICT);
    queue.add(FOO);
    for (int i = 0; i < 5; i++) {
      worker.step();
      time.advance(TEN);
    }
    assertThat(logs.lines()).hasSize(5);
    assertThat(logs.lines().subList(0, 4)).allMatch(line -> line.startsWith("INFO conflict"));
    assertThat(logs.lines().get(4)).startsWith("ERROR error syncing");
  }

  /** What the policy met must not hide what the reconciler met. */
  @Test
  void logsBothIfThePolicyFailsAsWell() {
    IllegalStateException failure = new IllegalStateException("no quota");
    use(
        (request, error, context) ->
            raise(new ApiException("can't update status: forbidden.", 403)));
    reconciler = failing(failure);
    assertThat(logged())
        .containsExactly(
            "ERROR error syncing 'default/example-foo': no quota; onError failed as well: can't"
                + " update status: forbidden, requeuing in 5 ms (attempt 2)");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(run.keys().failures())
        .singleElement()
        .satisfies(shown -> assertThat(shown.error()).contains("no quota"));
  }

  /** The failure of the policy decides, as if the reconciler had thrown it. */
  @Test
  void dropsTheRequestIfThePolicyThrowsATerminalException() {
    use((request, error, context) -> raise(new TerminalException("enough")));
    reconciler = failing(new IllegalStateException("no quota"));
    assertThat(logged())
        .containsExactly(
            "ERROR error syncing 'default/example-foo': no quota; onError failed as well: enough,"
                + " not requeuing");
  }

  /** A write of the policy can meet an overloaded server, or another writer. */
  @Test
  void waitsAlsoForTheServerThatThePolicyMet() {
    use((request, error, context) -> raise(new TooManyRequestsException("busy", TEN)));
    reconciler = failing(new IllegalStateException("no quota"));
    runOnce();
    assertThat(queue.dueIn(FOO)).contains(TEN);
  }

  @Test
  void doesNotCallASuccessWhatThePolicyGivesUp() {
    use((request, error, context) -> done());
    reconciler = failing(new IllegalStateException("no quota"));
    assertThat(logged()).hasSize(1).first().asString().startsWith("ERROR error syncing");
  }

  @Test
  void namesTheControllerWhosePolicyReturnsNull() {
    use((request, error, context) -> nothing());
    reconciler = failing(new IllegalStateException("no quota"));
    assertThat(logged().toString()).contains("error policy of the controller foo returned null");
  }

  /** An error is the JVM's, and not the policy's. */
  @Test
  void doesNotAskThePolicyAboutErrors() {
    use((request, error, context) -> done());
    reconciler = failing(new NoClassDefFoundError("gone"));
    runOnce();
    assertThat(waitOfKey()).isEqualTo(ofMillis(5));
  }

  /** For metrics: what it was, and before how it ended; not if a stop was the reason. */
  @Test
  void tellsWhatWasThrown() {
    queue.add(FOO);
    NoClassDefFoundError error = new NoClassDefFoundError("gone");
    reconciler = failing(error);
    worker.step();
    time.advance(TEN);
    reconciler = (request, context) -> nothing();
    worker.step();
    time.advance(TEN);
    reconciler = (request, context) -> done();
    worker.step();
    assertThat(failures.get(0)).isSameAs(error);
    assertThat(failures.get(1)).hasMessageContaining("returned null");
    assertThat(failures).hasSize(2);
  }
}
