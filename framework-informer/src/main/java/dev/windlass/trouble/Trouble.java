// SPDX-License-Identifier: Apache-2.0
package dev.windlass.trouble;

/**
 * The known failures between a program and its API server, each with a sentence that explains it
 * and says what to do. {@code docs/operations/errors.md} describes each in more detail.
 */
public enum Trouble {
  /** There is no connection, or it broke. */
  UNREACHABLE("Check that the server's address is right and that it runs."),
  /** One side rejected the TLS handshake. */
  TLS_NOT_TRUSTED(
      "The server's certificate is not trusted, or is not for this address, or it does not accept"
          + " that of this client. Correct certificate-authority, server and client-certificate in"
          + " the kubeconfig; files are read again without a restart."),
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
      "This identity lacks a right. Grant it " + Trouble.RIGHT + " in a Role or ClusterRole."),
  /** 404 for a path that does not exist. */
  UNKNOWN_TYPE(
      "The server does not know this resource. Install its CRD, or correct the group and version"
          + " of the class."),
  /** 404 for the namespace of a new object. */
  NAMESPACE_MISSING("The namespace does not exist. Create it, or correct its name."),
  /** 404 for an object. */
  NOT_FOUND("There is no such object. It may have been deleted meanwhile."),
  /** 422: the object violates the schema or the rules of its type. */
  INVALID(
      "The object breaks a rule of its type. Change what the answer names; if it names a field that"
          + " is right, compare the class with the CRD."),
  /** The response of the server does not fit the class. */
  CLASS_MISMATCH(
      "The answer does not fit the class. Compare the class with the schema of the CRD."),
  /** An admission webhook or a policy rejected the request. */
  ADMISSION_REFUSED(
      "A policy or an admission webhook of the cluster refuses this. Change the object as the"
          + " answer says, or ask those who made the rule."),
  /** An admission or conversion webhook did not respond. */
  WEBHOOK_FAILED(
      "A webhook that the cluster asks first does not answer. Repair the webhook that the answer"
          + " names, or remove its configuration."),
  /** 403 by a ResourceQuota. */
  QUOTA_EXCEEDED(
      "A ResourceQuota of the namespace is used up. Raise it, or delete what is not needed."),
  /** 403 because the namespace is being deleted. */
  NAMESPACE_TERMINATING(
      "The namespace is being deleted and takes no new objects. Wait until it is gone, or use"
          + " another one."),
  /** 409: the object was changed by another writer first. */
  CONFLICT(
      "The object has changed since it was read. Read it again and repeat the change; a reconciler"
          + " that fails with this is called again."),
  /** 409: the name is taken. */
  ALREADY_EXISTS("An object of this name exists already. Read it, and update it if it is yours."),
  /** 409: another manager owns fields that an apply sets. */
  FIELD_CONFLICT(
      "Another field manager owns some of these fields. Leave them out, or force the apply if they"
          + " are to be yours."),
  /** 429, or 503 with Retry-After. */
  TOO_MANY_REQUESTS("The server asks for fewer requests."),
  /** 429 by a PodDisruptionBudget. */
  DISRUPTION_BUDGET(
      "A PodDisruptionBudget allows no eviction now. Wait until enough of its Pods are ready."),
  /** 5xx. */
  SERVER_ERROR("The server has trouble of its own."),
  /**
   * 504 with the cause {@code ResourceVersionTooLarge}: the server lags behind, or was restored
   * from a backup.
   */
  VERSION_TOO_LARGE("The server is behind the last known version."),
  /** 410: the resource version is too old to resume from. */
  EXPIRED("The changes since the last known version are gone; everything is listed anew."),
  /** 400, 405, 415 and the like. */
  BAD_REQUEST("The server does not accept the request as it is."),
  /** The response is not JSON, or ended prematurely. */
  MALFORMED("The answer is not what an API server sends."),
  /** Nothing arrived for too long. */
  TIMEOUT("Nothing arrived for too long; the connection is given up."),
  /** The framework itself failed. */
  INTERNAL("Something in this process failed; see the log."),
  /** Anything else. */
  OTHER("The request was refused.");

  /** The placeholder for the missing permission in a sentence. */
  static final String RIGHT = "{right}";

  private final String sentence;

  Trouble(String sentence) {
    this.sentence = sentence;
  }

  /**
   * Returns what it means and what to do; contains {@code {right}} where {@link Advice} names the
   * permission.
   */
  public String sentence() {
    return sentence;
  }
}
