// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.webhook.WebhookBuilder;
import dev.windlass.webhook.Webhooks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options of an operator that has webhooks. They require {@code framework-webhook}. Add them to
 * the operator with picocli's {@code @Mixin}:
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
 * <p>Without {@code --webhook-service} and {@code --webhook-url}, the operator serves no webhooks.
 * This class is not thread-safe.
 */
public final class WebhookOptions {

  @Option(
      names = "--webhook-service",
      paramLabel = "NAME",
      description =
          "Serves the webhooks, and makes the API server call them through this Service, which"
              + " sends port 443 to the webhook server. The operator keeps the webhook"
              + " configurations and the certificates.")
  @Nullable String service;

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description =
          "Serves the webhooks, and makes the API server call them at this address, such as"
              + " https://127.0.0.1:9443, for an operator outside the cluster.")
  @Nullable URI url;

  @Option(
      names = "--webhook-namespace",
      paramLabel = "NAME",
      description =
          "Namespace of the Service and of the certificates. Default: that of the Pod or of the"
              + " kubeconfig.")
  @Nullable String namespace;

  @Option(
      names = "--webhook-configurations",
      paramLabel = "HOW",
      converter = ConfigurationMode.Named.class,
      description = {
        "apply: creates the webhook configurations and keeps them up to date. inject: only writes the"
            + " CA certificate into those that the installation has created. Default: apply."
      })
  ConfigurationMode configurations = ConfigurationMode.APPLY;

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
   * Whether the program has received a builder for its webhooks, and must therefore register them.
   */
  private boolean requested;

  /** Determines who creates the webhook configurations. */
  enum ConfigurationMode {

    /** The program creates the configurations and keeps them up to date. */
    APPLY,

    /**
     * The installation creates the configurations. The program only writes its CA certificate into
     * them.
     */
    INJECT;

    /** Parses the name of a mode on the command line. */
    static final class Named implements ITypeConverter<ConfigurationMode> {
      @Override
      public ConfigurationMode convert(String value) {
        return switch (value) {
          case "apply" -> APPLY;
          case "inject" -> INJECT;
          default ->
              throw new TypeConversionException(
                  "'"
                      + value
                      + "' is not a way to keep webhook configurations; use apply or inject");
        };
      }
    }
  }

  /** Creates options. picocli sets their values before {@link Operator#registerWith} is called. */
  public WebhookOptions() {}

  /**
   * Creates a builder for webhooks with these options. Call its {@link WebhookBuilder#register}
   * method, which also adds the webhooks to the files that {@code --write-helm} writes.
   *
   * @param program the program's name, which is used if the options do not name a Service
   * @return empty if the options enable no webhooks
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
    if (configurations == ConfigurationMode.APPLY) {
      builder.applyConfigurations();
    }
    if (namespace != null) {
      builder.inNamespace(namespace);
    }
    if (certificates != null) {
      builder.certificatesIn(certificates).injectAuthority();
    }
    return Optional.of(builder);
  }

  /** Returns whether the program has called {@link #webhooks} and received a builder. */
  boolean areRequested() {
    return requested;
  }
}
