// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Checks the fields of a kubeconfig that contain PEM files in base64, such as {@code
 * certificate-authority-data}. Without this check, a damaged field would appear as an untrusted
 * server. This class is stateless.
 */
final class EmbeddedPem {

  private EmbeddedPem() {}

  /**
   * Returns the value of a field.
   *
   * @param field the name of the field
   * @param value the value; null or empty if the field is not set
   * @throws IllegalArgumentException if the value is not a PEM file in base64. The message does not
   *     quote the value, because it can be a private key
   */
  static @Nullable String checked(String field, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return value;
    }
    String text;
    try {
      byte[] content = Base64.getDecoder().decode(value.replaceAll("\\s", ""));
      text = new String(content, StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the field "
              + field
              + " of the kubeconfig is not base64; encode the PEM file with base64",
          e);
    }
    if (!text.contains("-----BEGIN ")) {
      throw new IllegalArgumentException(
          "the field "
              + field
              + " of the kubeconfig does not contain a PEM file, which has a line that starts with"
              + " '-----BEGIN'; encode a PEM file with base64");
    }
    return value;
  }
}
