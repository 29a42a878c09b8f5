// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Failures.raise;
import static dev.windlass.testing.core.Samples.cachedConfigMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.NotCachedException;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.Projection;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class EnqueueMappedTest {

  @AutoClose private final Logs logs = Logs.of(EventHandler.class);
  private final RecordingSink sink = new RecordingSink();

  private final CachedObject<ConfigMap> one = cachedConfigMap("one", 1);
  private final CachedObject<ConfigMap> two = cachedConfigMap("two", 2);

  private static List<Request> byName(ConfigMap map) {
    return List.of(Request.of("foos", map.getMetadata().getName()), Request.of("both"));
  }

  private void map(
      ResourceEvent<ConfigMap> event, Function<ConfigMap, Collection<Request>> requestsOf) {
    EventHandler.mapping(requestsOf).handle(event, sink);
  }

  @Test
  void requestsWhatTheFunctionSays() {
    map(new ResourceEvent.Added<>(one, false), EnqueueMappedTest::byName);
    assertThat(sink.keys()).containsExactly("foos/one", "both");
  }

  @Test
  void requestsEachOfBothStatesOnce() {
    map(new ResourceEvent.Updated<>(one, two), EnqueueMappedTest::byName);
    assertThat(sink.keys()).containsExactly("foos/one", "both", "foos/two");
  }

  @Test
  void asksOnceWhenNothingHappened() {
    List<String> asked = new ArrayList<>();
    map(
        new ResourceEvent.Updated<>(one, one),
        map -> {
          asked.add(map.getMetadata().getName());
          return byName(map);
        });
    assertThat(asked).containsExactly("one");
  }

  /** If the function fails on one state, its results for the other state are still used. */
  @Test
  void requestsForOneStateWhatTheOtherFailsToSay() {
    map(
        new ResourceEvent.Updated<>(one, two),
        map -> {
          if (map.getMetadata().getName().equals("one")) {
            throw new IllegalStateException("no owner label");
          }
          return byName(map);
        });
    assertThat(sink.keys()).containsExactly("foos/two", "both");
    assertThat(logs.lines())
        .singleElement()
        .asString()
        .startsWith("ERROR Failed to map ConfigMap default/one (version 1) to requests");
  }

  @Test
  void outlivesAFunctionThatReturnsNullOrARequestThatIsNull() {
    ResourceEvent<ConfigMap> event = new ResourceEvent.Added<>(one, false);
    assertThatCode(() -> map(event, map -> nothing())).doesNotThrowAnyException();
    assertThatCode(() -> map(event, map -> Arrays.asList(Request.of("x"), nothing())))
        .doesNotThrowAnyException();
    assertThat(sink.keys()).isEmpty();
    assertThat(logs.thrown())
        .as("they name the type, and no lambda")
        .containsExactly(
            "the function that maps a ConfigMap to requests returned null; it must return a list,"
                + " empty for none",
            "the function that maps a ConfigMap to requests returned a list that contains null");
  }

  /** An object that does not fit its class does not affect others. */
  @Test
  void outlivesAnObjectThatCantBeDecoded() {
    byte[] json =
        """
        {"kind":"ConfigMap","metadata":{"namespace":"default","name":"bad"},"data":7}"""
            .getBytes(StandardCharsets.UTF_8);
    CachedObject<ConfigMap> bad =
        new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class)).decode(json, 0, json.length);
    map(new ResourceEvent.Updated<>(bad, two), EnqueueMappedTest::byName);
    assertThat(sink.keys()).containsExactly("foos/two", "both");
  }

  /** A function that may answer otherwise by now, as one that looks at other objects. */
  private final Map<String, List<Request>> answers = new HashMap<>();

  private final EnqueueMapped<ConfigMap> remembering =
      new EnqueueMapped<>(object -> answers.getOrDefault(object.key().name(), List.of()));

  private List<String> requests(ResourceEvent<ConfigMap> event) {
    sink.added.clear();
    remembering.handle(event, sink);
    return sink.keys();
  }

  private void answer(String... names) {
    answers.put("one", Stream.of(names).map(Request::of).toList());
  }

  /** An object that was linked before is reconciled when the link disappears. */
  @Test
  void requestsTheLinksThatDisappeared() {
    answer("x", "y");
    assertThat(requests(new ResourceEvent.Added<>(one, true))).containsExactly("x", "y");
    answer("y", "z");
    assertThat(requests(new ResourceEvent.Added<>(one, true)))
        .as("the old state was missed")
        .containsExactly("x", "y", "z");
    answer();
    assertThat(requests(new ResourceEvent.Updated<>(one, one))).containsExactly("y", "z");
    assertThat(requests(new ResourceEvent.Updated<>(one, one))).isEmpty();
  }

  /** The mapping keeps one entry per existing object with links, so its memory is bounded. */
  @Test
  void remembersLinkedObjectsThatExist() {
    answer("x");
    requests(new ResourceEvent.Added<>(one, false));
    requests(new ResourceEvent.Added<>(two, false));
    assertThat(remembering.remembered()).as("two is not linked").isEqualTo(1);
    answer();
    assertThat(requests(new ResourceEvent.Deleted<>(one, true))).containsExactly("x");
    assertThat(remembering.remembered()).isZero();
    answer("x");
    requests(new ResourceEvent.Updated<>(two, one));
    answer();
    requests(new ResourceEvent.Updated<>(one, one));
    assertThat(remembering.remembered()).isZero();
    answer("x");
    requests(new ResourceEvent.Generic<>(one));
    assertThat(remembering.remembered()).as("nobody says that it exists").isZero();
  }

  /** If the function fails, its previous results remain in use. */
  @Test
  void keepsTheLastAnswerWhenTheFunctionFails() {
    List<String> failures = new ArrayList<>();
    EnqueueMapped<ConfigMap> failing =
        new EnqueueMapped<>(
            object -> {
              if (!failures.isEmpty()) {
                throw new IllegalStateException(failures.get(0));
              }
              return List.of(Request.of("x"));
            });
    failing.handle(new ResourceEvent.Added<>(one, false), sink);
    failures.add("can't say");
    failing.handle(new ResourceEvent.Updated<>(one, one), sink);
    failing.handle(new ResourceEvent.Updated<>(one, one), sink);
    assertThat(sink.keys()).containsExactly("x", "x", "x");
  }

  /** A sink that fails half-way has lost nothing: the link is there at the next event. */
  @Test
  void forgetsNothingBeforeItIsInTheSink() {
    answer("x", "y");
    requests(new ResourceEvent.Added<>(one, true));
    answer();
    assertThatThrownBy(
            () ->
                remembering.handle(
                    new ResourceEvent.Updated<>(one, one),
                    request -> raise(new StackOverflowError("test"))))
        .hasMessage("test");
    assertThat(requests(new ResourceEvent.Updated<>(one, one))).containsExactly("x", "y");
  }

  /** Metadata is there for nothing. */
  @Test
  void mapsMetadataWithoutDecoding() {
    ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);
    CachedObject<ConfigMap> labelled =
        codec.encode(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("m")
                .addToLabels("for", "x")
                .endMetadata()
                .build());
    EventHandler.<ConfigMap>mappingMetadata(
            object -> List.of(Request.of(String.valueOf(object.labels().get("for")))))
        .handle(new ResourceEvent.Added<>(labelled, false), sink);
    assertThat(sink.keys()).containsExactly("x");
    assertThat(codec.decoded()).isZero();
  }

  /** The sentence says what to do about a function that reads what is not cached. */
  @Test
  void saysThatTheContentIsNotCached() {
    CachedObject<ConfigMap> metadataOnly =
        ObjectCodec.of(ConfigMap.class)
            .with(Projection.METADATA)
            .encode(new ConfigMapBuilder().withNewMetadata().withName("m").endMetadata().build());
    map(new ResourceEvent.Added<>(metadataOnly, false), EnqueueMappedTest::byName);
    assertThat(logs.messages()).hasSize(1);
    assertThat(sink.keys()).isEmpty();
    assertThatThrownBy(metadataOnly::decode)
        .isInstanceOf(NotCachedException.class)
        .hasMessageContaining("watch it with Projection.STRIPPED");
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T extends @Nullable Object> T nothing() {
    return null;
  }
}
