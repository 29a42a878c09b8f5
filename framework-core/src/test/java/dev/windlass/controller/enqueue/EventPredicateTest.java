// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Samples.cachedFoo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.testing.core.Foo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EventPredicateTest {

  private static final CachedObject<Foo> FOO = cachedFoo("foo", "uid", 1, 1);
  private static final ResourceEvent<Foo> ADDED = new ResourceEvent.Added<>(FOO, false);
  private static final ResourceEvent<Foo> DELETED = new ResourceEvent.Deleted<>(FOO, false);
  private static final ResourceEvent<Foo> RESYNC = new ResourceEvent.Updated<>(FOO, FOO);
  private static final ResourceEvent<Foo> STATUS =
      new ResourceEvent.Updated<>(FOO, cachedFoo("foo", "uid", 2, 1));
  private static final ResourceEvent<Foo> SPEC =
      new ResourceEvent.Updated<>(FOO, cachedFoo("foo", "uid", 2, 2));
  private static final ResourceEvent<Foo> CONVERTED = new ResourceEvent.Updated<>(FOO, converted());
  private static final ResourceEvent<Foo> SUCCESSOR =
      new ResourceEvent.Updated<>(FOO, cachedFoo("foo", "other", 2, 1));

  private static CachedObject<Foo> converted() {
    Foo foo = FOO.decode();
    foo.getMetadata().setFinalizers(List.of("example.com/converted"));
    return ObjectCodec.of(Foo.class).encode(foo);
  }

  private record Case(
      String event,
      ResourceEvent<Foo> given,
      boolean always,
      boolean generationChanged,
      boolean resourceVersionChanged) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case("an addition", ADDED, true, true, true),
        new Case("a deletion", DELETED, true, true, true),
        new Case("a change of the spec", SPEC, true, true, true),
        new Case("a change of the status", STATUS, true, false, true),
        new Case("a resync", RESYNC, true, true, false),
        new Case("other content of the same version", CONVERTED, true, true, true),
        new Case("a successor of the same name and generation", SUCCESSOR, true, true, true));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void letsThrough(Case c) {
    assertThat(EventPredicate.<Foo>always().test(c.given())).isEqualTo(c.always());
    assertThat(EventPredicate.<Foo>generationChanged().test(c.given()))
        .isEqualTo(c.generationChanged());
    assertThat(EventPredicate.<Foo>resourceVersionChanged().test(c.given()))
        .isEqualTo(c.resourceVersionChanged());
  }

  private record Combination(boolean first, boolean second) {}

  static Stream<Combination> combinations() {
    return Stream.of(
        new Combination(false, false),
        new Combination(false, true),
        new Combination(true, false),
        new Combination(true, true));
  }

  /** Logical and, or, not. */
  @ParameterizedTest
  @MethodSource("combinations")
  void combinesAsLogicDoes(Combination c) {
    EventPredicate<Foo> first = event -> c.first();
    EventPredicate<Foo> second = event -> c.second();
    assertThat(first.and(second).test(ADDED)).isEqualTo(c.first() && c.second());
    assertThat(first.or(second).test(ADDED)).isEqualTo(c.first() || c.second());
    assertThat(first.negate().test(ADDED)).isEqualTo(!c.first());
    assertThat(EventPredicate.<Foo>allOf(List.of(first, second, first)).test(ADDED))
        .isEqualTo(c.first() && c.second());
    assertThat(EventPredicate.<Foo>anyOf(List.of(first, second, first)).test(ADDED))
        .isEqualTo(c.first() || c.second());
  }

  @Test
  void combinesNoneAsLogicDoes() {
    assertThat(EventPredicate.<Foo>allOf(List.of()).test(ADDED)).isTrue();
    assertThat(EventPredicate.<Foo>anyOf(List.of()).test(ADDED)).isFalse();
    assertThat(EventPredicate.<Foo>never().test(ADDED)).isFalse();
  }

  /** The second is not asked when the first has decided. */
  @Test
  void doesNotAskTheSecondWhenTheFirstHasDecided() {
    List<ResourceEvent<? extends Foo>> asked = new ArrayList<>();
    EventPredicate<Foo> second = asked::add;
    EventPredicate<Foo> no = event -> false;
    assertThat(no.and(second).test(ADDED)).isFalse();
    assertThat(no.negate().or(second).test(ADDED)).isTrue();
    assertThat(asked).isEmpty();
  }

  /** It sees both states, so it can compare what it likes. */
  @Test
  void seesBothStates() {
    EventPredicate<Foo> grown =
        event ->
            event instanceof ResourceEvent.Updated<? extends Foo> updated
                && updated.object().generation() > updated.old().generation();
    assertThat(grown.test(SPEC)).isTrue();
    assertThat(grown.test(STATUS)).isFalse();
  }
}
