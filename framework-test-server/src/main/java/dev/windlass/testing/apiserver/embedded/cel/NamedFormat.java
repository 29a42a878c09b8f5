// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The string formats that CEL expressions can refer to by name. */
enum NamedFormat {
  DNS1123_LABEL("dns1123Label", text -> label(text, false)),
  DNS1123_SUBDOMAIN("dns1123Subdomain", text -> subdomain(text, false)),
  DNS1035_LABEL("dns1035Label", text -> label1035(text, false)),
  QUALIFIED_NAME("qualifiedName", NamedFormat::qualifiedName),
  DNS1123_LABEL_PREFIX("dns1123LabelPrefix", text -> label(text, true)),
  DNS1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix", text -> subdomain(text, true)),
  DNS1035_LABEL_PREFIX("dns1035LabelPrefix", text -> label1035(text, true)),
  LABEL_VALUE("labelValue", text -> messages(LabelSyntax.ofValue("", text))),
  URI_FORMAT("uri", NamedFormat::uri),
  UUID_FORMAT(
      "uuid",
      text ->
          matches(
              text,
              "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}",
              "does not match the UUID format")),
  BYTE(
      "byte",
      text ->
          matches(
              text,
              "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
              "invalid base64")),
  DATE("date", text -> parsed(text, LocalDate::parse, "invalid date")),
  DATETIME("datetime", text -> parsed(text, OffsetDateTime::parse, "invalid datetime"));

  private static final int LONGEST_LABEL = 63;

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // all functions are stateless
  private final Function<String, List<String>> check;

  NamedFormat(String text, Function<String, List<String>> check) {
    this.text = text;
    this.check = check;
  }

  /** Returns the name by which expressions refer to this format. */
  String text() {
    return text;
  }

  static Optional<NamedFormat> named(String name) {
    return Arrays.stream(values()).filter(format -> format.text.equals(name)).findFirst();
  }

  /** Validates a string. Returns the errors, or empty if the string conforms to this format. */
  Optional<List<String>> validate(String value) {
    return Optional.of(check.apply(value)).filter(errors -> !errors.isEmpty());
  }

  private static List<String> matches(String text, String pattern, String error) {
    return Pattern.matches(pattern, text) ? List.of() : List.of(error);
  }

  private static List<String> parsed(String text, Function<String, ?> parser, String error) {
    try {
      return parser.apply(text) == null ? List.of(error) : List.of();
    } catch (DateTimeException e) {
      return List.of(error);
    }
  }

  private static List<String> messages(List<FieldError> errors) {
    return errors.stream()
        .map(FieldError::message)
        .map(message -> message.replaceFirst("(?s)^Invalid value: \".*?\": ", ""))
        .toList();
  }

  private static List<String> qualifiedName(String text) {
    return messages(LabelSyntax.ofName("", text, text));
  }

  private static List<String> withoutPrefixDash(String text, boolean prefix, Check check) {
    String whole = prefix && text.endsWith("-") ? text.substring(0, text.length() - 1) + "a" : text;
    return check.errors(whole);
  }

  @FunctionalInterface
  private interface Check {
    List<String> errors(String text);
  }

  private static List<String> label(String text, boolean prefix) {
    return withoutPrefixDash(
        text,
        prefix,
        whole ->
            limited(
                whole,
                "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"));
  }

  private static List<String> label1035(String text, boolean prefix) {
    return withoutPrefixDash(
        text,
        prefix,
        whole ->
            limited(
                whole,
                "[a-z]([-a-z0-9]*[a-z0-9])?",
                "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"));
  }

  private static List<String> limited(String text, String pattern, String error) {
    List<String> errors = new ArrayList<>();
    if (text.length() > LONGEST_LABEL) {
      errors.add("must be no more than 63 characters");
    }
    errors.addAll(matches(text, pattern, error));
    return errors;
  }

  private static List<String> subdomain(String text, boolean prefix) {
    return withoutPrefixDash(
        text,
        prefix,
        whole -> LabelSyntax.isSubdomain(whole) ? List.of() : List.of(LabelSyntax.SUBDOMAIN_RULE));
  }

  private static List<String> uri(String text) {
    String error = "parse \"%s\": invalid URI for request".formatted(text);
    try {
      URI uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/") ? List.of() : List.of(error);
    } catch (URISyntaxException e) {
      return List.of(error);
    }
  }
}
