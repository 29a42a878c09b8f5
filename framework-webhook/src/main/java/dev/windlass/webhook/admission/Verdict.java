// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A {@link Validator}'s decision on a request, with optional warnings for the user. Instances are
 * immutable.
 *
 * @param allowed whether the request is allowed
 * @param code the HTTP status of a denied request: 422 for invalid fields, 403 otherwise
 * @param message the reason for the denial, for the user; empty if the request is allowed, or if
 *     {@code errors} contains the reasons
 * @param errors the invalid fields
 * @param warnings the warnings, which {@code kubectl} shows to the user even if the request is
 *     allowed
 */
public record Verdict(
    boolean allowed, int code, String message, List<FieldError> errors, List<String> warnings) {

  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int INVALID = 422;

  private static final Verdict ALLOW = new Verdict(true, OK, "", List.of(), List.of());

  /** Copies the lists. */
  public Verdict {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  /** Returns the decision to allow the request. */
  public static Verdict allow() {
    return ALLOW;
  }

  /**
   * Returns the decision to deny the request with status 403.
   *
   * @param message the reason, which the API server includes in its error message to the user
   */
  public static Verdict deny(String message) {
    return new Verdict(false, FORBIDDEN, message, List.of(), List.of());
  }

  /**
   * Returns the decision to deny the request with status 422 because of the given errors. If the
   * list is empty, returns the decision to allow the request.
   */
  public static Verdict of(List<FieldError> errors) {
    return errors.isEmpty() ? ALLOW : new Verdict(false, INVALID, "", errors, List.of());
  }

  /** Returns the decision to deny the request with status 422 because of one invalid field. */
  public static Verdict invalid(FieldError error) {
    return of(List.of(error));
  }

  /**
   * Returns a copy of this decision with an additional warning. {@code kubectl} shows warnings to
   * the user. If the total length of all warnings exceeds 4 KiB, the API server truncates each
   * warning to 256 bytes.
   */
  public Verdict withWarning(String warning) {
    List<String> all = new ArrayList<>(warnings);
    all.add(warning);
    return new Verdict(allowed, code, message, errors, all);
  }

  /**
   * Returns the reason for a denial. This is the message or, if there are invalid fields, their
   * errors, separated by commas.
   */
  public String explanation() {
    return errors.isEmpty()
        ? message
        : errors.stream().map(FieldError::toString).collect(Collectors.joining(", "));
  }
}
