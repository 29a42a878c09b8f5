// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.failure.FailureCause;
import dev.windlass.leader.LeaseLock.LeaseChangedException;
import dev.windlass.testing.core.Http;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HttpLeaseLockTest {

  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final LeaderElectionOptions OPTIONS =
      LeaderElectionOptions.of("foo").withNamespace("default");

  private static final String LEASE =
      """
      {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
       "metadata":{"name":"foo","namespace":"default","resourceVersion":"7",
         "labels":{"team":"a"}},
       "spec":{"holderIdentity":"me_1","leaseDurationSeconds":15,"leaseTransitions":3,
         "acquireTime":"2026-01-02T03:04:05.000006Z","renewTime":"2026-01-02T03:05:05.123456Z",
         "strategy":"OldestEmulationVersion"}}
      """;

  @AutoClose private final Http server = new Http();

  @AutoClose private final KubernetesClient client = server.newClient();

  private final HttpLeaseLock lock = new HttpLeaseLock(client, OPTIONS, Runnable::run);

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(20, TimeUnit.SECONDS);
  }

  @Test
  void readsALease() throws Exception {
    server.answer("GET " + LEASES + "/foo", LEASE);
    assertThat(get(lock.read()))
        .contains(
            new LeaseRecord(
                "me_1",
                Duration.ofSeconds(15),
                Instant.parse("2026-01-02T03:04:05.000006Z"),
                Instant.parse("2026-01-02T03:05:05.123456Z"),
                3,
                "7"));
  }

  @Test
  void findsNoLease() throws Exception {
    assertThat(get(lock.read())).isEmpty();
  }

  @Test
  void readsALeaseThatSaysNothing() throws Exception {
    server.answer(
        "GET " + LEASES + "/foo", "{\"metadata\":{\"name\":\"foo\",\"resourceVersion\":\"1\"}}");
    assertThat(get(lock.read())).contains(new LeaseRecord("", Duration.ZERO, null, null, 0, "1"));
  }

  /** What it does not know is left as it is, and the version makes the write conditional. */
  @Test
  void changesWhatItKnows() throws Exception {
    server.answer("GET " + LEASES + "/foo", LEASE);
    server.answer("PUT " + LEASES + "/foo", LEASE.replace("\"7\"", "\"8\""));
    LeaseRecord read = get(lock.read()).orElseThrow();
    LeaseRecord written =
        get(
            lock.write(
                read.renewed(Duration.ofSeconds(20), Instant.parse("2026-01-02T04:00:00Z"))));
    assertThat(written.version()).isEqualTo("8");
    assertThat(server.asked().get(1).body())
        .contains("\"resourceVersion\":\"7\"")
        .contains("\"renewTime\":\"2026-01-02T04:00:00.000000Z\"")
        .contains("\"acquireTime\":\"2026-01-02T03:04:05.000006Z\"")
        .contains("\"leaseDurationSeconds\":20")
        .contains("\"holderIdentity\":\"me_1\"")
        .contains("\"team\":\"a\"")
        .contains("OldestEmulationVersion");
    get(lock.write(written.released(Instant.EPOCH)));
    assertThat(server.asked().get(2).body())
        .contains("\"resourceVersion\":\"8\"")
        .contains("\"leaseDurationSeconds\":1")
        .doesNotContain("holderIdentity");
  }

  @Test
  void createsALease() throws Exception {
    server.answer("POST " + LEASES, LEASE);
    get(lock.write(LeaseRecord.NONE.takenBy("me_1", Duration.ofSeconds(15), Instant.EPOCH)));
    assertThat(server.asked().get(0).body())
        .contains("\"name\":\"foo\"")
        .contains("\"leaseTransitions\":1")
        .doesNotContain("resourceVersion");
  }

  private void refuses(CompletableFuture<?> answer, Class<?> type, String message) {
    assertThatThrownBy(() -> get(answer))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(type)
        .hasMessage(message);
  }

  @Test
  void tellsAChangedLeaseFromAServerInTrouble() {
    LeaseRecord created = LeaseRecord.NONE.takenBy("me", Duration.ofSeconds(15), Instant.EPOCH);
    LeaseRecord updated = new LeaseRecord("me", Duration.ofSeconds(15), null, null, 1, "7");
    server.fail("POST " + LEASES, 409);
    refuses(
        lock.write(created),
        LeaseChangedException.class,
        "HTTP 409. " + FailureCause.CONFLICT.sentence());
    server.fail("PUT " + LEASES + "/foo", 409);
    refuses(
        lock.write(updated),
        LeaseChangedException.class,
        "HTTP 409. " + FailureCause.CONFLICT.sentence());
    String unknown =
        "HTTP 404. The server does not serve this resource, which comes with Kubernetes and has no"
            + " CRD. Correct the version of the class, or use a server that serves it.";
    server.fail("PUT " + LEASES + "/foo", 404);
    refuses(lock.write(updated), IOException.class, unknown);
    server.failAsAbsent("PUT " + LEASES + "/foo");
    refuses(
        lock.write(updated),
        LeaseChangedException.class,
        "HTTP 404: leases \"foo\" not found. " + FailureCause.NOT_FOUND.sentence());
    server.fail("GET " + LEASES + "/foo", 404);
    refuses(lock.read(), IOException.class, unknown);
    server.fail("POST " + LEASES, 404);
    refuses(lock.write(created), IOException.class, unknown);
    server.fail("GET " + LEASES + "/foo", 503);
    refuses(lock.read(), IOException.class, "HTTP 503. " + FailureCause.SERVER_ERROR.sentence());
    server.answer("GET " + LEASES + "/foo", "{\"kind\":\"Status\"}");
    refuses(lock.read(), IOException.class, "the response is not the Lease foo");
    assertThat(server.lines()).as("nothing is repeated").hasSize(8);
  }

  @Test
  void namesTheRightThatIsMissing() {
    server.fail("GET " + LEASES + "/foo", 403, "Forbidden", "not\\nyou");
    refuses(
        lock.read(),
        IOException.class,
        "HTTP 403: not\\u000ayou. Permission denied. Grant this identity the verb get on leases of"
            + " the group coordination.k8s.io in namespace default in a Role or ClusterRole.");
  }

  @Test
  void saysWhatToDoAboutAServerThatIsNotThere() {
    server.close();
    assertThatThrownBy(() -> get(lock.read()))
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("no response: ")
        .hasMessageEndingWith(FailureCause.UNREACHABLE.sentence());
  }

  /** Giving up also closes the connection (docs/reliability.md, H2). */
  @Test
  void givesUpAServerThatHangs() throws Exception {
    try (ServerSocket hanging = new ServerSocket(0);
        KubernetesClient other =
            new KubernetesClientBuilder()
                .withConfig(
                    new ConfigBuilder(server.config())
                        .withMasterUrl("http://127.0.0.1:" + hanging.getLocalPort() + "/")
                        .build())
                .build()) {
      HttpLeaseLock impatient =
          new HttpLeaseLock(
              other,
              OPTIONS.withDurations(
                  Duration.ofSeconds(1), Duration.ofMillis(400), Duration.ofMillis(100)),
              Runnable::run);
      assertThatThrownBy(() -> get(impatient.read())).isInstanceOf(ExecutionException.class);
      CompletableFuture<?> cancelled = impatient.read();
      var connection = hanging.accept();
      cancelled.cancel(true);
      connection.setSoTimeout(20_000);
      while (connection.getInputStream().read() >= 0) {
        // until the client has closed it
      }
    }
  }
}
