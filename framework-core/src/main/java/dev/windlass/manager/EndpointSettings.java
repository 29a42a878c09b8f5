// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.httpserver.BindAddress;
import dev.windlass.tls.ServerCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link ManagerBuilder} for probes and metrics. If the program does not set a
 * value, the value from {@link EnvironmentSettings} applies. This class is not thread-safe.
 */
final class EndpointSettings {

  /**
   * The default time after which a controller counts as wedged if all its workers are blocked: 60
   * s, counted from the time-outs of their reconciles.
   */
  static final Duration WEDGED_AFTER = Duration.ofSeconds(60);

  @Nullable String probes;
  @Nullable String metrics;
  @Nullable ServerCertificate certificate;
  @Nullable Boolean authentication;
  @Nullable Boolean requestHistograms;
  @Nullable Supplier<String> metricsText;

  /**
   * The default source of {@code /metrics}, which reads the meters of the manager being built;
   * empty if the meter registry does not support the Prometheus text format.
   */
  Optional<Supplier<String>> scrape = Optional.empty();

  @Nullable Duration wedgedAfter;
  @Nullable OnWedged onWedged;
  private EnvironmentSettings outside = EnvironmentSettings.ofProcess();

  void outside(EnvironmentSettings settings) {
    outside = settings;
  }

  /** Rejects invalid settings before any resource is created. */
  void check() {
    outside.check();
    probes();
    metrics();
    certificate();
    authentication();
    requestHistograms();
    wedgedAfter();
    onWedged();
  }

  /**
   * Checks that the given address is valid, and returns it.
   *
   * @throws IllegalArgumentException if the address is invalid
   */
  static String checked(String address) {
    BindAddress.parse(address);
    return address;
  }

  Optional<BindAddress> probes() {
    return address(probes, Setting.PROBE_ADDRESS);
  }

  Optional<BindAddress> metrics() {
    return address(metrics, Setting.METRICS_ADDRESS);
  }

  private Optional<BindAddress> address(@Nullable String given, Setting setting) {
    return given == null ? outside.address(setting) : BindAddress.parse(given);
  }

  Optional<ServerCertificate> certificate() {
    if (certificate != null) {
      return Optional.of(certificate);
    }
    Optional<String> chain = outside.text(Setting.METRICS_CERTIFICATE);
    Optional<String> key = outside.text(Setting.METRICS_KEY);
    if (chain.isPresent() != key.isPresent()) {
      throw new InvalidSettingException(
          "TLS needs a certificate and a key: %s is set, but not %s"
              .formatted(
                  outside.name(
                      chain.isPresent() ? Setting.METRICS_CERTIFICATE : Setting.METRICS_KEY),
                  (chain.isPresent() ? Setting.METRICS_KEY : Setting.METRICS_CERTIFICATE)
                      .variable()));
    }
    return chain.map(file -> new ServerCertificate(Path.of(file), Path.of(key.orElse(""))));
  }

  boolean authentication() {
    return authentication != null
        ? authentication
        : outside.flag(Setting.METRICS_AUTHENTICATION).orElse(false);
  }

  boolean requestHistograms() {
    return requestHistograms != null
        ? requestHistograms
        : outside.flag(Setting.REQUEST_HISTOGRAMS).orElse(false);
  }

  Optional<Supplier<String>> metricsText() {
    return Optional.ofNullable(metricsText).or(() -> scrape);
  }

  Duration wedgedAfter() {
    return wedgedAfter != null
        ? wedgedAfter
        : outside.duration(Setting.WEDGED_AFTER).orElse(WEDGED_AFTER);
  }

  OnWedged onWedged() {
    return onWedged != null ? onWedged : outside.onWedged().orElse(OnWedged.REPORT);
  }
}
