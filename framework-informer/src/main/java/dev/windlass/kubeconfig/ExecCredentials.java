// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.tls.RenewedCredentials;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials of the {@code exec} plugin in a kubeconfig. This class keeps the credentials
 * until their {@code expirationTimestamp}, or indefinitely if there is none. It runs the plugin
 * again when the credentials are needed after that time, or when the server has rejected them
 * (401), as in client-go. Other threads wait while the plugin runs.
 *
 * <p>If the plugin fails, this class continues to use the last credentials, logs one warning, and
 * runs the plugin again only after at least {@value #PAUSE_SECONDS} s. Rejections cause at most one
 * run per {@value #PAUSE_SECONDS} s. This class is thread-safe.
 */
final class ExecCredentials implements RenewedCredentials {

  private static final int PAUSE_SECONDS = 10;

  /** The pause after a failure of the plugin or a rejection of its credentials. */
  static final Duration PAUSE = Duration.ofSeconds(PAUSE_SECONDS);

  private static final Logger log = LoggerFactory.getLogger(ExecCredentials.class);

  private final ExecPlugin plugin;
  private final Scheduler scheduler;
  private final Clock clock;

  @GuardedBy("this")
  private ExecPlugin.Credential credential;

  /**
   * The time at which the last pause began, as a value of {@link Scheduler#nanoTime}; null before
   * the first failure or rejection.
   */
  @GuardedBy("this")
  private @Nullable Long restingSince;

  @GuardedBy("this")
  private boolean failing;

  /**
   * Creates the credentials by running the plugin.
   *
   * @throws IllegalArgumentException if the plugin does not return credentials
   */
  ExecCredentials(ExecPlugin plugin, Scheduler scheduler, Clock clock) {
    this.plugin = plugin;
    this.scheduler = scheduler;
    this.clock = clock;
    try {
      this.credential = plugin.run(scheduler);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the exec plugin of the kubeconfig can't be used: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized @Nullable String getToken() {
    return current().token();
  }

  @Override
  public synchronized Optional<ClientCertificate> certificate() {
    return Optional.ofNullable(current().certificate());
  }

  @Override
  public synchronized Optional<String> refused(@Nullable String token) {
    if (Objects.equals(token, credential.token()) && !rests()) {
      rest();
      renew();
    }
    String next = credential.token();
    return Objects.equals(token, next) ? Optional.empty() : Optional.ofNullable(next);
  }

  @GuardedBy("this")
  private ExecPlugin.Credential current() {
    boolean expired =
        credential.expires() != null && !clock.instant().isBefore(credential.expires());
    if (expired && !(failing && rests())) {
      renew();
    }
    return credential;
  }

  @GuardedBy("this")
  private void renew() {
    try {
      credential = plugin.run(scheduler);
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        log.warn(
            "Failed to renew the credentials of the kubeconfig's exec plugin: {}; keeping the"
                + " current ones, retrying in {} s at the earliest",
            OneLine.of(String.valueOf(e.getMessage()), 700),
            PAUSE_SECONDS);
      }
      failing = true;
      rest();
    }
  }

  @GuardedBy("this")
  private boolean rests() {
    return restingSince != null && scheduler.nanoTime() - restingSince < PAUSE.toNanos();
  }

  @GuardedBy("this")
  private void rest() {
    restingSince = scheduler.nanoTime();
  }
}
