// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.Credentials;
import dev.windlass.testsupport.JavaProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends requests that no API server sends to a program with webhooks and 96 MiB of heap: {@code
 * -Dhostile.requests} of them (10,000), from a seed that {@code -Dhostile.seed} repeats.
 */
final class HostileReviewsIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int AT_A_TIME = 32;

  /** The program accepts 1/64 of its heap: 1.5 MiB. */
  private static final int LARGE = 1_400_000;

  private static final int TOO_LARGE = 3_000_000;

  @TempDir private Path directory;

  private final long seed = Long.getLong("hostile.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private HttpClient client() throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    byte[] authority = Files.readAllBytes(directory.resolve("ca.crt"));
    store.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(authority)));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(tls).build();
  }

  /** Writes the files that cert-manager would write into the directory. */
  private void mountsCertificates() throws IOException {
    CertificateAuthority authority = CertificateAuthority.create(Clock.systemUTC());
    Credentials server = authority.server("webhooks", List.of("127.0.0.1"));
    Files.writeString(directory.resolve("ca.crt"), authority.self().certificatePem());
    Files.writeString(directory.resolve("tls.crt"), server.certificatePem());
    Files.writeString(directory.resolve("tls.key"), server.keyPem());
  }

  /** A review that an API server could send, in pieces that the test replaces. */
  private static String review(String uid, String resource, String object) {
    return "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{"
        + "\"uid\":"
        + uid
        + ",\"operation\":\"CREATE\",\"name\":\"a\",\"resource\":"
        + resource
        + ",\"object\":"
        + object
        + "}}";
  }

  private static final String CONFIG_MAPS =
      "{\"group\":\"\",\"version\":\"v1\",\"resource\":\"configmaps\"}";

  private static final String OBJECT =
      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{}}";

  private String hostile() {
    String text = "x".repeat(random.nextInt(1, 200));
    return switch (random.nextInt(17)) {
      case 0 -> "";
      case 1 -> text;
      case 2 -> "[".repeat(random.nextInt(1, 20_000));
      case 3 -> "{\"a\":".repeat(random.nextInt(1, 20_000));
      case 4 -> review("null", CONFIG_MAPS, OBJECT);
      case 5 -> review("\"\"", CONFIG_MAPS, OBJECT);
      case 6 -> review("\"u\"", CONFIG_MAPS.replace("configmaps", "secrets"), OBJECT);
      case 7 -> review("\"u\"", CONFIG_MAPS.replace("v1", "v9"), OBJECT);
      case 8 -> review("\"u\"", CONFIG_MAPS, "null");
      case 9 ->
          review("\"u\"", CONFIG_MAPS, OBJECT.replace("{}", "[1,{\"b\":[" + text.length() + "]}]"));
      case 10 ->
          review("\"u\"", CONFIG_MAPS, OBJECT.replace("{}", "{\"n\":" + "9".repeat(2_000) + "}"));
      case 11 -> review("\"u\"", CONFIG_MAPS, OBJECT.replace("{}", "{\"a\":\"1\",\"a\":\"2\"}"));
      case 12 ->
          review("\"u\"", CONFIG_MAPS, "{\"metadata\":" + "[".repeat(900) + "]".repeat(900) + "}");
      case 13 -> truncated(review("\"u\"", CONFIG_MAPS, OBJECT));
      case 14 -> corrupted(review("\"u\"", CONFIG_MAPS, OBJECT));
      case 15 ->
          random.nextInt(20) == 0 // a tree of 30 times its size
              ? review(
                  "\"u\"",
                  CONFIG_MAPS,
                  OBJECT.replace("{}", "{\"a\":[" + "{},".repeat(LARGE / 3) + "{}]}"))
              : review("\"u\"", CONFIG_MAPS, OBJECT);
      default ->
          random.nextInt(20) == 0
              ? review(
                  "\"u\"",
                  CONFIG_MAPS,
                  OBJECT.replace("{}", "{\"a\":\"" + "y".repeat(TOO_LARGE) + "\"}"))
              : review("\"u\"", CONFIG_MAPS, OBJECT);
    };
  }

  private String truncated(String body) {
    return body.substring(0, random.nextInt(body.length()));
  }

  private String corrupted(String body) {
    char[] characters = body.toCharArray();
    for (int i = 0; i < 3; i++) {
      characters[random.nextInt(characters.length)] = (char) random.nextInt(32, 127);
    }
    return new String(characters);
  }

  @Test
  void eachRequestIsAnsweredCleanlyInLittleMemory() throws Exception {
    mountsCertificates();
    int port = freePort();
    URI address = URI.create("https://127.0.0.1:" + port + "/validate--v1-configmap?timeout=10s");
    int number = Integer.getInteger("hostile.requests", 10_000);
    Map<Integer, Integer> statuses = new TreeMap<>();
    try (JavaProcess program =
        JavaProcess.start(
            Map.of(),
            List.of(),
            List.of("-Xmx96m", "-XX:+ExitOnOutOfMemoryError"),
            HostileReviewsProgram.class,
            "127.0.0.1:" + port,
            directory.toString())) {
      program.awaitLine("ready");
      HttpClient client = client();
      for (int sent = 0; sent < number; sent += AT_A_TIME) {
        List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
          HttpRequest request =
              HttpRequest.newBuilder(address)
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(hostile()))
                  .build();
          answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()));
        }
        for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
          HttpResponse<byte[]> response = answer.get();
          statuses.merge(response.statusCode(), 1, Integer::sum);
          check(response);
        }
      }
      program.terminate();
      assertThat(program.awaitExit()).isZero();
    }
    System.out.println("hostile.seed=" + seed + ": " + number + " requests, answers " + statuses);
    assertThat(statuses.keySet()).contains(200, 400, 413);
  }

  private static void check(HttpResponse<byte[]> response) throws IOException {
    if (response.statusCode() != 200) {
      assertThat(response.statusCode()).isBetween(400, 499);
      assertThat(new String(response.body(), StandardCharsets.UTF_8))
          .isNotBlank()
          .hasSizeLessThan(501);
      return;
    }
    JsonNode answer = JSON.readTree(response.body());
    assertThat(answer.path("kind").asText()).isEqualTo("AdmissionReview");
    assertThat(answer.path("response").path("uid").asText()).isNotBlank();
    assertThat(answer.path("response").path("allowed").isBoolean()).isTrue();
  }
}
