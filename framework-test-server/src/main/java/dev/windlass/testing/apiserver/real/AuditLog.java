// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the API server's audit log while the server writes it. Each line of the log is one JSON
 * document.
 *
 * <p>Each call of {@link #events()} parses only the lines that were added since the previous call.
 * The server logs a watch both when it starts and when it ends; this class ignores the second
 * entry. If the server is killed, the last line can be incomplete, and the restarted server appends
 * its first entry to the same line. This class ignores the incomplete entry and reads the appended
 * one.
 */
final class AuditLog {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String START = "{\"kind\":\"Event\"";

  private final Path file;

  @GuardedBy("this")
  private final List<AuditEvent> events = new ArrayList<>();

  @GuardedBy("this")
  private final Set<String> watches = new HashSet<>();

  /** The position in the file up to which complete lines have been read. */
  @GuardedBy("this")
  private long offset;

  AuditLog(Path file) {
    this.file = file;
  }

  /** Returns all requests logged so far, in the order of their log entries. */
  synchronized List<AuditEvent> events() {
    for (String line : newLines().lines().toList()) {
      add(line);
    }
    return List.copyOf(events);
  }

  @GuardedBy("this")
  private String newLines() {
    if (!Files.exists(file)) {
      return "";
    }
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      byte[] bytes = new byte[Math.toIntExact(log.length() - offset)];
      log.seek(offset);
      log.readFully(bytes);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      offset += end;
      return new String(bytes, 0, end, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the audit log", e);
    }
  }

  @GuardedBy("this")
  private void add(String line) {
    int start = line.lastIndexOf(START);
    if (start < 0) {
      return;
    }
    JsonNode event;
    try {
      event = JSON.readTree(line.substring(start));
    } catch (JsonProcessingException e) {
      return;
    }
    String verb = event.path("verb").asText();
    if (verb.equals("watch") && !watches.add(event.path("auditID").asText())) {
      return;
    }
    JsonNode object = event.path("objectRef");
    events.add(
        new AuditEvent(
            verb,
            object.path("apiGroup").asText(),
            object.path("resource").asText(),
            object.path("subresource").asText(),
            object.path("namespace").asText(),
            object.path("name").asText(),
            event.path("user").path("username").asText(),
            event.path("responseStatus").path("code").asInt(),
            time(event.path("requestReceivedTimestamp")),
            time(event.path("stageTimestamp"))));
  }

  private static Instant time(JsonNode node) {
    return node.isMissingNode() ? Instant.EPOCH : Instant.parse(node.asText());
  }
}
