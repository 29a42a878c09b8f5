// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.ConflictException;
import dev.windlass.client.NotFoundException;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.Reconciled;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to an object for which no event comes, in a week of virtual time. */
final class SafetyNetTest {

  private static final Duration WEEK = Duration.ofDays(7);

  private static ControllerBuilder<Widget> widgets() {
    return ControllerBuilder.forType(Widget.class, EventPredicate.generationChanged());
  }

  private static Result fail(Widget widget, ReconcileContext context) {
    throw new IllegalStateException("the bucket is locked");
  }

  private static ReconcilerTest week(ControllerBuilder<Widget> controller) {
    ReconcilerTest test = ReconcilerTest.of(controller::register).install(Widget.class);
    test.create(Widget.of("default", "w"));
    test.advance(WEEK);
    return test;
  }

  /** 168 h in periods of 9 to 11 h, after the first run. */
  private static void assertSlow(ReconcilerTest test) {
    assertThat(test.reconciles()).hasSizeBetween(16, 19);
  }

  @Test
  void reconcilesEveryTenHoursBehindAFilterOfGenerations() {
    try (ReconcilerTest test =
        week(widgets().objectReconciler((widget, context) -> Result.done()))) {
      assertSlow(test);
    }
  }

  @Test
  void retriesATerminalFailureEveryTenHours() {
    try (ReconcilerTest test =
        week(
            widgets()
                .objectReconciler(
                    (widget, context) -> {
                      throw new TerminalException("no such colour");
                    }))) {
      assertSlow(test);
    }
  }

  @Test
  void retriesSlowlyAfterGivingUp() {
    try (ReconcilerTest test =
        week(
            widgets()
                .resync(Duration.ZERO)
                .maxRetries(2, (request, failures) -> {})
                .retryAfterGivingUp(Duration.ofDays(1))
                .objectReconciler(SafetyNetTest::fail))) {
      assertThat(test.reconciles()).hasSize(3 * 7);
    }
  }

  static Stream<RuntimeException> routine() {
    return Stream.of(
        new ConflictException("changed"),
        new NotFoundException("deleted"),
        new KubernetesClientException(
            "no",
            403,
            new StatusBuilder()
                .withNewDetails()
                .addNewCause(
                    "metadata.namespace",
                    "namespace default is being terminated",
                    "NamespaceTerminating")
                .endDetails()
                .build()));
  }

  /** The next attempt is expected to succeed, so it is none of the attempts that are limited. */
  @ParameterizedTest
  @MethodSource("routine")
  void doesNotGiveUpOnWhatIsNoFault(RuntimeException failure) {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger gaveUp = new AtomicInteger();
    try (ReconcilerTest test =
        week(
            widgets()
                .resync(Duration.ZERO)
                .maxRetries(0, (request, failures) -> gaveUp.incrementAndGet())
                .objectReconciler(
                    (widget, context) -> {
                      if (runs.incrementAndGet() < 4) {
                        throw failure;
                      }
                      return Result.done();
                    }))) {
      assertThat(test.reconciles()).hasSize(4);
      assertThat(gaveUp).hasValue(0);
    }
  }

  /** A crash ends the retries of its process; the next one cleans up. */
  @CrashAtEveryWrite
  void cleansUpAfterAFailureAndACrash() {
    try (ReconcilerTest test =
        ReconcilerTest.of(
                manager -> {
                  AtomicBoolean failed = new AtomicBoolean();
                  widgets()
                      .finalizer(
                          "example.com/bucket",
                          (widget, context) ->
                              failed.getAndSet(true) ? Result.done() : fail(widget, context))
                      .objectReconciler((widget, context) -> Result.done())
                      .register(manager);
                })
            .install(Widget.class)) {
      test.create(Widget.of("default", "w"));
      test.assertEventuallyStable();
      test.delete(Widget.class, "default", "w");
      test.assertEventuallyStable();
      assertThat(test.get(Widget.class, "default", "w")).isEmpty();
    }
  }

  private record Answer(String policy, ErrorPolicy answer) {
    @Override
    public String toString() {
      return policy;
    }
  }

  static Stream<Answer> answers() {
    return Stream.of(
        new Answer("done", (request, error, context) -> Result.done()),
        new Answer(
            "terminal",
            (request, error, context) -> {
              throw new TerminalException("invalid", error);
            }));
  }

  /** Returns the number of clean-ups in an hour, by a controller with the given reconciler. */
  private static List<Reconciled> cleanUps(ControllerBuilder<Widget> controller) {
    try (ReconcilerTest test =
        ReconcilerTest.of(controller.objectReconciler((widget, context) -> Result.done())::register)
            .install(Widget.class)) {
      test.create(Widget.of("default", "w"));
      test.assertEventuallyStable();
      int before = test.reconciles().size();
      test.delete(Widget.class, "default", "w");
      test.advance(Duration.ofHours(1));
      return test.reconciles().subList(before, test.reconciles().size());
    }
  }

  /** A policy is written for failed reconciles; an object must not stay for ever because of it. */
  @ParameterizedTest
  @MethodSource("answers")
  void retriesAFailedCleanUpWhateverThePolicySays(Answer answer) {
    assertThat(
            cleanUps(
                widgets()
                    .finalizer("example.com/bucket", SafetyNetTest::fail)
                    .errorPolicy(answer.answer())))
        .hasSizeGreaterThan(15);
    assertThat(
            cleanUps(
                widgets()
                    .finalizer("example.com/bucket", SafetyNetTest::fail)
                    .onError(
                        (widget, error, context) ->
                            answer.answer().onError(Request.of("default", "w"), error, context))))
        .hasSizeGreaterThan(15);
  }

  @ParameterizedTest
  @MethodSource("answers")
  void endsTheRetriesOfACleanUpThatIsTerminal(Answer answer) {
    assertThat(
            cleanUps(
                widgets()
                    .finalizer(
                        "example.com/bucket",
                        (widget, context) -> {
                          throw new TerminalException("the bucket is locked for ever");
                        })
                    .errorPolicy(answer.answer())))
        .hasSize(1);
  }

  @Test
  void waitsAsLongAsThePolicyAsksAfterAFailedCleanUp() {
    assertThat(
            cleanUps(
                widgets()
                    .finalizer("example.com/bucket", SafetyNetTest::fail)
                    .onError(
                        (widget, error, context) -> Result.requeueAfter(Duration.ofMinutes(20)))))
        .hasSizeBetween(3, 4);
  }
}
