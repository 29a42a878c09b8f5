// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The syntax of label keys, label values and annotation keys, as in apimachinery's {@code
 * validation.go}.
 */
public final class LabelSyntax {
  /** The error message for an invalid DNS subdomain, such as the prefix of a qualified name. */
  public static final String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
          + " regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

  private static final int LONGEST = 63;
  private static final String TOO_LONG = "must be no more than 63 characters";
  private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final Pattern NAME_PATTERN = Pattern.compile(NAME);
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final int LONGEST_PREFIX = 253;
  private static final String NAME_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '"
          + NAME
          + "')";
  private static final String VALUE_RULE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is '("
          + NAME
          + ")?')";

  private LabelSyntax() {}

  /** Returns whether a string is a valid DNS subdomain. */
  public static boolean isSubdomain(String text) {
    return text.length() <= LONGEST_PREFIX && PREFIX.matcher(text).matches();
  }

  /** Validates a label value and returns the errors. */
  public static List<FieldError> ofValue(String field, String value) {
    List<FieldError> errors = new ArrayList<>();
    if (value.length() > LONGEST) {
      errors.add(FieldError.invalid(field, FieldError.quoted(value), TOO_LONG));
    }
    if (!value.isEmpty() && !NAME_PATTERN.matcher(value).matches()) {
      errors.add(FieldError.invalid(field, FieldError.quoted(value), VALUE_RULE));
    }
    return errors;
  }

  /**
   * Validates a qualified name, such as the key of a label or an annotation, and returns the
   * errors.
   *
   * @param shown the name that the error messages contain
   */
  public static List<FieldError> ofName(String field, String shown, String name) {
    List<FieldError> errors = new ArrayList<>();
    int slash = name.indexOf('/');
    String prefix = slash < 0 ? "" : name.substring(0, slash);
    String rest = name.substring(slash + 1);
    if (rest.contains("/")) {
      add(
          errors,
          field,
          shown,
          "a qualified name "
              + NAME_RULE
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
      return errors;
    }
    if (slash == 0) {
      add(errors, field, shown, "prefix part must be non-empty");
    } else if (slash > 0
        && (prefix.length() > LONGEST_PREFIX || !PREFIX.matcher(prefix).matches())) {
      add(errors, field, shown, "prefix part " + SUBDOMAIN_RULE);
    }
    if (rest.isEmpty()) {
      add(errors, field, shown, "name part must be non-empty");
    } else if (rest.length() > LONGEST) {
      add(errors, field, shown, "name part " + TOO_LONG);
    }
    if (!NAME_PATTERN.matcher(rest).matches()) {
      add(errors, field, shown, "name part " + NAME_RULE);
    }
    return errors;
  }

  private static void add(List<FieldError> errors, String field, String shown, String why) {
    errors.add(FieldError.invalid(field, FieldError.quoted(shown), why));
  }
}
