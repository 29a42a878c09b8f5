// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.diagnosis.Diagnosis;
import dev.windlass.diagnosis.DiagnosisSource;
import dev.windlass.health.HealthCheck;
import dev.windlass.health.checks.Health;
import dev.windlass.health.checks.HealthMonitor;
import dev.windlass.health.checks.HealthPage;
import dev.windlass.httpserver.BindAddress;
import dev.windlass.httpserver.CertificateIssuer;
import dev.windlass.httpserver.HttpEndpoint;
import dev.windlass.httpserver.Page;
import dev.windlass.httpserver.PageReply;
import dev.windlass.httpserver.RequestAuthorizer;
import dev.windlass.httpserver.ServerCertificate;
import dev.windlass.httpserver.auth.TokenReviewAuthorizer;
import dev.windlass.informer.InformerOptions;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A manager's HTTP endpoints. One address serves {@code /healthz}, {@code /livez} and {@code
 * /readyz}; another serves {@code /metrics} and {@code /debug/windlass}. If other machines can
 * reach the latter, {@code /debug/windlass} is also served on a loopback address. The manager does
 * not start an endpoint that has no address. The endpoints start first and stop last, so that they
 * can report the state of all other components while the components start and stop. This class is
 * thread-safe.
 */
public final class ManagerEndpoints implements ManagedComponent {

  /** The content type of Prometheus's text format. */
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  /**
   * The difference between the port of the metrics and the port on the loopback address that serves
   * the diagnosis: 8082 for 8080, because the probes usually have 8081.
   */
  private static final int DIAGNOSIS_PORT_OFFSET = 2;

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  private final MonitoringContext context;
  private final Scheduler scheduler;
  private final InformerOptions options;
  private final OnWedged onWedged;
  private final Duration wedgedAfter;
  private final Health health;
  private final BuiltInHealthChecks checks;
  private final DiagnosisCollector diagnoses;
  private final @Nullable HttpEndpoint probes;
  private final @Nullable HttpEndpoint metrics;
  private final @Nullable HttpEndpoint diagnosis;
  private volatile @Nullable Loop monitor;
  private volatile boolean started;

  /** Whether the metrics endpoint serves the diagnosis. */
  private boolean showsDiagnosis;

  ManagerEndpoints(
      Settings settings,
      Optional<Supplier<String>> metricsText,
      InformerOptions options,
      Clock clock,
      MonitoringContext context) {
    this.context = context;
    this.options = options;
    this.scheduler = options.scheduler();
    this.onWedged = settings.get(Setting.ON_WEDGED, OnWedged.class);
    this.wedgedAfter = settings.get(Setting.WEDGED_AFTER, Duration.class);
    this.health = new Health(scheduler, options.threads());
    this.probes = settings.address(Setting.PROBE_ADDRESS).map(this::probes).orElse(null);
    this.metrics =
        settings
            .address(Setting.METRICS_ADDRESS)
            .map(address -> metrics(address, settings, metricsText, clock))
            .orElse(null);
    this.diagnosis =
        settings
            .address(Setting.METRICS_ADDRESS)
            .filter(address -> !address.isLoopback())
            .map(this::diagnosis)
            .orElse(null);
    this.checks =
        new BuiltInHealthChecks(
            context, health, scheduler, () -> started, wedgedAfter, this::ownLoops);
    this.diagnoses = new DiagnosisCollector(context);
    if (settings.get(Setting.METRICS_AUTHENTICATION, Boolean.class)) {
      context.permissions().reviewsCallers();
    }
  }

  private HttpEndpoint probes(BindAddress address) {
    HttpEndpoint made =
        new HttpEndpoint(
            "probes", address, null, RequestAuthorizer.NONE, scheduler, options.threads());
    probe(made, HealthCheck.Kind.LIVE, "/healthz");
    probe(made, HealthCheck.Kind.LIVE, "/livez");
    probe(made, HealthCheck.Kind.READY, "/readyz");
    return made;
  }

  private void probe(HttpEndpoint endpoint, HealthCheck.Kind kind, String path) {
    endpoint.page(path, new HealthPage(health, kind, path));
  }

  private HttpEndpoint metrics(
      BindAddress address, Settings settings, Optional<Supplier<String>> metricsText, Clock clock) {
    boolean authentication = settings.get(Setting.METRICS_AUTHENTICATION, Boolean.class);
    Optional<ServerCertificate> certificate = settings.certificate();
    if (certificate.isEmpty() && authentication && !address.isLoopback()) {
      certificate =
          CertificateIssuer.find().map(issuer -> ServerCertificate.selfSigned(issuer, clock));
      if (certificate.isEmpty()) {
        log.warn(
            "Tokens for the metrics endpoint {} are sent unencrypted: set metricsTls(...), or add"
                + " framework-webhook, which creates a certificate",
            address);
      }
    }
    HttpEndpoint made =
        new HttpEndpoint(
            "metrics",
            address,
            certificate.orElse(null),
            authentication
                ? TokenReviewAuthorizer.of(context.client(), scheduler)
                : RequestAuthorizer.NONE,
            scheduler,
            options.threads());
    metricsText.ifPresent(text -> made.page("/metrics", scrape(text)));
    showsDiagnosis = authentication || address.isLoopback();
    made.page("/debug/windlass", request -> showsDiagnosis ? debug() : hidden());
    return made;
  }

  /**
   * Returns the response if the caller is not permitted to read the diagnosis. The diagnosis
   * contains keys and errors. The endpoint therefore serves it only with authentication or on a
   * loopback address. It ignores the source address of a request, because sidecars connect over
   * loopback on behalf of remote callers.
   */
  private PageReply hidden() {
    return PageReply.text(
        403,
        "to see the diagnosis, turn on authentication, or use kubectl port-forward to"
            + " /debug/windlass on %s\n"
                .formatted(diagnosis == null ? "the Pod" : diagnosis.address()));
  }

  private HttpEndpoint diagnosis(BindAddress metrics) {
    int port = metrics.port() == 0 ? 0 : metrics.port() + DIAGNOSIS_PORT_OFFSET;
    HttpEndpoint made =
        new HttpEndpoint(
            "diagnosis",
            new BindAddress("127.0.0.1", port > BindAddress.HIGHEST_PORT ? 0 : port),
            null,
            RequestAuthorizer.NONE,
            scheduler,
            options.threads());
    made.page("/debug/windlass", request -> debug());
    return made;
  }

  private static Page scrape(Supplier<String> text) {
    return request -> PageReply.of(METRICS, text.get());
  }

  private PageReply debug() {
    return PageReply.of("application/json", diagnosis().json());
  }

  /**
   * Registers meters for reads of the certificate. The meters exist even without a certificate, so
   * that alerts can always refer to them. Their values are then 0.
   */
  void measure(ManagerMetrics meters) {
    Optional<ServerCertificate> certificate =
        Optional.ofNullable(metrics).flatMap(HttpEndpoint::certificate);
    meters.certificate(
        () -> certificate.map(ServerCertificate::reads).orElse(0L),
        () -> certificate.map(ServerCertificate::failures).orElse(0L));
  }

  Health health() {
    return health;
  }

  Diagnosis diagnosis() {
    return diagnoses.now();
  }

  /**
   * Runs the checks of one kind, as the probe endpoint does, even if that endpoint is disabled.
   * Application frameworks can use this method to serve their own probes. It waits up to 3 s for
   * the checks to complete. A manager that has not started is live but not ready. After the manager
   * has stopped, all checks fail.
   *
   * @return the result of each check, keyed by the check's name; the result is the cause of the
   *     failure, or empty if the check succeeded
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public Map<String, Optional<String>> check(HealthCheck.Kind kind) throws InterruptedException {
    Objects.requireNonNull(
        kind, "check(...) was given null: pass HealthCheck.Kind.LIVE or HealthCheck.Kind.READY");
    return health.look(kind, name -> true);
  }

  /**
   * Returns the port at which the probes are served, or empty if they are disabled or the endpoint
   * has not been started.
   */
  public OptionalInt probePort() {
    return probes == null ? OptionalInt.empty() : probes.port();
  }

  /**
   * Returns the port at which metrics and the manager's diagnosis are served, or empty if they are
   * disabled or the endpoint has not been started.
   */
  public OptionalInt metricsPort() {
    return metrics == null ? OptionalInt.empty() : metrics.port();
  }

  /**
   * Returns the port on the loopback address at which the manager's diagnosis is served without
   * authentication, or empty if the metrics endpoint serves it there, is disabled, or has not been
   * started.
   */
  public OptionalInt diagnosisPort() {
    return diagnosis == null ? OptionalInt.empty() : diagnosis.port();
  }

  private List<HttpEndpoint> all() {
    List<HttpEndpoint> all = new ArrayList<>();
    for (HttpEndpoint each : new HttpEndpoint[] {probes, metrics, diagnosis}) {
      if (each != null) {
        all.add(each);
      }
    }
    return all;
  }

  /** Makes the health checks match the components. Call this method after each change of them. */
  void monitorAll() {
    checks.update();
  }

  private List<Loop> ownLoops() {
    List<Loop> loops = new ArrayList<>();
    all().forEach(endpoint -> loops.addAll(endpoint.loops()));
    Loop running = monitor;
    if (running != null) {
      loops.add(running);
    }
    return loops;
  }

  @Override
  public Phase phase() {
    return Phase.HTTP;
  }

  @Override
  public void start() throws IOException {
    for (HttpEndpoint endpoint : all()) {
      try {
        endpoint.start();
      } catch (IOException e) {
        if (endpoint != diagnosis) {
          throw e;
        }
        log.warn("Failed to serve the diagnosis, continuing without it: {}", e.getMessage());
      }
    }
    if (probes != null || onWedged == OnWedged.GIVE_UP_LEADERSHIP) {
      HealthMonitor looks = new HealthMonitor(health, this::foundDead);
      Loop loop = new Loop("health-monitor", looks, scheduler, options.threads());
      loop.start();
      monitor = loop;
    }
  }

  private void foundDead(Map<String, String> dead) {
    if (onWedged != OnWedged.GIVE_UP_LEADERSHIP || dead.isEmpty()) {
      return;
    }
    try {
      context.giveUp(dead, wedgedAfter);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Marks the manager as started, without which it is not ready, and logs one line that lists the
   * running components, the objects that they watch, and the addresses of the endpoints.
   */
  void announce() {
    started = true;
    List<String> runs = new ArrayList<>();
    for (DiagnosisSource part : context.components().of(DiagnosisSource.class)) {
      List<String> watched = part.watched();
      runs.add(watched.isEmpty() ? part.toString() : part + " of " + String.join(" and ", watched));
    }
    List<String> elects = context.groups().stream().map(LeaderGroup::lease).toList();
    List<String> places = new ArrayList<>();
    if (probes != null) {
      places.add("/healthz, /livez and /readyz on " + probes.address());
    }
    if (metrics != null) {
      String scheme = metrics.isSecure() ? " (TLS)" : "";
      String pages = showsDiagnosis ? "/metrics and /debug/windlass on " : "/metrics on ";
      places.add(pages + metrics.address() + scheme);
    }
    if (diagnosis != null && diagnosis.port().isPresent()) {
      places.add("/debug/windlass on " + diagnosis.address());
    }
    log.info(
        "The manager has started. It runs {}; it elects {}; it serves {}",
        runs.isEmpty() ? "no controller" : String.join(", ", runs),
        elects.isEmpty() ? "no leader" : "a leader by the lease " + String.join(", ", elects),
        places.isEmpty() ? "no endpoint" : String.join("; ", places));
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    Deadline deadline = Deadline.in(limit, scheduler);
    Loop ending = monitor;
    monitor = null;
    if (ending != null) {
      ending.stop();
    }
    boolean ended = true;
    try {
      for (HttpEndpoint endpoint : all()) {
        ended &= endpoint.stop(deadline.left());
      }
    } finally {
      health.close();
    }
    return ended && (ending == null || ending.join(deadline.left()));
  }

  @Override
  public String toString() {
    return "endpoints";
  }
}
