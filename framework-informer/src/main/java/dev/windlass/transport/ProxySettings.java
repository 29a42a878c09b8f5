// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines the proxy of a client by the rule of kubectl: the {@code proxy-url} of the kubeconfig,
 * or the variables {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} (Go's {@code
 * golang.org/x/net/http/httpproxy}). fabric8's own rule rejects many values of {@code NO_PROXY},
 * and does not distinguish a proxy that expects TLS.
 */
public final class ProxySettings {

  /** The schemes of proxies and their default ports. */
  private static final Map<String, Integer> PORTS =
      Map.of("http", 80, "https", 443, "socks4", 1080, "socks5", 1080);

  /** An entry of NO_PROXY with a port: {@code host:port} or {@code [IPv6]:port}. */
  private static final Pattern WITH_PORT = Pattern.compile("(\\[.*]|[^:]*):(\\d+)");

  private static final Pattern ADDRESS = Pattern.compile("\\d+(\\.\\d+){3}|[\\da-f.]*:[\\da-f.:]*");

  private ProxySettings() {}

  /**
   * Sets the proxy that the process's environment names, for a configuration without a {@code
   * proxy-url}. As for kubectl, servers on this host need no proxy.
   */
  public static void addEnvironment(Config config) {
    config.setHttpsProxy(environment("https.proxy"));
    config.setHttpProxy(environment("http.proxy"));
    String without = environment("no.proxy");
    config.setNoProxy(
        Stream.concat(
                Stream.of("localhost", "127.0.0.0/8", "::1"),
                without == null ? Stream.empty() : Stream.of(without.split(",")))
            .toArray(String[]::new));
  }

  private static @Nullable String environment(String name) {
    String variable = name.toUpperCase(Locale.ROOT).replace('.', '_');
    Stream<@Nullable String> own =
        Stream.of(
            System.getProperty(name),
            System.getenv(variable),
            System.getenv(variable.toLowerCase(Locale.ROOT)));
    return Stream.concat(own, name.equals("no.proxy") ? Stream.empty() : all())
        .filter(value -> value != null && !value.isBlank())
        .findFirst()
        .orElse(null);
  }

  /** fabric8 accepts one variable for all schemes, which kubectl ignores. */
  private static Stream<@Nullable String> all() {
    return Stream.of(System.getProperty("all.proxy"), System.getenv("ALL_PROXY"));
  }

  /**
   * Reduces the proxies of a configuration and their exceptions to the one proxy for its server, in
   * a form that every transport accepts.
   *
   * @throws IllegalArgumentException if the proxy's address is invalid, or if the proxy expects TLS
   *     and the transport would send the credentials in clear text
   */
  public static void reduce(Config config, HttpClient.Factory transport) {
    URI server = URI.create(config.getMasterUrl());
    String proxy = isSecure(server) ? config.getHttpsProxy() : config.getHttpProxy();
    if (proxy != null && !proxy.isBlank() && !bypasses(server, config.getNoProxy())) {
      URI address = parse(proxy);
      if (isSecure(address) && !(transport instanceof SocketTransport)) {
        throw new IllegalArgumentException(
            "the proxy '"
                + redacted(proxy)
                + "' expects TLS, which "
                + transport.getClass().getName()
                + " does not support; remove transport(...), or use a proxy with http");
      }
      proxy = address.toString();
    } else {
      proxy = null;
    }
    config.setHttpProxy(proxy);
    config.setHttpsProxy(proxy);
    config.setNoProxy(null);
  }

  static boolean isSecure(Config config) {
    String proxy =
        isSecure(URI.create(config.getMasterUrl()))
            ? config.getHttpsProxy()
            : config.getHttpProxy();
    return proxy != null && proxy.regionMatches(true, 0, "https://", 0, 8);
  }

  private static boolean isSecure(URI address) {
    return "https".equalsIgnoreCase(address.getScheme());
  }

  private static URI parse(String text) {
    try {
      URI uri = new URI(text.contains("://") ? text.strip() : "http://" + text.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      scheme = scheme.equals("socks5h") ? "socks5" : scheme; // the proxy looks up names for both
      Integer port = PORTS.get(scheme);
      if (port != null && uri.getHost() != null) {
        port = uri.getPort() < 0 ? port : uri.getPort();
        return new URI(scheme, uri.getUserInfo(), uri.getHost(), port, null, null, null);
      }
    } catch (URISyntaxException e) {
      // Reject the address below, without the password in the exception's message.
    }
    throw new IllegalArgumentException(
        "'"
            + redacted(text)
            + "' is not the address of a proxy, such as 'http://proxy.example.com:3128'; correct"
            + " proxy-url in the kubeconfig, or the variable HTTPS_PROXY or HTTP_PROXY");
  }

  private static String redacted(String proxy) {
    return OneLine.of(proxy.replaceFirst("^(\\w+://)?.*@", "$1"), 200);
  }

  /** Returns whether requests to a server bypass the proxy. Ignores unknown entries. */
  private static boolean bypasses(URI server, String @Nullable [] entries) {
    String authority = String.valueOf(server.getRawAuthority()).toLowerCase(Locale.ROOT);
    Matcher split = WITH_PORT.matcher(authority); // getHost() is null for names with underscores
    String host = split.matches() ? split.group(1) : authority;
    String port = split.matches() ? split.group(2) : isSecure(server) ? "443" : "80";
    return entries != null
        && Arrays.stream(entries)
            .filter(Objects::nonNull)
            .anyMatch(entry -> matches(entry.strip().toLowerCase(Locale.ROOT), host, port));
  }

  private static boolean matches(String entry, String host, String port) {
    if (entry.isEmpty() || entry.equals("*")) {
      return !entry.isEmpty();
    }
    int slash = entry.indexOf('/');
    byte[] address = address(host);
    byte[] range = address(slash < 0 ? entry : entry.substring(0, slash));
    if (slash >= 0 || range != null) {
      return isIn(address, range, slash < 0 ? "" : entry.substring(slash + 1));
    }
    Matcher split = WITH_PORT.matcher(entry);
    if (split.matches()) {
      return split.group(2).equals(port) && matches(split.group(1), host, port);
    }
    String domain = entry.startsWith("*.") ? entry.substring(1) : entry;
    return domain.startsWith(".")
        ? host.endsWith(domain)
        : host.equals(domain) || host.endsWith("." + domain);
  }

  private static boolean isIn(byte @Nullable [] address, byte @Nullable [] range, String bits) {
    if (address == null || range == null || address.length != range.length) {
      return false;
    }
    int length = address.length * 8;
    if (!bits.isEmpty()) {
      if (!bits.matches("\\d{1,3}") || Integer.parseInt(bits) > length) {
        return false;
      }
      length = Integer.parseInt(bits);
    }
    for (int i = 0; i < length; i++) {
      if (((address[i / 8] ^ range[i / 8]) >> (7 - i % 8) & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the bytes of an IP address, or null for a name. Never looks up a name. */
  private static byte @Nullable [] address(String text) {
    String bare = text.replaceAll("^\\[|]$", "");
    try {
      return ADDRESS.matcher(bare).matches() ? InetAddress.getByName(bare).getAddress() : null;
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
