// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

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
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The predicates on labels, annotations and types of events, and those of the user. */
final class MetadataPredicateTest {

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

  private record Case(
      String event,
      ResourceEvent<ConfigMap> given,
      boolean labelsChanged,
      boolean annotationsChanged,
      boolean selected) {}

  /**
   * Like controller-runtime's LabelChangedPredicate, AnnotationChangedPredicate and
   * LabelSelectorPredicate.
   */
  static Stream<Case> cases() {
    return Stream.of(
        new Case("an addition", new Added<>(PLAIN, false), true, true, false),
        new Case("an addition that matches", new Added<>(LABELLED, true), true, true, true),
        new Case("a deletion", new Deleted<>(LABELLED, false), true, true, true),
        new Case("a deletion that was missed", new Deleted<>(PLAIN, true), true, true, false),
        new Case("an event from outside", new Generic<>(LABELLED), true, true, true),
        new Case("a resync", new Updated<>(LABELLED, LABELLED), true, true, true),
        new Case("labels that came", new Updated<>(PLAIN, LABELLED), true, false, true),
        new Case("labels that went", new Updated<>(LABELLED, PLAIN), true, false, true),
        new Case("an annotation that came", new Updated<>(PLAIN, ANNOTATED), false, true, false),
        new Case("an annotation that went", new Updated<>(ANNOTATED, PLAIN), false, true, false),
        new Case(
            "data alone",
            new Updated<>(LABELLED, map(CODEC, 9, LABELLED.labels(), Map.of())),
            false,
            false,
            true));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void letsThrough(Case c) {
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
    List<String> passed = new ArrayList<>();
    for (ResourceEvent<ConfigMap> event : events) {
      if (predicate.test(event)) {
        passed.add(event.type().toString());
      }
    }
    return String.join(" ", passed);
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
