// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client behind a fence, on the default transport. */
@Timeout(60)
final class FenceInterceptorTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final ConfigMap MAP = Samples.configMap("default", "a");

  private final ManualScheduler time = new ManualScheduler();
  private final LeaseFence fence = new LeaseFence(LeaderElectionOptions.of("lease"), time);
  @AutoClose private final Http server = new Http();

  @AutoClose
  private final KubernetesClient client =
      new KubernetesClientBuilder()
          .withConfig(
              new ConfigBuilder(server.config())
                  .withRequestRetryBackoffLimit(5) // as fabric8 would, if it were left to it
                  .build())
          .withHttpClientBuilderConsumer(
              builder -> builder.addOrReplaceInterceptor("fence", Fence.guarding(fence)))
          .build();

  private void open() {
    fence.open(time.nanoTime());
    server.answer("GET " + MAPS + "/a", Serialization.asJson(MAP));
    server.answer("POST " + MAPS, Serialization.asJson(MAP));
    server.answer("PUT " + MAPS + "/a", Serialization.asJson(MAP));
    server.answer("PATCH " + MAPS + "/a", Serialization.asJson(MAP));
    server.answer("DELETE " + MAPS + "/a", Serialization.asJson(MAP));
  }

  /** The write is neither sent nor retried, and the exception's type tells what to do. */
  @Test
  void refusesEveryWriteOnceItIsClosed() {
    open();
    time.advance(Duration.ofSeconds(10));
    for (Runnable write :
        List.<Runnable>of(
            () -> client.resource(MAP).create(),
            () -> client.resource(MAP).update(),
            () -> client.resource(MAP).patch(),
            () -> client.resource(MAP).delete(),
            () -> client.configMaps().inNamespace("default").delete())) {
      assertThatThrownBy(write::run)
          .isInstanceOf(LeadershipLostException.class)
          .hasMessage(
              "this replica is not the leader for the lease lease: it was not renewed within 10 s");
    }
    assertThat(server.lines()).allMatch(line -> line.startsWith("GET"));
  }

  @Test
  void letsReadsThroughAlways() {
    open();
    fence.close("it is over");
    assertThat(client.resource(MAP).get()).isNotNull();
    assertThatThrownBy(fence::check)
        .hasMessage("this replica is not the leader for the lease lease: it is over");
  }

  /** What is handed over last has 4 s, of the 5 s before somebody else may lead. */
  @Test
  void limitsWhatMayTakeTooLong() {
    fence.open(time.nanoTime());
    assertThat(timeout(null)).isEqualTo(Duration.ofSeconds(14));
    time.advance(Duration.ofMillis(9_999));
    assertThat(timeout(null)).isEqualTo(Duration.ofMillis(4_001));
    assertThat(timeout(Duration.ofSeconds(10))).isEqualTo(Duration.ofMillis(4_001));
    assertThat(timeout(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
  }

  private Duration timeout(@Nullable Duration own) {
    StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
    builder.uri(URI.create(MAPS));
    builder.method("PUT", "application/json", "{}");
    if (own != null) {
      builder.timeout(own.toMillis(), TimeUnit.MILLISECONDS);
    }
    StandardHttpRequest request = builder.build();
    Fence.guarding(fence).before(builder, request, null);
    return builder.build().getTimeout();
  }

  @Test
  void isAlwaysOpenWithoutAnElection() {
    assertThat(Fence.OPEN.holds()).isTrue();
    StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
    builder.uri(URI.create(MAPS));
    builder.method("PUT", "application/json", "{}");
    Duration before = builder.build().getTimeout();
    Fence.guarding(Fence.OPEN).before(builder, builder.build(), null);
    assertThat(builder.build().getTimeout()).isEqualTo(before);
  }
}
