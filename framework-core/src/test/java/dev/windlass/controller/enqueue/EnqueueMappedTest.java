// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Samples.cachedConfigMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.testing.core.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EnqueueMappedTest {

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

  /** P6: one state that the function can't take does not hide what it says of the other. */
  @Test
  void requestsForOneStateWhatTheOtherFailsToSay() {
    try (Logs logs = Logs.of(EventHandler.class)) {
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
          .startsWith("ERROR The mapping of ConfigMap default/one (version 1) to requests failed");
    }
  }

  @Test
  void outlivesAFunctionThatReturnsNullOrARequestThatIsNull() {
    ResourceEvent<ConfigMap> event = new ResourceEvent.Added<>(one, false);
    assertThatCode(() -> map(event, map -> nothing())).doesNotThrowAnyException();
    assertThatCode(() -> map(event, map -> Arrays.asList(Request.of("x"), nothing())))
        .doesNotThrowAnyException();
    assertThat(sink.keys()).doesNotContainNull();
  }

  /** P6: an object that does not fit its class concerns nobody but itself. */
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

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T extends @Nullable Object> T nothing() {
    return null;
  }
}
