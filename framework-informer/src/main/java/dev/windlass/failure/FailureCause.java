// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

/**
 * The known causes of failures in the communication with an API server. Each cause has a text that
 * explains it and states the remedy. {@code docs/operations/errors.md} describes each cause in more
 * detail.
 */
public enum FailureCause {
  /** No connection could be opened, or the connection broke. */
  UNREACHABLE("Check that the server's address is correct and that the server is running."),
  /** The client or the server rejected the TLS handshake. */
  TLS_NOT_TRUSTED(
      "The server's certificate is not trusted or not valid for this address, or the server rejects"
          + " the client's. Correct certificate-authority, server and client-certificate in the"
          + " kubeconfig; files are read again without a restart."),
  /** The response was 401: the server does not accept the credentials. */
  UNAUTHORIZED(
      "The server does not accept the credentials. Check the token or client certificate of the"
          + " kubeconfig or ServiceAccount; it may have expired."),
  /**
   * The response was 403 for {@code system:anonymous}, because the request did not contain
   * credentials.
   */
  ANONYMOUS(
      "The request was made as system:anonymous, without credentials. Give the kubeconfig's user a"
          + " token, tokenFile, exec or client certificate, or mount the ServiceAccount's token;"
          + " grant no rights to system:anonymous."),
  /** The response was 403, because RBAC denied the request. */
  FORBIDDEN(
      "Permission denied. Grant this identity "
          + FailureCause.RIGHT
          + " in a Role or ClusterRole."),
  /** The response was 404, because the path does not exist. */
  UNKNOWN_TYPE(
      "The server does not serve this resource. Install its CRD, or correct the group and version"
          + " of the class."),
  /** The response was 404, because the type does not have the subresource of the request. */
  NO_SUBRESOURCE(
      "The object exists, but its type has no subresource "
          + FailureCause.SUBRESOURCE
          + ". Add the subresource to the version in the CRD, or change the object without it."),
  /** The response was 405, because the server offers no watch for the type. */
  NO_WATCH(
      "The server offers no watch for this resource, so it can be neither cached nor reconciled."
          + " Read it with client.uncached(), as often as needed."),
  /** The response was 404, because the namespace of a new object does not exist. */
  NAMESPACE_MISSING("The namespace does not exist. Create it, or correct its name."),
  /** The response was 404, because the object does not exist. */
  NOT_FOUND("The object does not exist. It may have been deleted in the meantime."),
  /** The response was 422, because the object violates the schema or the rules of its type. */
  INVALID(
      "The object violates the schema or a rule of its type. Correct the fields that the response names."
          + " For a custom resource, also compare the class with the CRD."),
  /** The server's response could not be decoded into the model class. */
  CLASS_MISMATCH(
      "The response does not fit the class. Compare the class with the schema of the CRD."),
  /** An admission webhook, a policy or an admission plugin rejected the request. */
  ADMISSION_REFUSED(
      "A policy or an admission webhook of the cluster rejected the request. Change the object as"
          + " the response requires, or ask the owner of the policy or webhook."),
  /** An admission or conversion webhook did not respond. */
  WEBHOOK_FAILED(
      "A webhook that the server must call does not respond. If it is a webhook of this program,"
          + " wait until its server has started; otherwise repair the webhook that the response"
          + " names, or remove its configuration."),
  /** The response was 403, because a ResourceQuota is exhausted. */
  QUOTA_EXCEEDED(
      "A ResourceQuota of the namespace is exhausted. Raise it, or delete objects that are not"
          + " needed."),
  /** The response was 403, because the namespace is being deleted. */
  NAMESPACE_TERMINATING(
      "The namespace is being deleted and accepts no new objects. Wait until it is gone, or use"
          + " another one."),
  /** The response was 409, because another writer changed the object first. */
  CONFLICT(
      "The object has changed since it was read. Read it again and repeat the change; a reconciler"
          + " that fails with this is called again."),
  /** The response was 409, because an object with this name already exists. */
  ALREADY_EXISTS("An object with this name already exists. Read it, and update it if it is yours."),
  /** The response was 409, because another manager owns fields that the apply request sets. */
  FIELD_CONFLICT(
      "Another field manager owns some of these fields. Omit them, or force the apply to take them"
          + " over."),
  /**
   * The response was 429, or 503 with a {@code Retry-After} header. The latter applies only to
   * lists and watches of informers.
   */
  TOO_MANY_REQUESTS("The server asks the client to slow down."),
  /** The response was 429, because a PodDisruptionBudget does not permit the eviction. */
  DISRUPTION_BUDGET(
      "A PodDisruptionBudget allows no eviction now. Wait until enough of its Pods are ready."),
  /** The response had a 5xx status code. */
  SERVER_ERROR("The server failed with an internal error (5xx)."),
  /**
   * The response was 504 with the cause {@code ResourceVersionTooLarge}, because the server lags
   * behind or was restored from a backup.
   */
  VERSION_TOO_LARGE("The server lags behind the last known resource version."),
  /** The response was 410, because the resource version is too old to resume from. */
  EXPIRED("The last known resource version has expired; relisting all objects."),
  /** The response had the status code 400, 405, 415 or a similar code. */
  BAD_REQUEST("The server rejected the request as malformed or unsupported."),
  /** The response was not JSON, or was incomplete. */
  MALFORMED(
      "The response is not one that an API server sends. Check the server's address, and whether a"
          + " proxy or a login page responds instead."),
  /** The server did not send data within the time limit. */
  TIMEOUT("No data arrived within the time limit; the connection is abandoned."),
  /** The framework itself failed. */
  INTERNAL("An error occurred in this process; see the log."),
  /** The request failed for another reason. */
  OTHER("The server rejected the request.");

  /** The placeholder for the required permission in a sentence. */
  static final String RIGHT = "{right}";

  /** The placeholder for the name of the subresource in a sentence. */
  static final String SUBRESOURCE = "{subresource}";

  private final String sentence;

  FailureCause(String sentence) {
    this.sentence = sentence;
  }

  /**
   * Returns the explanation and the remedy. The result can contain the placeholders {@code {right}}
   * and {@code {subresource}}, which {@link FailureAdvice} replaces.
   */
  public String sentence() {
    return sentence;
  }
}
