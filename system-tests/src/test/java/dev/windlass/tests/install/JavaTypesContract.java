// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.InvalidException;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What becomes of a value of each Java type that the client writes, with the CRD that the generator
 * derives from the class; the table in docs/guides/crds.md says the same.
 */
abstract class JavaTypesContract {

  private TestApiServer server;

  /** A field, a value, and what becomes of it. */
  record Case(String field, Object value, Outcome outcome) {
    @Override
    public String toString() {
      return field + ": " + outcome;
    }
  }

  enum Outcome {
    /** The value is read as it was written. */
    SAME,
    /** Another value is read, which is the same moment or number. */
    SIMILAR,
    /** The server rejects the object. */
    REJECTED,
    /** The client cannot write or read the value. */
    UNSUPPORTED
  }

  static Stream<Case> cases() throws Exception {
    return Stream.of(
        new Case("instant", Instant.parse("2026-01-02T03:04:05.678901Z"), Outcome.SAME),
        new Case("duration", Duration.ofMinutes(90), Outcome.REJECTED),
        new Case("period", Period.ofDays(3), Outcome.SAME),
        new Case("localDate", LocalDate.of(2026, 1, 2), Outcome.SAME),
        new Case("localTime", LocalTime.of(3, 4), Outcome.SAME),
        new Case("localDateTime", LocalDateTime.of(2026, 1, 2, 3, 4), Outcome.REJECTED),
        new Case(
            "offsetDateTime", OffsetDateTime.parse("2026-01-02T03:04:05+01:00"), Outcome.SIMILAR),
        new Case("offsetDateTime", OffsetDateTime.parse("2026-01-02T03:04:05Z"), Outcome.SAME),
        new Case(
            "zonedDateTime",
            ZonedDateTime.parse("2026-01-02T03:04:05+01:00[Europe/Paris]"),
            Outcome.SIMILAR),
        new Case("zoneId", ZoneId.of("Europe/Paris"), Outcome.SAME),
        new Case("date", new Date(1_000), Outcome.SAME),
        new Case("uuid", new UUID(1, 2), Outcome.SAME),
        new Case("uri", URI.create("https://example.com/a?b=c"), Outcome.SAME),
        new Case("url", URI.create("https://example.com/a").toURL(), Outcome.SAME),
        new Case("bigDecimal", new BigDecimal("1.5"), Outcome.SAME),
        new Case("bigInteger", BigInteger.valueOf(Long.MAX_VALUE), Outcome.SAME),
        new Case("bigInteger", BigInteger.TEN.pow(30), Outcome.REJECTED),
        new Case("bigLong", Long.MIN_VALUE, Outcome.SAME),
        new Case("real", 0.1f, Outcome.SAME),
        new Case("character", 'x', Outcome.SAME),
        new Case("bytes", new byte[] {1, 2}, Outcome.REJECTED),
        new Case("optional", Optional.of("x"), Outcome.UNSUPPORTED),
        new Case("intOrString", new IntOrString("80%"), Outcome.SAME),
        new Case("quantity", new Quantity("100m"), Outcome.SAME),
        new Case("set", Set.of("b", "a", "c"), Outcome.SAME),
        new Case("durationAsString", Duration.ofMinutes(90), Outcome.SAME),
        new Case("localDateTimeAsString", LocalDateTime.of(2026, 1, 2, 3, 4), Outcome.SAME),
        new Case("bytesAsString", new byte[] {1, 2}, Outcome.SAME),
        new Case("durationList", List.of(Duration.ofMinutes(90)), Outcome.SAME),
        new Case("durations", Map.of("a", Duration.ofMinutes(90)), Outcome.SAME));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void writesAndReads(Case c) throws Exception {
    install();
    try (KubernetesClient kubectl = server.newClient()) {
      Client client = Manager.builder().client(kubectl).build().client().uncached();
      JavaTypes object = new JavaTypes();
      object.setMetadata(
          new ObjectMetaBuilder()
              .withNamespace("default")
              .withName(UUID.randomUUID().toString())
              .build());
      Field field = JavaTypes.Fields.class.getField(c.field());
      object.setSpec(new JavaTypes.Fields());
      field.set(object.getSpec(), c.value());
      assertThat(outcome(client, object, field, c.value())).isEqualTo(c.outcome());
    }
  }

  /** A test that installs the CRD of the class learns of all such fields. */
  @Test
  void refusesTheClass() {
    String asText = ": the schema rejects what the client writes; add the annotation ";
    String converter = asText + "@JsonSerialize(using = ToStringSerializer.class)";
    List<String> problems =
        Stream.of("spec.", "status.")
            .flatMap(
                part ->
                    Stream.of(
                        part + "bytes (byte[])" + asText + "@SchemaFrom(type = String.class)",
                        part + "duration (Duration)" + converter,
                        part + "localDateTime (LocalDateTime)" + converter,
                        part
                            + "optional (Optional): the client cannot write this type; use another one"))
            .toList();
    assertThatThrownBy(() -> server.install(JavaTypes.class))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(
            e ->
                assertThat(e.getMessage().split("Java types\"\\): ")[1].split("; (?=spec|status)"))
                    .containsExactlyInAnyOrderElementsOf(problems));
  }

  private static Outcome outcome(Client client, JavaTypes object, Field field, Object value)
      throws Exception {
    Object read;
    try {
      client.create(object);
      read = field.get(client.get(JavaTypes.class, ObjectKey.of(object)).orElseThrow().getSpec());
    } catch (InvalidException e) {
      return Outcome.REJECTED;
    } catch (RuntimeException e) {
      return Outcome.UNSUPPORTED;
    }
    return Objects.deepEquals(value, read) ? Outcome.SAME : Outcome.SIMILAR;
  }

  /** Installs the CRD itself, which the embedded server would reject with its class. */
  private void install() throws Exception {
    String file = "META-INF/fabric8/javatypes.types.windlass.dev-v1.yml";
    try (InputStream crd =
        Objects.requireNonNull(JavaTypes.class.getClassLoader().getResourceAsStream(file))) {
      server.install(Serialization.unmarshal(crd, CustomResourceDefinition.class));
    }
  }
}
