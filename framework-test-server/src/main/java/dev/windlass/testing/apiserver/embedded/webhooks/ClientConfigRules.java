// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.net.URI;
import java.net.URISyntaxException;

/** The validation rules for the {@code clientConfig} of a webhook. */
public final class ClientConfigRules {

  private ClientConfigRules() {}

  /** Validates a client configuration. */
  public static void validate(FieldChecks config) {
    boolean url = config.has("url");
    if (url == config.has("service")) {
      String why = "exactly one of url or service is required";
      config.errors().add(FieldError.required(config.path(), why));
    } else if (url) {
      checkUrl(config);
    } else {
      FieldChecks service = config.in("service").require("namespace", "name");
      service.port("port");
      String path = service.text("path");
      service.check(path.isEmpty() || path.startsWith("/"), "path", "must start with a '/'");
      service.check(!path.contains("//"), "path", "must not contain empty segments");
    }
  }

  private static void checkUrl(FieldChecks config) {
    URI url;
    try {
      url = new URI(config.text("url"));
    } catch (URISyntaxException e) {
      String why = "must be a valid URL: " + e.getMessage();
      config.errors().add(FieldError.required(config.path() + ".url", why));
      return;
    }
    config.check("https".equals(url.getScheme()), "url", "'https' is the only allowed scheme");
    config.check(url.getRawAuthority() != null, "url", "the host must be specified");
    config.check(url.getUserInfo() == null, "url", "user information is not permitted");
    config.check(url.getFragment() == null, "url", "fragments are not permitted");
    config.check(url.getRawQuery() == null, "url", "query parameters are not permitted");
  }
}
