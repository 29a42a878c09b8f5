// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the token of a kubeconfig user. The token comes from the user's {@code tokenFile}, or
 * from the {@code token} field of the kubeconfig. Both files can be replaced while the program
 * runs. {@link #getToken} reads the file again if at least 10 s have passed since the last attempt.
 * In client-go, this period is 1 min, and the kubeconfig is never read again. If the file cannot be
 * read, this class continues to use the previous token and logs one warning. This class is
 * thread-safe.
 */
final class TokenFile implements OAuthTokenProvider {

  /** The minimum time between two reads of the file: 10 s, as for certificates. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(TokenFile.class);

  @FunctionalInterface
  interface Reader {
    String read() throws IOException;
  }

  private final Reader reader;
  private final Scheduler scheduler;

  @GuardedBy("this")
  private String token;

  @GuardedBy("this")
  private long readAt;

  @GuardedBy("this")
  private boolean failing;

  /**
   * Creates an instance and reads the file.
   *
   * @param fallback the {@code token} in the kubeconfig; null if there is none. As in client-go,
   *     this token is used until the file can be read
   * @throws IllegalArgumentException if the file cannot be read and there is no fallback
   */
  TokenFile(Path file, @Nullable String fallback, Scheduler scheduler) {
    this(() -> read(file), fallback, scheduler);
  }

  /**
   * Creates an instance that reads the token with the given reader. In all other respects, this
   * constructor is the same as {@link #TokenFile(Path, String, Scheduler)}.
   */
  TokenFile(Reader reader, @Nullable String fallback, Scheduler scheduler) {
    this.reader = reader;
    this.scheduler = scheduler;
    this.readAt = scheduler.nanoTime();
    try {
      token = reader.read();
    } catch (IOException e) {
      if (fallback == null || fallback.isEmpty()) {
        throw new IllegalArgumentException(
            "the tokenFile of the kubeconfig can't be used: " + OneLine.of(text(e), 300), e);
      }
      token = fallback;
    }
  }

  private static String read(Path file) throws IOException {
    String content = Files.readString(file).strip();
    if (content.isEmpty()) {
      throw new IOException(file + " is empty");
    }
    return content;
  }

  private static String text(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  @Override
  public synchronized String getToken() {
    long now = scheduler.nanoTime();
    if (now - readAt < PERIOD.toNanos()) {
      return token;
    }
    readAt = now;
    try {
      token = reader.read();
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        failing = true;
        log.warn(
            "Failed to reload the token file: {}; keeping the current token",
            OneLine.of(text(e), 300));
      }
    }
    return token;
  }
}
