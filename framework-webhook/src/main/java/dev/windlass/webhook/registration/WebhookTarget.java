// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The Service or URL at which the API server calls the webhooks of a program. */
public sealed interface WebhookTarget {

  /** The default port of a Service in a {@code clientConfig}: 443. */
  int DEFAULT_PORT = 443;

  /** Returns the fields of a {@code clientConfig} for a path, without a {@code caBundle}. */
  Map<String, Object> clientConfig(String path);

  /**
   * Returns whether a {@code clientConfig} in the cluster refers to this target. The path is
   * ignored, and so is the port of a Service.
   */
  boolean matches(Map<String, Object> clientConfig);

  /** Returns the host names and IP addresses for which the certificate must be valid. */
  List<String> subjects();

  /** Returns the target of a Service on port 443. */
  static WebhookTarget service(String namespace, String name) {
    return new ServiceTarget(namespace, name, DEFAULT_PORT);
  }

  /**
   * A Service in the cluster.
   *
   * @param namespace the Service's namespace, which is also the program's namespace
   * @param name the Service's name
   * @param port the Service's port
   */
  record ServiceTarget(String namespace, String name, int port) implements WebhookTarget {

    /** Checks the port and the names, which become part of the certificate. */
    public ServiceTarget {
      requireLabel(namespace, "the namespace");
      requireLabel(name, "the name");
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException(
            "the Service " + name + " can't have the port " + port + "; use one such as 443");
      }
    }

    private static void requireLabel(String value, String what) {
      if (!value.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
        throw new IllegalArgumentException(
            "'"
                + value
                + "' can't be "
                + what
                + " of the Service of the webhooks: use at most 63 lower-case letters, digits and"
                + " '-'");
      }
    }

    @Override
    public Map<String, Object> clientConfig(String path) {
      Map<String, Object> service = new LinkedHashMap<>();
      service.put("namespace", namespace);
      service.put("name", name);
      service.put("path", path);
      service.put("port", port);
      return new LinkedHashMap<>(Map.of("service", service));
    }

    @Override
    public boolean matches(Map<String, Object> clientConfig) {
      return clientConfig.get("service") instanceof Map<?, ?> service
          && namespace.equals(service.get("namespace"))
          && name.equals(service.get("name"));
    }

    /**
     * Returns the DNS names of the Service. The API server verifies the certificate against the
     * first name.
     */
    @Override
    public List<String> subjects() {
      String service = name + "." + namespace;
      return List.of(service + ".svc", service, service + ".svc.cluster.local");
    }

    @Override
    public String toString() {
      return "the Service " + namespace + "/" + name;
    }
  }

  /**
   * A URL that the API server calls directly, without a Service.
   *
   * @param base the URL to which paths are appended, such as {@code https://10.0.0.1:9443}
   */
  record UrlTarget(URI base) implements WebhookTarget {

    /** Checks that an API server would accept the URL. */
    public UrlTarget {
      if (!"https".equals(base.getScheme())
          || base.getHost() == null
          || base.getUserInfo() != null
          || base.getQuery() != null
          || base.getFragment() != null) {
        throw new IllegalArgumentException(
            "'"
                + base
                + "' can't be the address of webhooks: the API server needs https, a host and"
                + " nothing else, such as https://10.0.0.1:9443");
      }
      String text = base.toString();
      base = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    }

    @Override
    public Map<String, Object> clientConfig(String path) {
      return new LinkedHashMap<>(Map.of("url", base + path));
    }

    @Override
    public boolean matches(Map<String, Object> clientConfig) {
      return clientConfig.get("url") instanceof String url && url.startsWith(base + "/");
    }

    @Override
    public List<String> subjects() {
      String host = Objects.requireNonNull(base.getHost());
      return List.of(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
    }

    @Override
    public String toString() {
      return base.toString();
    }
  }
}
