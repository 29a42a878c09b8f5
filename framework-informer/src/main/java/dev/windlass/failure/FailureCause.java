// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

/**
 * The known causes of failures between a program and its API server, each with a sentence that
 * explains the cause and the remedy. {@code docs/operations/errors.md} describes each in more
 * detail.
 */
public enum FailureCause {
  /** There is no connection, or it broke. */
  UNREACHABLE("Check that the server's address is correct and that the server is running."),
  /** One side rejected the TLS handshake. */
  TLS_NOT_TRUSTED(
      "The server's certificate is not trusted or not valid for this address, or the server rejects"
          + " the client's. Correct certificate-authority, server and client-certificate in the"
          + " kubeconfig; files are read again without a restart."),
  /** 401. */
  UNAUTHORIZED(
      "The server does not accept the credentials. Check the token or client certificate of the"
          + " kubeconfig or ServiceAccount; it may have expired."),
  /** 403 for {@code system:anonymous}: the request had no credentials. */
  ANONYMOUS(
      "The request was made as system:anonymous, without credentials. Give the kubeconfig's user a"
          + " token, tokenFile, exec or client certificate, or mount the ServiceAccount's token;"
          + " grant no rights to system:anonymous."),
  /** 403 by RBAC. */
  FORBIDDEN(
      "Permission denied. Grant this identity "
          + FailureCause.RIGHT
          + " in a Role or ClusterRole."),
  /** 404 for a path that does not exist. */
  UNKNOWN_TYPE(
      "The server does not serve this resource. Install its CRD, or correct the group and version"
          + " of the class."),
  /** 404 for the namespace of a new object. */
  NAMESPACE_MISSING("The namespace does not exist. Create it, or correct its name."),
  /** 404 for an object. */
  NOT_FOUND("The object does not exist. It may have been deleted in the meantime."),
  /** 422: the object violates the schema or the rules of its type. */
  INVALID(
      "The object violates the schema or a rule of its type. Correct what the response names."
          + " For a custom resource, also compare the class with the CRD."),
  /** The response of the server does not fit the class. */
  CLASS_MISMATCH(
      "The response does not fit the class. Compare the class with the schema of the CRD."),
  /** An admission webhook or a policy rejected the request. */
  ADMISSION_REFUSED(
      "A policy or an admission webhook of the cluster rejected the request. Change the object as"
          + " the response requires, or ask the owner of the policy or webhook."),
  /** An admission or conversion webhook did not respond. */
  WEBHOOK_FAILED(
      "A webhook that the server must call does not respond. Repair the webhook that the response"
          + " names, or remove its configuration."),
  /** 403 by a ResourceQuota. */
  QUOTA_EXCEEDED(
      "A ResourceQuota of the namespace is exhausted. Raise it, or delete objects that are not"
          + " needed."),
  /** 403 because the namespace is being deleted. */
  NAMESPACE_TERMINATING(
      "The namespace is being deleted and accepts no new objects. Wait until it is gone, or use"
          + " another one."),
  /** 409: the object was changed by another writer first. */
  CONFLICT(
      "The object has changed since it was read. Read it again and repeat the change; a reconciler"
          + " that fails with this is called again."),
  /** 409: the name is taken. */
  ALREADY_EXISTS("An object with this name already exists. Read it, and update it if it is yours."),
  /** 409: another manager owns fields that an apply sets. */
  FIELD_CONFLICT(
      "Another field manager owns some of these fields. Omit them, or force the apply to take them"
          + " over."),
  /** 429, or 503 with Retry-After. */
  TOO_MANY_REQUESTS("The server asks the client to slow down."),
  /** 429 by a PodDisruptionBudget. */
  DISRUPTION_BUDGET(
      "A PodDisruptionBudget allows no eviction now. Wait until enough of its Pods are ready."),
  /** 5xx. */
  SERVER_ERROR("The server failed with an internal error (5xx)."),
  /**
   * 504 with the cause {@code ResourceVersionTooLarge}: the server lags behind, or was restored
   * from a backup.
   */
  VERSION_TOO_LARGE("The server lags behind the last known resource version."),
  /** 410: the resource version is too old to resume from. */
  EXPIRED("The last known resource version has expired; relisting all objects."),
  /** 400, 405, 415 and the like. */
  BAD_REQUEST("The server rejected the request as malformed or unsupported."),
  /** The response is not JSON, or ended prematurely. */
  MALFORMED("The response is not one that an API server sends."),
  /** No data arrived for too long. */
  TIMEOUT("No data arrived for too long; the connection is abandoned."),
  /** The framework itself has failed. */
  INTERNAL("An error occurred in this process; see the log."),
  /** Any other cause. */
  OTHER("The request was refused.");

  /** The placeholder for the missing permission in a sentence. */
  static final String RIGHT = "{right}";

  private final String sentence;

  FailureCause(String sentence) {
    this.sentence = sentence;
  }

  /**
   * Returns the explanation and the remedy, with {@code {right}} in the place where {@link Advice}
   * names the permission.
   */
  public String sentence() {
    return sentence;
  }
}
