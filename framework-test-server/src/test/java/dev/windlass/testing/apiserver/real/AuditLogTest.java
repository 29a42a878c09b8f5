// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

  @TempDir Path directory;

  private Path file = Path.of("");
  private AuditLog log = new AuditLog(file);

  @BeforeEach
  void openTheLog() {
    file = directory.resolve("audit.log");
    log = new AuditLog(file);
  }

  @Test
  void isEmptyBeforeTheServerWritesIt() {
    assertThat(log.events()).isEmpty();
  }

  @Test
  void readsEachRequestOnceWhileTheFileGrows() throws IOException {
    append(line("1", "create", 201) + "\n" + line("2", "get", 200).substring(0, 30));
    assertThat(log.events()).extracting(AuditEvent::verb).containsExactly("create");

    append(line("2", "get", 200).substring(30) + "\n");
    assertThat(log.events()).extracting(AuditEvent::verb).containsExactly("create", "get");
  }

  @Test
  void readsAllFields() throws IOException {
    String time = "{\"requestReceivedTimestamp\":\"2026-01-02T03:04:05.000006Z\",";
    append(line("1", "patch", 409).replace("\"verb\"", time.substring(1) + "\"verb\"") + "\n");

    assertThat(log.events())
        .containsExactly(
            new AuditEvent(
                "patch",
                "apps",
                "deployments",
                "status",
                "ns",
                "web",
                "jane",
                409,
                Instant.parse("2026-01-02T03:04:05.000006Z"),
                Instant.EPOCH));
    assertThat(log.events().get(0).isWrite()).isTrue();
  }

  @Test
  void countsAWatchOnceAlthoughItIsLoggedTwice() throws IOException {
    append(line("1", "watch", 200) + "\n" + line("1", "watch", 200) + "\n");

    assertThat(log.events()).hasSize(1).noneMatch(AuditEvent::isWrite);
  }

  @Test
  void skipsALineThatAKilledServerLeftUnfinished() throws IOException {
    append(line("1", "create", 201).substring(0, 40));
    append(line("2", "delete", 200) + "\n");

    assertThat(log.events()).extracting(AuditEvent::verb).containsExactly("delete");
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String line(String id, String verb, int code) {
    return """
        {"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"%s","verb":"%s",\
        "user":{"username":"jane"},"objectRef":{"resource":"deployments","namespace":"ns",\
        "name":"web","apiGroup":"apps","subresource":"status"},"responseStatus":{"code":%d}}"""
        .formatted(id, verb, code);
  }
}
