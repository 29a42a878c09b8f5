// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The requests of a migration. Each call blocks until the server has responded. */
interface MigrationRequests {

  /**
   * The fields of a CustomResourceDefinition that a migration needs.
   *
   * @param uid the uid; a definition that is deleted and created again has another uid
   * @param resourceVersion the resource version that was read
   * @param generation the generation, which increases by one with every change to the spec
   * @param usable whether the definition is established and not being deleted
   * @param storageVersion the version in which the API server stores objects
   * @param storedVersions the versions in which objects may be stored, according to the status
   * @param removedField a field that the API server would remove from stored objects, because it
   *     does not call a webhook to convert them; empty if there is none
   */
  record Definition(
      String uid,
      String resourceVersion,
      long generation,
      boolean usable,
      String storageVersion,
      List<String> storedVersions,
      Optional<String> removedField) {

    /**
     * Returns true if the definition is usable and some objects may be stored in a version other
     * than the storage version.
     */
    boolean needsMigration() {
      return usable && storedVersions.stream().anyMatch(version -> !version.equals(storageVersion));
    }

    /**
     * Returns true if this definition is usable, has the same uid as a definition that was read
     * earlier, is guaranteed to have had the same storage version since then, and still converts
     * objects without loss. A change to another version and back is detected because it increases
     * the generation by at least two.
     */
    boolean continues(Definition earlier) {
      return usable
          && removedField.isEmpty()
          && uid.equals(earlier.uid)
          && storageVersion.equals(earlier.storageVersion)
          && generation - earlier.generation <= 1;
    }
  }

  /**
   * An object to rewrite.
   *
   * @param uid the uid; an object that is deleted and created again has another uid
   * @param resourceVersion the resource version that was listed
   */
  record StoredObject(ObjectKey key, String uid, String resourceVersion) {}

  /**
   * A page of a list.
   *
   * @param continueToken the token of the next page; empty for the last page
   */
  record Page(List<StoredObject> objects, String continueToken) {}

  /** Thrown if the server rejects a request or does not respond. */
  final class Failure extends Exception {

    static final int NO_RESPONSE = 0;
    static final int CONFLICT = 409;
    static final int GONE = 410;
    static final int TOO_MANY_REQUESTS = 429;
    static final int INTERNAL_ERROR = 500;

    private static final int LONGEST_MESSAGE = 512;
    private static final long serialVersionUID = 1L;

    /** The verb phrase for the request, such as "list". */
    final String action;

    /** The HTTP status, or {@link #NO_RESPONSE}. */
    final int code;

    final FailureCause cause;

    /** The delay that the server requests before a retry; zero if it specifies none. */
    final Duration retryAfter;

    /**
     * The token to continue a paginated list after its snapshot has expired; empty if the server
     * has not provided one.
     */
    final String continueToken;

    Failure(String action, ErrorResponse error, Duration retryAfter, String continueToken) {
      super(
          OneLine.of(
              error.message().isEmpty() ? "HTTP " + error.code() : error.message(),
              LONGEST_MESSAGE));
      this.action = action;
      this.code = error.code();
      this.cause = error.problem();
      this.retryAfter = retryAfter;
      this.continueToken = continueToken;
    }

    /** Creates the exception for a request without a response. */
    Failure(String action, FailureCause cause, String message) {
      super("no response: " + OneLine.of(message, LONGEST_MESSAGE));
      this.action = action;
      this.code = NO_RESPONSE;
      this.cause = cause;
      this.retryAfter = Duration.ZERO;
      this.continueToken = "";
    }

    String advice() {
      return FailureAdvice.of(cause).toString();
    }

    /**
     * Returns whether an API server states that the object does not exist. Any other 404, such as
     * that of a proxy, says nothing about the object.
     */
    boolean isAbsence() {
      return cause == FailureCause.NOT_FOUND;
    }

    /** Returns whether another client has changed or deleted the object. */
    boolean isChange() {
      return isAbsence() || (code == CONFLICT && cause != FailureCause.ADMISSION_REFUSED);
    }

    /**
     * Returns whether the same request would also fail for other objects: the server is overloaded
     * or unreachable, or the program does not have permission for the operation.
     */
    boolean isGeneral() {
      return switch (code) {
        case NO_RESPONSE, 401, TOO_MANY_REQUESTS, 502, 503, 504 -> true;
        case 403 -> cause == FailureCause.FORBIDDEN;
        default -> false;
      };
    }
  }

  /** Reads the definition. Returns an empty result if it does not exist. */
  Optional<Definition> definition() throws Failure, InterruptedException;

  /**
   * Lists one page of the custom resource's objects, in the order of their keys.
   *
   * @param version the version of the custom resource in which the objects are listed
   * @param continueToken the token from the previous page; empty for the first page
   */
  Page list(String version, String continueToken) throws Failure, InterruptedException;

  /**
   * Makes the server store an object in the current storage version, by sending a patch that does
   * not change the object. Fails with status 409 if the object has changed since it was listed.
   */
  void rewrite(String version, StoredObject object) throws Failure, InterruptedException;

  /**
   * Removes all versions from {@code status.storedVersions} except the storage version. Fails with
   * status 409 if the definition has changed since it was read.
   */
  void trim(Definition definition) throws Failure, InterruptedException;
}
