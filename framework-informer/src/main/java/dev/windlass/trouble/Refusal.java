// SPDX-License-Identifier: Apache-2.0
package dev.windlass.trouble;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An error response of an API server. Immutable.
 *
 * <p>The server has no code for some causes that a person must distinguish (a quota, a webhook).
 * Those are recognised by the message, so do not base decisions of a program on the result.
 *
 * @param code HTTP status code
 * @param reason of the {@code Status}; empty if there is none
 * @param message of the {@code Status}; empty if there is none
 * @param causes the reasons in its details
 * @param kind the plural in its details; empty if there is none
 */
public record Refusal(int code, String reason, String message, List<String> causes, String kind) {

  /** Creates a refusal without a {@code Status} in its body, as for an unknown path. */
  public static Refusal of(int code) {
    return new Refusal(code, "", "", List.of(), "");
  }

  /** Creates a refusal from the {@code Status} that fabric8 has parsed, if there is one. */
  public static Refusal of(int code, @Nullable Status status) {
    if (status == null) {
      return of(code);
    }
    StatusDetails details = status.getDetails();
    return new Refusal(
        code,
        Objects.requireNonNullElse(status.getReason(), ""),
        Objects.requireNonNullElse(status.getMessage(), ""),
        details == null || details.getCauses() == null
            ? List.of()
            : details.getCauses().stream()
                .map(cause -> Objects.requireNonNullElse(cause.getReason(), ""))
                .toList(),
        details == null ? "" : Objects.requireNonNullElse(details.getKind(), ""));
  }

  /** Returns what the response means. */
  public Trouble trouble() {
    if (causes.contains("ResourceVersionTooLarge")) {
      return Trouble.VERSION_TOO_LARGE;
    }
    if (message.contains("failed calling webhook") || message.contains("conversion webhook for")) {
      return Trouble.WEBHOOK_FAILED;
    }
    if (message.contains("denied the request") || message.contains("ValidatingAdmissionPolicy '")) {
      return Trouble.ADMISSION_REFUSED;
    }
    return switch (code) {
      case 400, 405, 406, 415 -> Trouble.BAD_REQUEST;
      case 401 -> Trouble.UNAUTHORIZED;
      case 403 -> forbidden();
      case 404 -> missing();
      case 409 -> conflict();
      case 410 -> Trouble.EXPIRED;
      case 422 -> Trouble.INVALID;
      case 429 ->
          causes.contains("DisruptionBudget")
              ? Trouble.DISRUPTION_BUDGET
              : Trouble.TOO_MANY_REQUESTS;
      default -> code >= 500 ? Trouble.SERVER_ERROR : Trouble.OTHER;
    };
  }

  private Trouble forbidden() {
    if (causes.contains("NamespaceTerminating")) {
      return Trouble.NAMESPACE_TERMINATING;
    }
    if (message.contains("User \"system:anonymous\"")) {
      return Trouble.ANONYMOUS;
    }
    return message.contains("exceeded quota:") ? Trouble.QUOTA_EXCEEDED : Trouble.FORBIDDEN;
  }

  private Trouble missing() {
    if (kind.isEmpty()) {
      return Trouble.UNKNOWN_TYPE; // for a missing object, the details name a kind
    }
    return kind.equals("namespaces") ? Trouble.NAMESPACE_MISSING : Trouble.NOT_FOUND;
  }

  private Trouble conflict() {
    if (causes.contains("FieldManagerConflict")) {
      return Trouble.FIELD_CONFLICT;
    }
    return reason.equals("AlreadyExists") ? Trouble.ALREADY_EXISTS : Trouble.CONFLICT;
  }
}
