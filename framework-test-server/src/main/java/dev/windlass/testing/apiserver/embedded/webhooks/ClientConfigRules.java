// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;

/** The validation rules for the {@code clientConfig} of a webhook. */
public final class ClientConfigRules {
  private static final String FORM = "; desired format: https://host[/path]";
  private static final int HIGHEST_PORT = 65_535;

  private ClientConfigRules() {}

  /**
   * Validates {@code config} and returns the errors.
   *
   * @param path the field path of {@code config}
   */
  public static List<FieldError> validate(String path, JsonNode config) {
    boolean url = config.hasNonNull("url");
    if (url == config.hasNonNull("service")) {
      return List.of(FieldError.required(path, "exactly one of url or service is required"));
    }
    return url
        ? ofUrl(path + ".url", config.path("url").asText())
        : ofService(path + ".service", config.path("service"));
  }

  private static List<FieldError> ofUrl(String path, String text) {
    List<FieldError> errors = new ArrayList<>();
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      return List.of(
          FieldError.required(path, "url must be a valid URL: " + e.getMessage() + FORM));
    }
    if (!"https".equals(url.getScheme())) {
      String scheme = url.getScheme() == null ? "" : url.getScheme();
      errors.add(invalid(path, scheme, "'https' is the only allowed URL scheme" + FORM));
    }
    if (url.getRawAuthority() == null) {
      errors.add(invalid(path, "", "host must be specified" + FORM));
    }
    if (url.getUserInfo() != null) {
      errors.add(invalid(path, url.getUserInfo(), "user information is not permitted in the URL"));
    }
    if (url.getFragment() != null) {
      errors.add(invalid(path, url.getFragment(), "fragments are not permitted in the URL"));
    }
    if (url.getRawQuery() != null) {
      errors.add(invalid(path, url.getRawQuery(), "query parameters are not permitted in the URL"));
    }
    return errors;
  }

  private static List<FieldError> ofService(String path, JsonNode service) {
    List<FieldError> errors = new ArrayList<>();
    // In these messages, the real server confuses the name and the namespace.
    if (service.path("namespace").asText("").isEmpty()) {
      errors.add(FieldError.required(path + ".name", ""));
    }
    if (service.path("name").asText("").isEmpty()) {
      errors.add(FieldError.required(path + ".namespace", ""));
    }
    int port = service.path("port").asInt();
    if (port < 1 || port > HIGHEST_PORT) {
      errors.add(
          FieldError.invalid(
              path + ".port",
              Integer.toString(port),
              "port is not valid: must be between 1 and 65535, inclusive"));
    }
    String target = service.path("path").asText("");
    if (!target.isEmpty() && !target.startsWith("/")) {
      errors.add(invalid(path + ".path", target, "must start with a '/'"));
    }
    if (target.contains("//")) {
      String[] steps = target.substring(1).split("/", -1);
      errors.add(
          invalid(
              path + ".path",
              target,
              "segment[" + List.of(steps).indexOf("") + "] may not be empty"));
    }
    return errors;
  }

  private static FieldError invalid(String path, String value, String why) {
    return FieldError.invalid(path, FieldError.quoted(value), why);
  }
}
