// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.windlass.testing.apiserver.OpenDefinition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Hellos that an older CRD accepts: the operator reports what to do, once, and serves the others.
 */
final class BadHellosTest {

  private static HelloFixture fixture(Variant variant) {
    return new HelloFixture(variant, OpenDefinition.of(Hello.class));
  }

  private static void create(HelloFixture hellos, String name, String fields) {
    String json =
        "{\"apiVersion\":\"myapp.whichxjy.com/v1\",\"kind\":\"Hello\","
            + "\"metadata\":{\"namespace\":\"default\",\"name\":\"%s\"}%s}";
    hellos.test.create(
        Serialization.unmarshal(json.formatted(name, fields), GenericKubernetesResource.class));
    hellos.test.advance(Duration.ofSeconds(10));
  }

  private static List<Event> warnings(HelloFixture hellos) {
    return hellos.test.list(Event.class, "default").stream()
        .filter(event -> event.getType().equals("Warning"))
        .toList();
  }

  private static void assertRuns(HelloFixture hellos, String name, int times) {
    assertThat(hellos.status(name).getPhase()).isEqualTo("Running");
    assertThat(hellos.status(name).getConditions()).isEmpty();
    assertThat(hellos.pod(name).orElseThrow().getSpec().getContainers().get(0).getCommand())
        .last()
        .isEqualTo("seq " + times + " | xargs -I{} echo \"Hello\"");
  }

  @ParameterizedTest
  @EnumSource
  void mayAskForLessThanNothing(Variant variant) {
    try (HelloFixture hellos = fixture(variant)) {
      create(hellos, "bad", ",\"spec\":{\"helloTimes\":-1}");
      create(hellos, "good", ",\"spec\":{\"helloTimes\":3}");
      hellos.test.advance(Duration.ofHours(11)); // includes a resync
      assertRuns(hellos, "good", 3);
      String message = "spec.helloTimes is -1: use zero or more";
      assertThat(warnings(hellos))
          .extracting(
              event -> event.getRegarding().getName(),
              Event::getReason,
              Event::getNote,
              Event::getSeries)
          .containsExactly(tuple("bad", "InvalidTimes", message, null));
      assertThat(hellos.pod("bad")).isEmpty();
      assertThat(hellos.status("bad").getPhase()).isNull();
      assertThat(hellos.status("bad").getConditions())
          .extracting(
              Condition::getType, Condition::getStatus, Condition::getReason, Condition::getMessage)
          .containsExactly(tuple("Stalled", "True", "InvalidTimes", message));
      assertThat(hellos.outcomes()).doesNotContain("error");

      hellos.test.edit(Hello.class, "default", "bad", bad -> bad.getSpec().setHelloTimes(2));
      hellos.test.advance(Duration.ofSeconds(1));
      assertRuns(hellos, "bad", 2);
      assertThat(warnings(hellos)).as("no more").hasSize(1);
    }
  }

  /** A Hello without a specification asks for no line, which is valid. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
  void mayHaveNoSpecification(String fields) {
    try (HelloFixture hellos = fixture(Variant.OWNS)) {
      create(hellos, "bad", fields);
      assertRuns(hellos, "bad", 0);
      assertThat(warnings(hellos)).isEmpty();
    }
  }
}
