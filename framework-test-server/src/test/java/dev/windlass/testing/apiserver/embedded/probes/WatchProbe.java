// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.probes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads a watch on a thread of its own, so that waiting for an event has an end. */
public final class WatchProbe implements AutoCloseable {
  /** The stream ended as HTTP demands. */
  public static final String CLEAN_END = "clean end";

  /** The connection broke in the middle of the stream. */
  public static final String CUT = "cut";

  private static final long TIMEOUT_SECONDS = 10;

  private final int code;
  private final InputStream stream;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  WatchProbe(int code, InputStream stream) {
    this.code = code;
    this.stream = stream;
    Thread reader = new Thread(this::read, "watch-probe");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
      lines.add(CLEAN_END);
    } catch (IOException e) {
      lines.add(CUT);
    }
  }

  public int code() {
    return code;
  }

  /** The next line, or how the stream ended; waits at most 10 seconds. */
  public String line() {
    try {
      String line = lines.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("nothing came in " + TIMEOUT_SECONDS + " s");
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public JsonNode event() {
    return HttpProbe.parse(line());
  }

  /** The next event as its type and the name of its object, such as {@code ADDED a}. */
  public String next() {
    return describe(event());
  }

  /** {@code ADDED a} for an event. */
  public static String describe(JsonNode event) {
    String name = event.at("/object/metadata/name").asText();
    return (event.path("type").asText() + " " + name).trim();
  }

  /** Skips events until one of this type comes. */
  public JsonNode await(String type) {
    while (true) {
      JsonNode event = event();
      if (event.path("type").asText().equals(type)) {
        return event;
      }
    }
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
