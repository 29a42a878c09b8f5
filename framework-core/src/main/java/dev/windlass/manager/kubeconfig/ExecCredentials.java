// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.kubeconfig;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.time.Scheduler;
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
 * The credentials of a kubeconfig's {@code exec} plugin. They are kept until their {@code
 * expirationTimestamp}, or for ever if they have none. The plugin runs again at that time, or when
 * the server has rejected the credentials (401), as in client-go. Other threads wait while it runs.
 *
 * <p>If the plugin fails, the last credentials stay in use, one WARN is logged, and the plugin runs
 * again after {@value #PAUSE_SECONDS} s at the earliest. It does not run more often after
 * rejections either. Safe for use by several threads.
 */
final class ExecCredentials implements RenewedCredentials {

  private static final int PAUSE_SECONDS = 10;

  /** The pause after the plugin has failed or its credentials were rejected. */
  static final Duration PAUSE = Duration.ofSeconds(PAUSE_SECONDS);

  private static final Logger log = LoggerFactory.getLogger(ExecCredentials.class);

  private final ExecPlugin plugin;
  private final Scheduler scheduler;
  private final Clock clock;

  @GuardedBy("this")
  private ExecPlugin.Credential credential;

  /** When the pause began; null before the first failure or rejection. */
  @GuardedBy("this")
  private @Nullable Long restingSince;

  @GuardedBy("this")
  private boolean failing;

  /**
   * Runs the plugin.
   *
   * @throws IllegalArgumentException if it returns no credentials
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
