// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Thrown to reject a request. The exception contains the {@code Status} object that the client
 * receives.
 */
public final class StatusException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String INVALID = "Invalid";

  private final ObjectNode status;

  private StatusException(int code, String reason, String message) {
    // There is no stack trace, because a rejection is a normal response, and tests cause thousands
    // of rejections.
    super(message, null, false, false);
    status = Json.object();
    status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
    status.put("status", "Failure").put("message", message);
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    status.put("code", code);
  }

  /** Returns the {@code Status} object to send as the response body. */
  public ObjectNode status() {
    return status;
  }

  /** Returns the HTTP status code. */
  public int code() {
    return status.path("code").asInt();
  }

  public static StatusException of(int code, String reason, String message) {
    return new StatusException(code, reason, message);
  }

  public static StatusException badRequest(String message) {
    return new StatusException(400, "BadRequest", message);
  }

  /** Returns an exception for an internal error of the server. */
  public static StatusException internal(String why) {
    StatusException failure =
        new StatusException(500, "InternalError", "Internal error occurred: " + why);
    failure.status.withObject("/details").putArray("causes").addObject().put("message", why);
    return failure;
  }

  public static StatusException notFound(GroupResource resource, String name) {
    return new StatusException(404, "NotFound", "%s \"%s\" not found".formatted(resource, name))
        .details(resource, name);
  }

  /**
   * Returns an exception for a create request if the object already exists.
   *
   * @param deleting whether the existing object is being deleted
   */
  public static StatusException alreadyExists(
      GroupResource resource, String name, boolean deleting) {
    String prefix = deleting ? "object is being deleted: " : "";
    return new StatusException(
            409, "AlreadyExists", "%s%s \"%s\" already exists".formatted(prefix, resource, name))
        .details(resource, name);
  }

  /**
   * Returns an exception for a create request if the name that the server generated is already in
   * use.
   */
  public static StatusException noUniqueName(
      GroupResource resource, String name, boolean deleting) {
    StatusException conflict = alreadyExists(resource, name, deleting);
    conflict.status.withObject("/details").put("retryAfterSeconds", 1);
    return conflict;
  }

  /**
   * Returns an exception for a request that is not permitted.
   *
   * @param resource the resource; its group and plural are empty if the path does not refer to a
   *     resource
   * @param name the object's name; empty if the request does not name an object
   */
  public static StatusException forbidden(GroupResource resource, String name, String why) {
    boolean path = resource.plural().isEmpty();
    String what = name.isEmpty() ? resource.toString() : "%s \"%s\"".formatted(resource, name);
    String message = path ? "forbidden: " + why : what + " is forbidden: " + why;
    StatusException refusal = new StatusException(403, "Forbidden", message);
    refusal.status.putObject("details");
    return refusal.details(resource, name);
  }

  public static StatusException conflict(GroupResource resource, String name, String why) {
    return new StatusException(
            409,
            "Conflict",
            "Operation cannot be fulfilled on %s \"%s\": %s".formatted(resource, name, why))
        .details(resource, name);
  }

  public static StatusException stale(GroupResource resource, String name) {
    return conflict(
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /**
   * Returns an exception for an object that violates the rules of its kind. {@code errors} must not
   * be empty.
   */
  public static StatusException invalid(
      String group, String kind, String name, List<FieldError> errors) {
    GroupResource groupKind = new GroupResource(group, kind);
    StatusException invalid =
        new StatusException(
            422,
            INVALID,
            "%s \"%s\" is invalid: %s".formatted(groupKind, name, FieldError.texts(errors)));
    invalid.details(groupKind, name);
    for (FieldError error : errors) {
      invalid.cause(error.type().reason(), error.message(), error.field());
    }
    return invalid;
  }

  public static StatusException methodNotAllowed() {
    return new StatusException(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource")
        .emptyDetails();
  }

  /** Returns an exception for a method that a resource does not support. */
  public static StatusException methodNotAllowed(GroupResource resource, String method) {
    String message = "%s is not supported on resources of kind \"%s\"".formatted(method, resource);
    return new StatusException(405, "MethodNotAllowed", message).details(resource, "");
  }

  /**
   * Returns an exception for a path that the server does not serve, such as that of an unknown
   * subresource.
   */
  public static StatusException noSuchPath() {
    return new StatusException(404, "NotFound", "the server could not find the requested resource")
        .emptyDetails();
  }

  private StatusException emptyDetails() {
    status.putObject("details");
    return this;
  }

  public static StatusException unsupportedMediaType(List<String> accepted) {
    return new StatusException(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
            + String.join(", ", accepted));
  }

  public static StatusException expired(String message) {
    return new StatusException(410, "Expired", message);
  }

  /**
   * Returns an exception for a patch that cannot be applied to the object, for example because a
   * test operation fails.
   */
  public static StatusException unpatchable() {
    return new StatusException(
            422, INVALID, "the server rejected our request due to an error in our request")
        .emptyDetails();
  }

  public static StatusException tooLarge(long requested, long current) {
    StatusException tooLarge =
        new StatusException(
            504,
            "Timeout",
            "Timeout: Too large resource version: %d, current: %d".formatted(requested, current));
    tooLarge.cause("ResourceVersionTooLarge", "Too large resource version", "");
    tooLarge.status.withObject("/details").put("retryAfterSeconds", 1);
    return tooLarge;
  }

  /**
   * Adds a cause to {@code details.causes}. If {@code field} is empty, the cause does not name a
   * field.
   */
  public StatusException cause(String reason, String message, String field) {
    ObjectNode cause = status.withObject("/details").withArray("causes").addObject();
    cause.put("reason", reason).put("message", message);
    if (!field.isEmpty()) {
      cause.put("field", field);
    }
    return this;
  }

  private StatusException details(GroupResource resource, String name) {
    ObjectNode details = status.withObject("/details");
    if (!name.isEmpty()) {
      details.put("name", name);
    }
    if (!resource.group().isEmpty()) {
      details.put("group", resource.group());
    }
    if (!resource.plural().isEmpty()) {
      details.put("kind", resource.plural());
    }
    return this;
  }
}
