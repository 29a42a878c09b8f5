// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.webhook.WebhookBuilder;
import dev.windlass.webhook.Webhooks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The command-line options of an operator that serves webhooks. This class requires the module
 * {@code framework-webhook}. Use picocli's {@code @Mixin} to add the options to an operator:
 *
 * <pre>{@code
 * @Mixin private final WebhookOptions options = new WebhookOptions();
 *
 * @Override
 * protected void registerWith(Manager manager) {
 *   options
 *       .webhooks("website-operator")
 *       .ifPresent(webhooks -> webhooks.validate(Website.class, validator).register(manager));
 * }
 * }</pre>
 *
 * <p>The operator serves webhooks only if {@code --webhook-service} or {@code --webhook-url} is
 * set. This class is not thread-safe.
 */
public final class WebhookOptions {

  @Option(
      names = "--webhook-service",
      paramLabel = "NAME",
      description =
          "Serves the webhooks. The API server calls them through this Service, which sends port 443"
              + " to the webhook server. The operator maintains the certificates.")
  @Nullable String service;

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description =
          "Serves the webhooks. The API server calls them at this address, such as"
              + " https://127.0.0.1:9443, for an operator outside the cluster. Apply what"
              + " --print-manifests prints with this option.")
  @Nullable URI url;

  @Option(
      names = "--webhook-namespace",
      paramLabel = "NAME",
      description =
          "Namespace of the Service and of the certificates. Default: that of the Pod or of the"
              + " kubeconfig.")
  @Nullable String namespace;

  @Option(
      names = "--webhook-bind-address",
      paramLabel = "ADDRESS",
      defaultValue = ":9443",
      description = "Address of the webhook server. Default: :9443")
  String address = ":9443";

  @Option(
      names = "--webhook-cert-dir",
      paramLabel = "DIR",
      description =
          "Directory with tls.crt, tls.key and ca.crt, such as one that cert-manager fills. By default,"
              + " the operator creates and renews its certificates itself.")
  @Nullable Path certificates;

  /**
   * Whether the program has created a builder for its webhooks. If so, it must also register them.
   */
  private boolean requested;

  /**
   * Creates the options. Picocli sets their values before {@link Operator#registerWith} is called.
   */
  public WebhookOptions() {}

  /**
   * Creates a builder for webhooks that is configured with these options. Call its {@link
   * WebhookBuilder#register} method to serve the webhooks and to include them in the files that
   * {@code --write-helm} writes.
   *
   * @param program the program's name. If {@code --webhook-url} is set, the default names of the
   *     webhook configurations and of the Secret are derived from it
   * @return the builder, or empty if neither {@code --webhook-service} nor {@code --webhook-url} is
   *     set
   */
  public Optional<WebhookBuilder> webhooks(String program) {
    WebhookBuilder builder;
    if (url != null) {
      builder = Webhooks.forAddress(program, url);
    } else if (service != null) {
      builder = Webhooks.forService(service);
    } else {
      return Optional.empty();
    }
    requested = true;
    builder.bindAddress(address);
    if (namespace != null) {
      builder.inNamespace(namespace);
    }
    if (certificates != null) {
      builder.certificatesIn(certificates).injectAuthority();
    }
    return Optional.of(builder);
  }

  /** Returns whether {@link #webhooks} has returned a builder to the program. */
  boolean areRequested() {
    return requested;
  }
}
