// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.httpserver.BindAddress;
import dev.windlass.manager.Manager;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Defaulter;
import dev.windlass.webhook.admission.Validator;
import dev.windlass.webhook.admission.review.Review;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.review.ConversionHandler;
import dev.windlass.webhook.server.RequestHandler;
import dev.windlass.webhook.server.WebhookPath;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Declares the webhooks of a program:
 *
 * <pre>{@code
 * Webhooks.forService("tenant-operator")
 *     .defaults(Tenant.class, request -> setPrefix(request.object()))
 *     .validate(Tenant.class, request -> verdictOn(request.object()))
 *     .register(manager);
 * }</pre>
 *
 * <p>A builder is not thread-safe.
 */
public final class WebhookBuilder {

  /** The path of all conversions. */
  static final String CONVERSION_PATH = "/convert";

  /** The time limit of a conversion: 25 s, less than the 30 s of the API server. */
  private static final Duration CONVERSION_TIMEOUT = Duration.ofSeconds(25);

  /** The number of conversion requests that are handled at the same time. */
  private static final int MAX_CONVERSIONS = 16;

  final String service;
  final List<Conversion<?>> conversions = new ArrayList<>();
  private final List<WebhookPath> paths = new ArrayList<>();
  BindAddress address = new BindAddress("", Webhooks.PORT);
  Optional<Path> certificates = Optional.empty();
  Optional<Path> clientAuthority = Optional.empty();
  Duration drain = Duration.ofSeconds(5);

  WebhookBuilder(String service) {
    this.service = service;
  }

  /** Validates objects of a class when they are created or updated. */
  public <T extends HasMetadata> WebhookBuilder validate(Class<T> type, Validator<T> validator) {
    return validate(AdmissionRule.of(type), validator);
  }

  /**
   * Validates the objects in the requests that a rule describes.
   *
   * @throws IllegalArgumentException if another webhook has the same path
   */
  public <T> WebhookBuilder validate(AdmissionRule<T> rule, Validator<T> validator) {
    return add("validate", rule, Review.validating(rule, validator));
  }

  /** Sets defaults of objects of a class when they are created or updated. */
  public <T extends HasMetadata> WebhookBuilder defaults(Class<T> type, Defaulter<T> defaulter) {
    return defaults(AdmissionRule.of(type), defaulter);
  }

  /**
   * Sets defaults of the objects in the requests that a rule describes.
   *
   * @throws IllegalArgumentException if another webhook has the same path
   */
  public <T> WebhookBuilder defaults(AdmissionRule<T> rule, Defaulter<T> defaulter) {
    return add("mutate", rule, Review.defaulting(rule, defaulter));
  }

  /**
   * Converts the objects of a custom resource between its versions. The conversions of all types
   * share the path {@value #CONVERSION_PATH}.
   *
   * @throws IllegalArgumentException if another conversion of the same type has been declared
   */
  public WebhookBuilder convert(Conversion<?> conversion) {
    String type = conversion.type().resource();
    if (conversions.stream().anyMatch(other -> other.type().resource().equals(type))) {
      throw new IllegalArgumentException("two conversions of " + type + " are declared");
    }
    conversions.add(conversion);
    return this;
  }

  /** Returns the paths of all webhooks. */
  List<WebhookPath> paths() {
    List<WebhookPath> all = new ArrayList<>(paths);
    if (!conversions.isEmpty()) {
      all.add(
          new WebhookPath(
              CONVERSION_PATH,
              new ConversionHandler(conversions),
              CONVERSION_TIMEOUT,
              MAX_CONVERSIONS));
    }
    return all;
  }

  private WebhookBuilder add(String purpose, AdmissionRule<?> rule, RequestHandler handler) {
    String path = rule.path().orElseGet(() -> path(purpose, rule));
    if (paths.stream().anyMatch(other -> other.path().equals(path))) {
      throw new IllegalArgumentException(
          "two webhooks have the path " + path + "; set another one with AdmissionRule.path");
    }
    paths.add(new WebhookPath(path, handler, rule.timeout(), rule.maxConcurrentCalls()));
    return this;
  }

  private static String path(String purpose, AdmissionRule<?> rule) {
    String subresource = rule.subresource().isEmpty() ? "" : "-" + rule.subresource();
    return "/"
        + purpose
        + "-"
        + rule.type().group().replace('.', '-')
        + "-"
        + rule.type().version()
        + "-"
        + rule.type().kind().toLowerCase(Locale.ROOT)
        + subresource;
  }

  /**
   * Sets the address on which the server listens, in the notation {@code :9443}. The default is
   * port 9443 on all interfaces, as in controller-runtime.
   *
   * @throws IllegalArgumentException if the text is not an address
   */
  public WebhookBuilder bindAddress(String text) {
    address =
        BindAddress.parse(text)
            .orElseThrow(
                () -> new IllegalArgumentException("webhooks need an address to listen on"));
    return this;
  }

  /**
   * Reads the certificate and its key from the files {@code tls.crt} and {@code tls.key} in a
   * directory, which cert-manager, for example, fills. The files are read again every 10 s.
   */
  public WebhookBuilder certificatesIn(Path directory) {
    certificates = Optional.of(directory);
    return this;
  }

  /**
   * Accepts only clients whose certificate one of the given CAs has signed. By default, all clients
   * are accepted, because an API server does not identify itself unless it is configured to.
   *
   * @param file the certificates of the CAs, as PEM
   */
  public WebhookBuilder requireClientCertificates(Path file) {
    clientAuthority = Optional.of(file);
    return this;
  }

  /**
   * Sets how long requests are answered after the stop of the manager has begun: 5 s by default. In
   * this time, the readiness check fails, and the Service stops to send requests to this replica.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public WebhookBuilder drainTime(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("the drain time can't be " + time);
    }
    drain = time;
    return this;
  }

  /**
   * Adds the webhooks to a manager, which starts and stops their server.
   *
   * @throws IllegalArgumentException if no webhook is declared
   */
  public Webhooks register(Manager manager) {
    return new Webhooks(this, manager);
  }
}
