// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.httpserver.BindAddress;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectSerialization;
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
import java.util.function.Function;

/**
 * A builder with which a program declares its webhooks. For example:
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

  /** The time-out of a conversion: 25 s, which is less than the API server's time-out of 30 s. */
  private static final Duration CONVERSION_TIMEOUT = Duration.ofSeconds(25);

  /** The maximum number of concurrent conversion requests. */
  private static final int MAX_CONVERSIONS = 16;

  final RegistrationSettings registration;
  private final List<Conversion<?>> conversions = new ArrayList<>();
  private final List<Function<ObjectSerialization, WebhookPath>> paths = new ArrayList<>();
  BindAddress address = new BindAddress("", Webhooks.PORT);
  Optional<Path> certificates = Optional.empty();
  Optional<Path> clientAuthority = Optional.empty();
  Duration drain = Duration.ofSeconds(5);

  WebhookBuilder(RegistrationSettings registration) {
    this.registration = registration;
  }

  /** Adds a validator for requests that create or update objects of the given class. */
  public <T extends HasMetadata> WebhookBuilder validate(Class<T> type, Validator<T> validator) {
    return validate(AdmissionRule.of(type), validator);
  }

  /**
   * Adds a validator for the requests that match the rule.
   *
   * @throws IllegalArgumentException if another webhook has the same path
   */
  public <T> WebhookBuilder validate(AdmissionRule<T> rule, Validator<T> validator) {
    return add(new AdmissionWebhook(rule, false), json -> Review.validating(rule, validator, json));
  }

  /** Adds a defaulter for requests that create or update objects of the given class. */
  public <T extends HasMetadata> WebhookBuilder defaults(Class<T> type, Defaulter<T> defaulter) {
    return defaults(AdmissionRule.of(type), defaulter);
  }

  /**
   * Adds a defaulter for the requests that match the rule.
   *
   * @throws IllegalArgumentException if another webhook has the same path
   */
  public <T> WebhookBuilder defaults(AdmissionRule<T> rule, Defaulter<T> defaulter) {
    return add(new AdmissionWebhook(rule, true), json -> Review.defaulting(rule, defaulter, json));
  }

  /**
   * Adds a conversion between the versions of a custom resource. All conversions share the path
   * {@code /convert}.
   *
   * @throws IllegalArgumentException if a conversion of the same type has already been added
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
  List<WebhookPath> paths(ObjectSerialization json) {
    List<WebhookPath> all = new ArrayList<>();
    paths.forEach(path -> all.add(path.apply(json)));
    if (!conversions.isEmpty()) {
      all.add(
          new WebhookPath(
              ConversionWebhook.PATH,
              new ConversionHandler(conversions, json),
              CONVERSION_TIMEOUT,
              MAX_CONVERSIONS));
    }
    return all;
  }

  private WebhookBuilder add(
      AdmissionWebhook webhook, Function<ObjectSerialization, RequestHandler> handler) {
    AdmissionRule<?> rule = webhook.rule();
    String path = webhook.path();
    if (registration.admission.stream().anyMatch(other -> other.path().equals(path))) {
      throw new IllegalArgumentException(
          "two webhooks have the path " + path + "; set another one with AdmissionRule.path");
    }
    paths.add(
        json ->
            new WebhookPath(path, handler.apply(json), rule.timeout(), rule.maxConcurrentCalls()));
    registration.admission.add(webhook);
    return this;
  }

  /**
   * Sets the namespace of the Service and of the Secret that contains the certificates. The default
   * is the namespace of the manager's client. In a Pod, this is the Pod's namespace.
   */
  public WebhookBuilder inNamespace(String namespace) {
    registration.namespace = Optional.of(namespace);
    return this;
  }

  /**
   * Sets the name of the webhook configurations. The default is the Service's namespace and name,
   * joined by a hyphen.
   */
  public WebhookBuilder configurationName(String name) {
    registration.name = Optional.of(name);
    return this;
  }

  /**
   * Sets the labels by which the Service in {@link Webhooks#manifests()} selects this program's
   * Pods. The default is the label {@code app} with the Service's name as its value.
   */
  public WebhookBuilder podLabels(Map<String, String> labels) {
    registration.podLabels = Map.copyOf(labels);
    return this;
  }

  /**
   * Sets the name of the Secret through which the replicas share the certificates that they create.
   * The default is the Service's name, followed by {@code -webhook-certificates}.
   */
  public WebhookBuilder certificateSecret(String name) {
    registration.secret = Optional.of(name);
    return this;
  }

  /**
   * Sets the validity periods of the certificates that the replicas create. The replicas renew a
   * certificate when a third of its validity period is left. The default is 2 years for the CA
   * certificate and 90 days for the server certificate.
   *
   * @param authority the validity period of the CA certificate: at least three times that of the
   *     server certificate, and at most 3,650 days
   * @param serving the validity period of the server certificate: at least 1 h
   * @throws IllegalArgumentException if a period is outside these limits
   */
  public WebhookBuilder certificateValidity(Duration authority, Duration serving) {
    registration.validity =
        new CertificateValidity(authority, serving, registration.validity.delay());
    return this;
  }

  /**
   * Sets how long a new CA is part of all CA bundles before it signs the certificate that the
   * replicas serve. During this time, every API server must learn of the new bundles. The default
   * is 10 min.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public WebhookBuilder certificateDelay(Duration delay) {
    registration.validity =
        new CertificateValidity(
            registration.validity.authority(), registration.validity.serving(), delay);
    return this;
  }

  /**
   * Sets the address on which the server listens, such as {@code :9443} or {@code 127.0.0.1:9443}.
   * The default is port 9443 on all interfaces, as in controller-runtime.
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
   * Makes the server read its certificate and private key from the files {@code tls.crt} and {@code
   * tls.key} in a directory. The program then does not create certificates. Another program, such
   * as cert-manager, must create and renew the files. The server reads them again every 10 s.
   *
   * <p>The API server must also trust the certificate. Call {@link #injectAuthority()}, or use
   * another program, such as cert-manager's cainjector, to write the CA bundle into the webhook
   * configurations.
   */
  public WebhookBuilder certificatesIn(Path directory) {
    certificates = Optional.of(directory);
    return this;
  }

  /**
   * Makes the program write CA certificates into the webhook configurations. The program reads them
   * from the file {@code ca.crt} in the {@linkplain #certificatesIn directory}, and updates the
   * configurations when the file changes. A CA that the configurations already contain remains
   * trusted until it expires, because replicas read a changed file at different times. The program
   * keeps at most five CAs.
   */
  public WebhookBuilder injectAuthority() {
    registration.injected = true;
    return this;
  }

  /**
   * Makes the server accept only clients that present a certificate signed by one of the given CAs.
   * By default, the server accepts all clients, because an API server presents a certificate only
   * if it is configured to do so.
   *
   * @param file the file that contains the CA certificates in PEM format. The server reads the file
   *     again every 10 s; a change applies to new connections
   */
  public WebhookBuilder requireClientCertificates(Path file) {
    clientAuthority = Optional.of(file);
    return this;
  }

  /**
   * Sets how long the server continues to handle requests after the manager has begun to stop.
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
   * Adds the webhooks to a manager. The manager starts and stops the webhook server.
   *
   * @throws IllegalArgumentException if no webhook is declared
   */
  public Webhooks register(Manager manager) {
    return new Webhooks(this, manager);
  }
}
