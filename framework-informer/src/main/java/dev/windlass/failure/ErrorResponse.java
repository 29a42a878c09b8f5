// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An error response from an API server. Instances are immutable.
 *
 * <p>Some causes that operators must distinguish, such as an exhausted quota or a failing webhook,
 * do not have a status code of their own. {@link #problem()} recognises them by the text of the
 * message, which can change in any release of Kubernetes. Programs should therefore not make
 * decisions based on its result.
 *
 * @param code the HTTP status code
 * @param reason the reason in the {@code Status}; empty if there is none
 * @param message the message in the {@code Status}; empty if there is none. If the message quotes
 *     an object, the quotation is replaced, because it can contain secrets
 * @param causes the reasons in the {@code details.causes} of the {@code Status}
 * @param kind the resource's plural name in the {@code details.kind} of the {@code Status}; empty
 *     if there is none
 * @param name the object's name in the {@code details.name} of the {@code Status}; empty if there
 *     is none
 */
public record ErrorResponse(
    int code, String reason, String message, List<String> causes, String kind, String name) {

  /** The text with which an API server responds to a path that it does not serve. */
  private static final String NO_SUCH_PATH = "404 page not found";

  /** The maximum length of a plain text that is quoted. */
  private static final int LONGEST_TEXT = 200;

  /** The permission that an authorizer names in its message. */
  private static final Pattern DENIED =
      Pattern.compile(
          "cannot ([a-z]+) resource \"([^\"]+)\" in API group \"([^\"]*)\""
              + "(?: in the namespace \"([^\"]+)\")?");

  /**
   * A pattern for the object that a server quotes if it cannot decode the result of a patch. The
   * quotation must be removed, because the object can contain secrets and messages are logged.
   */
  private static final Pattern QUOTED_OBJECT =
      Pattern.compile("(?s)(?<=patch: Invalid value: )\".*\"(?=: )");

  public ErrorResponse {
    message = QUOTED_OBJECT.matcher(message).replaceFirst("the patched object");
  }

  /**
   * Creates an error response for a status code. The response does not contain a {@code Status},
   * for example because the path does not exist.
   */
  public static ErrorResponse of(int code) {
    return new ErrorResponse(code, "", "", List.of(), "", "");
  }

  /**
   * Returns the message of an error response whose body is not a {@code Status}: its text if it is
   * one short line, such as {@code Client sent an HTTP request to an HTTPS server}, and a sentence
   * if it is anything else, such as the page of a proxy. Returns an empty text if there is no body.
   */
  public static String foreignText(byte @Nullable [] body) {
    String text = body == null ? "" : new String(body, StandardCharsets.UTF_8).strip();
    boolean isSentence =
        text.length() <= LONGEST_TEXT
            && !text.startsWith("<")
            && !text.startsWith("{")
            && text.chars().noneMatch(Character::isISOControl);
    return isSentence ? text : "the body is not a Status of an API server";
  }

  /**
   * Creates an error response from a status code and the {@code Status} that fabric8 has parsed.
   *
   * @param status the {@code Status}, or null if the response does not contain one
   */
  public static ErrorResponse of(int code, @Nullable Status status) {
    if (status == null) {
      return of(code);
    }
    StatusDetails details = status.getDetails();
    return new ErrorResponse(
        code,
        Objects.requireNonNullElse(status.getReason(), ""),
        Objects.requireNonNullElse(status.getMessage(), ""),
        details == null || details.getCauses() == null
            ? List.of()
            : details.getCauses().stream()
                .map(cause -> Objects.requireNonNullElse(cause.getReason(), ""))
                .toList(),
        details == null ? "" : Objects.requireNonNullElse(details.getKind(), ""),
        details == null ? "" : Objects.requireNonNullElse(details.getName(), ""));
  }

  /**
   * Returns whether an API server states that the given object does not exist. A 404 that names
   * another object, such as the namespace, or no object says nothing about this object: the server
   * may not serve the type, or a proxy may have responded.
   *
   * @param plural the plural name of the object's type
   * @param object the object's name
   */
  public boolean isAbsent(String plural, String object) {
    return code == 404 && reason.equals("NotFound") && kind.equals(plural) && name.equals(object);
  }

  /**
   * Returns the permission that the identity lacks, according to the message. Returns {@link
   * RequiredPermission#UNKNOWN} if the message does not name it.
   */
  public RequiredPermission lacking() {
    if (message.contains("blockOwnerDeletion")) {
      return RequiredPermission.named("update", "the finalizers subresource of the owner's type");
    }
    if (message.contains("attempting to grant RBAC permissions not currently held")) {
      return RequiredPermission.named(
          "escalate", "this role, or the rights that the response lists");
    }
    Matcher denied = DENIED.matcher(message);
    return !denied.find()
        ? RequiredPermission.UNKNOWN
        : new RequiredPermission(
            List.of(denied.group(1)),
            denied.group(2),
            denied.group(3),
            Objects.requireNonNullElse(denied.group(4), ""));
  }

  /** Returns the cause of the failure. */
  public FailureCause problem() {
    if (causes.contains("ResourceVersionTooLarge")) {
      return FailureCause.VERSION_TOO_LARGE;
    }
    if (message.contains("failed calling webhook") || message.contains("conversion webhook for")) {
      return FailureCause.WEBHOOK_FAILED;
    }
    if (message.contains("denied the request") || message.contains("ValidatingAdmissionPolicy '")) {
      return FailureCause.ADMISSION_REFUSED;
    }
    if (code == 500 && message.startsWith("failed to create typed patch object")) {
      return FailureCause.INVALID; // an apply that the type's schema can't express
    }
    return switch (code) {
      case 405 ->
          message.startsWith("watch is not supported")
              ? FailureCause.NO_WATCH
              : FailureCause.BAD_REQUEST;
      case 400, 406, 415 -> FailureCause.BAD_REQUEST;
      case 401 -> FailureCause.UNAUTHORIZED;
      case 403 -> forbidden();
      case 404 -> missing();
      case 409 -> conflict();
      case 410 -> FailureCause.EXPIRED;
      case 422 -> FailureCause.INVALID;
      case 429 ->
          causes.contains("DisruptionBudget")
              ? FailureCause.DISRUPTION_BUDGET
              : FailureCause.TOO_MANY_REQUESTS;
      default -> code >= 500 ? FailureCause.SERVER_ERROR : FailureCause.OTHER;
    };
  }

  private FailureCause forbidden() {
    if (causes.contains("NamespaceTerminating")) {
      return FailureCause.NAMESPACE_TERMINATING;
    }
    if (message.contains("User \"system:anonymous\"")) {
      return FailureCause.ANONYMOUS;
    }
    if (message.contains("exceeded quota:")) {
      return FailureCause.QUOTA_EXCEEDED;
    }
    // Unlike an authorizer, an admission plugin, such as PodSecurity, judges the object.
    return lacking().equals(RequiredPermission.UNKNOWN) && message.contains(" is forbidden: ")
        ? FailureCause.ADMISSION_REFUSED
        : FailureCause.FORBIDDEN;
  }

  private FailureCause missing() {
    if (reason.isEmpty() && !message.isEmpty() && !message.equals(NO_SUCH_PATH)) {
      return FailureCause.MALFORMED; // a proxy's response
    }
    if (kind.isEmpty()) {
      return FailureCause.UNKNOWN_TYPE; // for a missing object, the details contain a kind
    }
    return kind.equals("namespaces") ? FailureCause.NAMESPACE_MISSING : FailureCause.NOT_FOUND;
  }

  private FailureCause conflict() {
    if (causes.contains("FieldManagerConflict")) {
      return FailureCause.FIELD_CONFLICT;
    }
    return reason.equals("AlreadyExists") ? FailureCause.ALREADY_EXISTS : FailureCause.CONFLICT;
  }
}
