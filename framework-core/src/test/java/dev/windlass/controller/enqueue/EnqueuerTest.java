// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Samples.cachedFoo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.enqueue.RecordingSink.Added;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.testing.core.Foo;
import dev.windlass.workqueue.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EnqueuerTest {

  private static final CachedObject<Foo> FOO = cachedFoo("foo");

  private final RecordingSink sink = new RecordingSink();

  private record Case(ResourceEvent<Foo> event, Priority priority, String cause) {}

  /** Low priority only for the initial list and for equal versions, each with its reason. */
  static Stream<Case> cases() {
    CachedObject<Foo> newer = cachedFoo("foo", "foo-uid", 2, 1);
    return Stream.of(
        new Case(new ResourceEvent.Added<>(FOO, true), Priority.LOW, "Foo default/foo LISTED"),
        new Case(new ResourceEvent.Added<>(FOO, false), Priority.NEW, "Foo default/foo CREATED"),
        new Case(
            new ResourceEvent.Updated<>(FOO, newer), Priority.NORMAL, "Foo default/foo UPDATED"),
        new Case(new ResourceEvent.Updated<>(FOO, FOO), Priority.LOW, "Foo default/foo RESYNCED"),
        new Case(
            new ResourceEvent.Deleted<>(FOO, true), Priority.NORMAL, "Foo default/foo DELETED"),
        new Case(new ResourceEvent.Generic<>(FOO), Priority.NORMAL, "Foo default/foo SENT"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void saysHowUrgentARequestIsAndWhy(Case c) {
    new Enqueuer<Foo>(EventPredicate.always(), EventHandler.self(), sink, "").handle(c.event());
    assertThat(sink.added).containsExactly(new Added(Request.of("default", "foo"), c.priority()));
    assertThat(sink.causes).containsExactly(c.cause());
  }

  /** The handler does not hear of what was refused. */
  @Test
  void keepsFromTheHandlerWhatThePredicateRefuses() {
    List<ResourceEvent<Foo>> heard = new ArrayList<>();
    Enqueuer<Foo> enqueuer =
        new Enqueuer<>(EventPredicate.never(), (event, into) -> heard.add(event), sink, "");
    cases().forEach(c -> enqueuer.handle(c.event()));
    assertThat(heard).isEmpty();
  }

  /** Even a deletion that the predicate rejects removes what the handler remembers. */
  @Test
  void forgetsWhatIsGoneEvenIfThePredicateRefuses() {
    EnqueueMapped<Foo> mapping = new EnqueueMapped<>(object -> List.of(Request.of("x")));
    EventPredicate<Foo> noDeletions = EventPredicate.<Foo>byType().deleted(EventPredicate.never());
    Enqueuer<Foo> enqueuer = new Enqueuer<>(noDeletions, mapping, sink, "");
    enqueuer.handle(new ResourceEvent.Added<>(FOO, false));
    enqueuer.handle(new ResourceEvent.Deleted<>(FOO, false));
    assertThat(sink.keys()).containsExactly("x");
    assertThat(mapping.remembered()).isZero();
  }

  /** Who knows priorities only is not bothered with causes. */
  @Test
  void servesASinkThatDoesNotAskWhy() {
    List<String> keys = new ArrayList<>();
    PrioritySink plain = (request, priority) -> keys.add(request + " " + priority.handicap());
    new Enqueuer<Foo>(EventPredicate.always(), EventHandler.self(), plain, "")
        .handle(new ResourceEvent.Added<>(FOO, true));
    plain.add(Request.of("x"));
    assertThat(keys).containsExactly("default/foo PT1M", "x PT0S");
  }
}
