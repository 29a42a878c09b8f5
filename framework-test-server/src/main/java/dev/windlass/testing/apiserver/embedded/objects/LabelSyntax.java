// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The syntax of label keys, label values and annotation keys, as in apimachinery's {@code
 * validation.go}.
 */
public final class LabelSyntax {
  /** The error message for an invalid DNS subdomain, such as the prefix of a qualified name. */
  public static final String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
          + " and must start and end with an alphanumeric character";

  private static final int LONGEST = 63;
  private static final String TOO_LONG = "must be no more than 63 characters";
  private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final int LONGEST_PREFIX = 253;
  private static final String NAME_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character";

  private LabelSyntax() {}

  /** Returns whether a string is a valid DNS subdomain. */
  public static boolean isSubdomain(String text) {
    return text.length() <= LONGEST_PREFIX && PREFIX.matcher(text).matches();
  }

  /** Validates a label value and returns the errors. */
  public static List<FieldError> ofValue(String field, String value) {
    List<FieldError> errors = new ArrayList<>();
    if (value.length() > LONGEST) {
      errors.add(FieldError.invalid(field, value, TOO_LONG));
    }
    if (!value.isEmpty() && !NAME.matcher(value).matches()) {
      errors.add(FieldError.invalid(field, value, NAME_RULE));
    }
    return errors;
  }

  /** Validates a qualified name, such as the key of a label, and returns the errors. */
  public static List<FieldError> ofName(String field, String name) {
    int slash = name.indexOf('/');
    String prefix = slash < 0 ? "" : name.substring(0, slash);
    String rest = name.substring(slash + 1);
    List<String> problems = new ArrayList<>();
    if (rest.contains("/")) {
      problems.add("must not contain more than one '/'");
    } else {
      if (slash >= 0 && !isSubdomain(prefix)) {
        problems.add("the part before '/': " + SUBDOMAIN_RULE);
      }
      if (rest.isEmpty()) {
        problems.add("the name must not be empty");
      } else if (rest.length() > LONGEST) {
        problems.add(TOO_LONG);
      }
      if (!NAME.matcher(rest).matches()) {
        problems.add("the name " + NAME_RULE);
      }
    }
    return problems.stream().map(why -> FieldError.invalid(field, name, why)).toList();
  }

  /** Validates the labels and the keys of the annotations and returns the errors. */
  public static List<FieldError> ofMetadata(Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    for (var label : meta.json().path("labels").properties()) {
      errors.addAll(ofName("metadata.labels", label.getKey()));
      errors.addAll(ofValue("metadata.labels", label.getValue().asText()));
    }
    for (var annotation : meta.json().path("annotations").properties()) {
      errors.addAll(ofName("metadata.annotations", annotation.getKey().toLowerCase(Locale.ROOT)));
    }
    return errors;
  }
}
