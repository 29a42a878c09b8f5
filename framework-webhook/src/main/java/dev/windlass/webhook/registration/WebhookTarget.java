// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The place at which the API server reaches the webhooks of a program. */
public sealed interface WebhookTarget {

  /** The port of a Service in a client configuration that does not specify a port. */
  int DEFAULT_PORT = 443;

  /** Returns the fields of a {@code clientConfig} for a path, without a {@code caBundle}. */
  Map<String, Object> clientConfig(String path);

  /**
   * Returns whether a {@code clientConfig} in the cluster refers to this place, at any path. A
   * configuration that refers to another place does not match.
   */
  boolean matches(Map<String, Object> clientConfig);

  /** Returns the names and addresses that the certificate must have. */
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

    /** Checks the names, which become part of the certificate. */
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
     * Returns the names for the certificate. The API server compares the certificate with the first
     * name.
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
   * An address outside the cluster.
   *
   * @param base the address to which paths are appended, such as {@code https://10.0.0.1:9443}
   */
  record UrlTarget(URI base) implements WebhookTarget {

    /** Checks that an API server would accept the address. */
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
