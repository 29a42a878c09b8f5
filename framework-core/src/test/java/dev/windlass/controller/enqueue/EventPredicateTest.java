// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Samples.cachedFoo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEvent.Added;
import dev.windlass.informer.notify.ResourceEvent.Deleted;
import dev.windlass.informer.notify.ResourceEvent.Generic;
import dev.windlass.informer.notify.ResourceEvent.Updated;
import dev.windlass.object.CachedObject;
import dev.windlass.object.NotCachedException;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.Projection;
import dev.windlass.testing.core.Foo;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** Logical and, or, not. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void combinesAsLogicDoes(boolean one, boolean other) {
    EventPredicate<Foo> first = event -> one;
    EventPredicate<Foo> second = event -> other;
    assertThat(first.and(second).test(ADDED)).isEqualTo(one && other);
    assertThat(first.or(second).test(ADDED)).isEqualTo(one || other);
    assertThat(first.negate().test(ADDED)).isEqualTo(!one);
    assertThat(EventPredicate.<Foo>allOf(List.of(first, second, first)).test(ADDED))
        .isEqualTo(one && other);
    assertThat(EventPredicate.<Foo>anyOf(List.of(first, second, first)).test(ADDED))
        .isEqualTo(one || other);
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

  private static final ObjectCodec<ConfigMap> CODEC = ObjectCodec.of(ConfigMap.class);

  private static final CachedObject<ConfigMap> PLAIN = map(CODEC, 1, Map.of(), Map.of());

  private static final CachedObject<ConfigMap> LABELLED =
      map(CODEC, 2, Map.of("app", "web", "tier", "front"), Map.of());

  private static final CachedObject<ConfigMap> ANNOTATED =
      map(CODEC, 3, Map.of(), Map.of("note", "x"));

  private static CachedObject<ConfigMap> map(
      ObjectCodec<ConfigMap> codec,
      int version,
      Map<String, String> labels,
      Map<String, String> annotations) {
    return codec.encode(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("m")
            .withUid("uid")
            .withResourceVersion(Integer.toString(version))
            .withLabels(labels)
            .withAnnotations(annotations)
            .endMetadata()
            .addToData("version", Integer.toString(version))
            .build());
  }

  private record MetadataCase(
      String event,
      ResourceEvent<ConfigMap> given,
      boolean labelsChanged,
      boolean annotationsChanged,
      boolean selected) {}

  /** Like controller-runtime's predicates of the same names. */
  static Stream<MetadataCase> metadataCases() {
    return Stream.of(
        new MetadataCase("an addition", new Added<>(PLAIN, false), true, true, false),
        new MetadataCase("an addition that matches", new Added<>(LABELLED, true), true, true, true),
        new MetadataCase("a deletion", new Deleted<>(LABELLED, false), true, true, true),
        new MetadataCase(
            "a deletion that was missed", new Deleted<>(PLAIN, true), true, true, false),
        new MetadataCase("an event from outside", new Generic<>(LABELLED), true, true, true),
        new MetadataCase("a resync", new Updated<>(LABELLED, LABELLED), true, true, true),
        new MetadataCase("labels that came", new Updated<>(PLAIN, LABELLED), true, false, true),
        new MetadataCase("labels that went", new Updated<>(LABELLED, PLAIN), true, false, true),
        new MetadataCase(
            "an annotation that came", new Updated<>(PLAIN, ANNOTATED), false, true, false),
        new MetadataCase(
            "an annotation that went", new Updated<>(ANNOTATED, PLAIN), false, true, false),
        new MetadataCase(
            "data alone",
            new Updated<>(LABELLED, map(CODEC, 9, LABELLED.labels(), Map.of())),
            false,
            false,
            true));
  }

  @ParameterizedTest
  @MethodSource("metadataCases")
  void letsThroughByMetadata(MetadataCase c) {
    long before = CODEC.decoded();
    assertThat(EventPredicate.<ConfigMap>labelsChanged().test(c.given()))
        .isEqualTo(c.labelsChanged());
    assertThat(EventPredicate.<ConfigMap>annotationsChanged().test(c.given()))
        .isEqualTo(c.annotationsChanged());
    assertThat(EventPredicate.<ConfigMap>labelSelector("app in (web), !gone").test(c.given()))
        .isEqualTo(c.selected());
    assertThat(
            EventPredicate.<ConfigMap>onMetadata(o -> o.labels().containsKey("app"))
                .test(c.given()))
        .isEqualTo(c.given().object().labels().containsKey("app"));
    assertThat(CODEC.decoded()).as("bodies decoded").isEqualTo(before);
  }

  @Test
  void refusesWhatIsNoSelector() {
    assertThatThrownBy(() -> EventPredicate.labelSelector("a in b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a in b");
  }

  /** A filter on the content costs one decode, of the latest state. */
  @Test
  void decodesOnceForAFunctionOnTheObject() {
    EventPredicate<ConfigMap> third =
        EventPredicate.of(map -> "3".equals(map.getData().get("version")));
    long before = CODEC.decoded();
    assertThat(third.test(new Updated<>(PLAIN, ANNOTATED))).isTrue();
    assertThat(third.test(new Updated<>(ANNOTATED, PLAIN))).isFalse();
    assertThat(CODEC.decoded()).isEqualTo(before + 2);
  }

  @Test
  void decidesOnMetadataThatAloneIsCached() {
    ObjectCodec<ConfigMap> metadata = CODEC.with(Projection.METADATA);
    CachedObject<ConfigMap> one = map(metadata, 1, Map.of("app", "web"), Map.of());
    CachedObject<ConfigMap> two = map(metadata, 2, Map.of("app", "web"), Map.of("note", "x"));
    ResourceEvent<ConfigMap> event = new Updated<>(one, two);
    assertThat(EventPredicate.<ConfigMap>annotationsChanged().test(event)).isTrue();
    assertThat(EventPredicate.<ConfigMap>labelsChanged().test(event)).isFalse();
    assertThat(EventPredicate.<ConfigMap>labelSelector("app").test(event)).isTrue();
    assertThatThrownBy(() -> EventPredicate.<ConfigMap>of(map -> true).test(event))
        .isInstanceOf(NotCachedException.class)
        .hasMessageContaining("Projection.STRIPPED");
  }

  /** Each type of events has its filter, and none is the default. */
  @Test
  void decidesByTypeOfEvent() {
    List<ResourceEvent<ConfigMap>> events =
        List.of(
            new Added<>(PLAIN, false),
            new Updated<>(PLAIN, LABELLED),
            new Deleted<>(PLAIN, true),
            new Generic<>(PLAIN));
    EventPredicate.ByType<ConfigMap> all = EventPredicate.byType();
    EventPredicate<ConfigMap> never = EventPredicate.never();
    assertThat(passed(all, events)).isEqualTo("ADDED UPDATED DELETED GENERIC");
    assertThat(passed(all.created(never), events)).isEqualTo("UPDATED DELETED GENERIC");
    assertThat(passed(all.updated(never), events)).isEqualTo("ADDED DELETED GENERIC");
    assertThat(passed(all.deleted(never), events)).isEqualTo("ADDED UPDATED GENERIC");
    assertThat(passed(all.generic(never), events)).isEqualTo("ADDED UPDATED DELETED");
    assertThat(passed(all.deleted(never).updated(never).generic(never), events)).isEqualTo("ADDED");
  }

  private static String passed(
      EventPredicate<ConfigMap> predicate, List<ResourceEvent<ConfigMap>> events) {
    return events.stream()
        .filter(predicate::test)
        .map(event -> event.type().toString())
        .collect(Collectors.joining(" "));
  }

  private record Named(EventPredicate<ConfigMap> predicate, String name) {}

  static Stream<Named> names() {
    EventPredicate<ConfigMap> labels = EventPredicate.labelsChanged();
    return Stream.of(
        new Named(EventPredicate.always(), "EventPredicate.always()"),
        new Named(EventPredicate.never(), "EventPredicate.never()"),
        new Named(EventPredicate.generationChanged(), "EventPredicate.generationChanged()"),
        new Named(
            EventPredicate.resourceVersionChanged(), "EventPredicate.resourceVersionChanged()"),
        new Named(labels, "EventPredicate.labelsChanged()"),
        new Named(EventPredicate.annotationsChanged(), "EventPredicate.annotationsChanged()"),
        new Named(EventPredicate.labelSelector("a==b"), "EventPredicate.labelSelector(\"a=b\")"),
        new Named(labels.negate(), "EventPredicate.labelsChanged().negate()"),
        new Named(
            labels.and(EventPredicate.annotationsChanged()),
            "EventPredicate.allOf(EventPredicate.labelsChanged(), EventPredicate.annotationsChanged())"),
        new Named(
            labels.or(EventPredicate.never()),
            "EventPredicate.anyOf(EventPredicate.labelsChanged(), EventPredicate.never())"),
        new Named(
            EventPredicate.<ConfigMap>byType().updated(labels),
            "EventPredicate.byType(created: EventPredicate.always(), updated: EventPredicate.labelsChanged(),"
                + " deleted: EventPredicate.always(), generic: EventPredicate.always())"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void saysWhatItIs(Named c) {
    assertThat(c.predicate()).hasToString(c.name());
  }
}
