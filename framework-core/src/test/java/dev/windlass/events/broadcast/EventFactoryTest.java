// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.events.EventRecorder.EventType;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EventFactoryTest {

  private final ManualScheduler time = new ManualScheduler();
  private final EventFactory factory = new EventFactory("sample-controller", "pod-1", time.clock());
  private final Foo foo = Samples.foo("example-foo");

  private Event fill(HasMetadata regarding) {
    return factory.fill(regarding, null, EventType.NORMAL, "Synced", "Sync", "m").event();
  }

  private static ClusterRole role(String name) {
    return new ClusterRoleBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  @Test
  void fillsInWhatKubectlDescribeShows() {
    time.advance(Duration.ofMillis(1_500));
    Event event =
        factory
            .fill(foo, null, EventType.NORMAL, "Synced", "Sync", "Foo synced successfully")
            .event();
    assertThat(event.getApiVersion()).isEqualTo("events.k8s.io/v1");
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getReason()).isEqualTo("Synced");
    assertThat(event.getAction()).isEqualTo("Sync");
    assertThat(event.getNote()).isEqualTo("Foo synced successfully");
    assertThat(event.getReportingController()).isEqualTo("sample-controller");
    assertThat(event.getReportingInstance()).isEqualTo("pod-1");
    assertThat(event.getEventTime().getTime()).isEqualTo("1970-01-01T00:00:01.500000Z");
    assertThat(event.getSeries()).as("one occurrence is no series").isNull();
    assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
    assertThat(event.getMetadata().getName()).startsWith("example-foo.");
    assertThat(event.getRegarding().getApiVersion()).isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(event.getRegarding().getKind()).isEqualTo("Foo");
    assertThat(event.getRegarding().getNamespace()).isEqualTo("default");
    assertThat(event.getRegarding().getName()).isEqualTo("example-foo");
    assertThat(event.getRegarding().getUid()).isEqualTo("example-foo-uid");
    assertThat(event.getRelated()).isNull();
  }

  @Test
  void makesTextFit() {
    Event event =
        factory.fill(foo, null, EventType.NORMAL, "", "a".repeat(200), "b\n".repeat(2000)).event();
    assertThat(event.getReason()).isEqualTo("Unspecified");
    assertThat(event.getAction()).hasSize(128);
    assertThat(event.getNote()).startsWith("b\\u000ab").hasSizeLessThanOrEqualTo(1024);
    assertThat(new EventFactory("c", "i".repeat(300), time.clock()))
        .extracting(longest -> longest.fill(foo, null, EventType.NORMAL, "r", "a", "m").event())
        .satisfies(e -> assertThat(e.getReportingInstance()).hasSize(128));
  }

  private record Name(String object, String prefix) {}

  /** Some objects have names that an Event can't have. */
  static Stream<Name> names() {
    return Stream.of(
        new Name("a", "a."),
        new Name("example.foo-1", "example.foo-1."),
        new Name("system:controller:foo", "event."),
        new Name("Upper", "event."),
        new Name("dots..dots", "event."),
        new Name("dash.-dash", "event."),
        new Name("a".repeat(222), "a".repeat(222) + "."),
        new Name("a".repeat(253), "event."));
  }

  @ParameterizedTest
  @MethodSource("names")
  void givesEventsNamesThatTheServerTakes(Name c) {
    Event event = fill(role(c.object()));
    assertThat(event.getMetadata().getName())
        .startsWith(c.prefix())
        .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
        .hasSizeLessThanOrEqualTo(253);
    assertThat(event.getRegarding().getName()).isEqualTo(c.object());
  }

  /** Also when the clock stands still, and also those of other recorders. */
  @Test
  void givesEachEventANameOfItsOwn() {
    EventFactory other = new EventFactory("sample-controller", "pod-2", time.clock());
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      names.add(factory.name("foo"));
      names.add(other.name("foo"));
    }
    assertThat(names).hasSize(20);
  }

  @Test
  void tellsApartAllThatMakesEventsDifferent() {
    Foo elsewhere = Samples.foo("example-foo");
    elsewhere.getMetadata().setNamespace("elsewhere");
    Foo again = Samples.foo("example-foo");
    again.getMetadata().setUid("another-uid");
    EventType normal = EventType.NORMAL;
    assertThat(
            Stream.of(
                    factory.fill(foo, null, normal, "r", "a", "m"),
                    factory.fill(foo, null, normal, "r", "a", "m"),
                    factory.fill(foo, null, EventType.WARNING, "r", "a", "m"),
                    factory.fill(foo, null, normal, "other", "a", "m"),
                    factory.fill(foo, null, normal, "r", "other", "m"),
                    factory.fill(foo, null, normal, "r", "a", "other"),
                    factory.fill(foo, role("related"), normal, "r", "a", "m"),
                    factory.fill(elsewhere, null, normal, "r", "a", "m"),
                    factory.fill(again, null, normal, "r", "a", "m"))
                .map(EventFactory.Filled::key)
                .distinct())
        .hasSize(8);
  }
}
