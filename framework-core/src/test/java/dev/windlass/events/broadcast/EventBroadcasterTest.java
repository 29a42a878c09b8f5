// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Http;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class EventBroadcasterTest {

  private final Http server = new Http();
  private final KubernetesClient client = server.newClient();
  private final ManualScheduler time = new ManualScheduler();
  private final EventBroadcaster events =
      new EventBroadcaster(client, time, time.clock(), Thread::new, EventBroadcaster.PER_SECOND);

  @AfterEach
  void closes() throws InterruptedException {
    assertThat(events.stop(Duration.ofSeconds(20))).isTrue();
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "sample-controller", "Foo_Controller.v1", "example.com/foo"})
  void takesQualifiedNames(String component) {
    assertThatCode(() -> events.recorder(component)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "foo controller", "-foo", "foo-",
        "a/b/c", "Example.com/foo", "/foo", "foo/",
        "f\u00f6o"
      })
  void refusesNamesThatTheServerWouldRefuse(String component) {
    assertThatThrownBy(() -> events.recorder(component))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + component + "' can't be the name of a component")
        .hasMessageContaining("such as 'foo-controller'");
  }

  @Test
  void refusesNamesThatAreTooLong() {
    String longest = "a".repeat(63);
    assertThat(events.recorder(longest)).isNotNull();
    assertThatThrownBy(() -> events.recorder(longest + "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(events.recorder("d".repeat(253) + "/a")).isNotNull();
    assertThatThrownBy(() -> events.recorder("d".repeat(254) + "/a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void showsHarmfulNamesOnOneLine() {
    assertThatThrownBy(() -> events.recorder("foo\nERROR"))
        .hasMessageStartingWith("'foo\\u000aERROR'");
  }
}
