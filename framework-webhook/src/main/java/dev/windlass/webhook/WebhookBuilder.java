// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.httpserver.BindAddress;
import dev.windlass.manager.Manager;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Defaulter;
import dev.windlass.webhook.admission.Validator;
import dev.windlass.webhook.admission.review.Review;
import dev.windlass.webhook.certificates.CertificateValidity;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.review.ConversionHandler;
import dev.windlass.webhook.registration.AdmissionWebhook;
import dev.windlass.webhook.registration.ConversionWebhook;
import dev.windlass.webhook.server.RequestHandler;
import dev.windlass.webhook.server.WebhookPath;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Declares a program's webhooks:
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

  /** The time limit of a conversion: 25 s, less than the API server's limit of 30 s. */
  private static final Duration CONVERSION_TIMEOUT = Duration.ofSeconds(25);

  /** The maximum number of conversion requests that the server handles at the same time. */
  private static final int MAX_CONVERSIONS = 16;

  final RegistrationSettings registration;
  private final List<Conversion<?>> conversions = new ArrayList<>();
  private final List<WebhookPath> paths = new ArrayList<>();
  BindAddress address = new BindAddress("", Webhooks.PORT);
  Optional<Path> certificates = Optional.empty();
  Optional<Path> clientAuthority = Optional.empty();
  Duration drain = Duration.ofSeconds(5);

  WebhookBuilder(RegistrationSettings registration) {
    this.registration = registration;
  }

  /** Adds a validator for the requests that create or update objects of the class. */
  public <T extends HasMetadata> WebhookBuilder validate(Class<T> type, Validator<T> validator) {
    return validate(AdmissionRule.of(type), validator);
  }

  /**
   * Adds a validator for the requests that the rule describes.
   *
   * @throws IllegalArgumentException if another webhook has the same path
   */
  public <T> WebhookBuilder validate(AdmissionRule<T> rule, Validator<T> validator) {
    return add(new AdmissionWebhook(rule, false), Review.validating(rule, validator));
  }

  /** Adds a defaulter for the requests that create or update objects of the class. */
  public <T extends HasMetadata> WebhookBuilder defaults(Class<T> type, Defaulter<T> defaulter) {
    return defaults(AdmissionRule.of(type), defaulter);
  }

  /**
   * Adds a defaulter for the requests that the rule describes.
   *
   * @throws IllegalArgumentException if another webhook has the same path
   */
  public <T> WebhookBuilder defaults(AdmissionRule<T> rule, Defaulter<T> defaulter) {
    return add(new AdmissionWebhook(rule, true), Review.defaulting(rule, defaulter));
  }

  /**
   * Adds a conversion of a custom resource's objects between its versions. The conversions of all
   * types share the path {@code /convert}.
   *
   * @throws IllegalArgumentException if a conversion of the same type has already been declared
   */
  public WebhookBuilder convert(Conversion<?> conversion) {
    String type = conversion.type().resource();
    if (conversions.stream().anyMatch(other -> other.type().resource().equals(type))) {
      throw new IllegalArgumentException("two conversions of " + type + " are declared");
    }
    conversions.add(conversion);
    registration.conversions.add(ConversionWebhook.of(conversion.type()));
    return this;
  }

  /** Returns the paths of all webhooks. */
  List<WebhookPath> paths() {
    List<WebhookPath> all = new ArrayList<>(paths);
    if (!conversions.isEmpty()) {
      all.add(
          new WebhookPath(
              ConversionWebhook.PATH,
              new ConversionHandler(conversions),
              CONVERSION_TIMEOUT,
              MAX_CONVERSIONS));
    }
    return all;
  }

  private WebhookBuilder add(AdmissionWebhook webhook, RequestHandler handler) {
    AdmissionRule<?> rule = webhook.rule();
    add(new WebhookPath(webhook.path(), handler, rule.timeout(), rule.maxConcurrentCalls()));
    registration.admission.add(webhook);
    return this;
  }

  private void add(WebhookPath added) {
    if (paths.stream().anyMatch(other -> other.path().equals(added.path()))) {
      throw new IllegalArgumentException(
          "two webhooks have the path "
              + added.path()
              + "; set another one with AdmissionRule.path");
    }
    paths.add(added);
  }

  /**
   * Sets the namespace of the Service and of the Secret that contains the certificates. The default
   * is the namespace of the manager's client, which in a Pod is the Pod's namespace.
   */
  public WebhookBuilder inNamespace(String namespace) {
    registration.namespace = Optional.of(namespace);
    return this;
  }

  /**
   * Sets the webhook configurations' name. The default consists of the Service's namespace and
   * name, with a dash between them.
   */
  public WebhookBuilder configurationName(String name) {
    registration.name = Optional.of(name);
    return this;
  }

  /**
   * Sets the labels by which the Service selects this program's Pods, for {@link
   * Webhooks#manifests()}. By default, the label {@code app} has the Service's name as its value.
   */
  public WebhookBuilder podLabels(Map<String, String> labels) {
    registration.podLabels = Map.copyOf(labels);
    return this;
  }

  /**
   * Makes the program create the webhook configurations, and keep them as this builder declares
   * them. The program also configures the conversion in each existing custom resource definition.
   * By default, the program changes only the CA bundles in existing configurations, and reports
   * other differences.
   */
  public WebhookBuilder applyConfigurations() {
    registration.applied = true;
    return this;
  }

  /**
   * Sets the name of the Secret in which the replicas share the certificates that they create. The
   * default is the Service's name, followed by {@code -webhook-certificates}.
   */
  public WebhookBuilder certificateSecret(String name) {
    registration.secret = Optional.of(name);
    return this;
  }

  /**
   * Sets the validity of the certificates that the replicas create. The replicas renew a
   * certificate when a third of its validity is left. The default is 2 years for the CA, and 90
   * days for the server certificate.
   *
   * @throws IllegalArgumentException if the server certificate would be valid for less than 1 h, or
   *     if the CA would be valid for less than three times as long as the server certificate, or
   *     for more than 10 years
   */
  public WebhookBuilder certificateValidity(Duration authority, Duration serving) {
    registration.validity = CertificateValidity.of(authority, serving);
    return this;
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
   * Makes the server read the certificate and its key from the files {@code tls.crt} and {@code
   * tls.key} in a directory, instead of creating certificates. Another program, such as
   * cert-manager, must maintain the files. The server reads them again every 10 s. Unless you call
   * {@link #injectAuthority()}, another program, such as cert-manager's cainjector, must also make
   * the API server trust the certificate.
   */
  public WebhookBuilder certificatesIn(Path directory) {
    certificates = Optional.of(directory);
    return this;
  }

  /**
   * Makes the program write the content of the file {@code ca.crt} in the {@linkplain
   * #certificatesIn directory} into the webhook configurations, and update the configurations when
   * the file has changed.
   */
  public WebhookBuilder injectAuthority() {
    registration.injected = true;
    return this;
  }

  /**
   * Makes the server accept only clients that present a certificate signed by one of the given CAs.
   * By default, the server accepts all clients, because an API server does not present a
   * certificate unless it is configured to.
   *
   * @param file the CA certificates, as PEM. The server reads the file again every 10 s; a change
   *     applies to new connections
   */
  public WebhookBuilder requireClientCertificates(Path file) {
    clientAuthority = Optional.of(file);
    return this;
  }

  /**
   * Sets how long the server continues to respond to requests after the manager has begun to stop.
   * During this time, the readiness check fails, so that the Service stops sending requests to this
   * replica. The default is 5 s.
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
   * @throws IllegalArgumentException if no webhook is declared, or if {@link
   *     #applyConfigurations()} and {@link #certificatesIn} were called without {@link
   *     #injectAuthority()}
   */
  public Webhooks register(Manager manager) {
    if (certificates.isPresent() && registration.applied && !registration.injected) {
      throw new IllegalArgumentException(
          registration
              + " can't apply their configurations without the CA of the certificates in "
              + certificates.get()
              + ": call injectAuthority(), or leave out applyConfigurations()");
    }
    return new Webhooks(this, manager);
  }
}
