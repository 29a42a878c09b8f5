// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * A human-readable explanation of a failure and its remedy. Instances are immutable.
 *
 * @param problem the cause of the failure
 * @param access the permission that the failed request requires; the explanation contains it if the
 *     permission is missing
 */
public record FailureAdvice(FailureCause problem, RequiredPermission access) {

  /**
   * The advice for a built-in resource that the server does not serve. Unlike the advice for custom
   * resources, it does not suggest that a CRD be installed.
   */
  private static final String UNKNOWN_BUILT_IN =
      "The server does not serve this resource, which comes with Kubernetes and has no CRD. Correct"
          + " the version of the class, or use a server that serves it.";

  /**
   * Returns the advice for a failed request of fabric8's client. Returns empty if the exception
   * neither contains the server's response nor indicates that the server could not be reached.
   *
   * @param failure the client's exception, or an exception that was caused by it
   */
  public static Optional<FailureAdvice> of(Throwable failure) {
    return CauseChain.find(failure, KubernetesClientException.class)
        .flatMap(FailureAdvice::ofClient);
  }

  private static Optional<FailureAdvice> ofClient(KubernetesClientException e) {
    if (e.getCode() > 0) {
      return Optional.of(of(ErrorResponse.of(e.getCode(), e.getStatus())));
    }
    return TransportFailure.isKnown(e) ? Optional.of(of(TransportFailure.of(e))) : Optional.empty();
  }

  /** Returns the advice for a cause. It does not name the permission that the request requires. */
  public static FailureAdvice of(FailureCause problem) {
    return new FailureAdvice(problem, RequiredPermission.UNKNOWN);
  }

  /**
   * Returns the advice for an error response. It names the permission that the response names, if
   * there is one: it can differ from the permission that the request seems to require.
   */
  public static FailureAdvice of(ErrorResponse response) {
    FailureCause problem = response.problem();
    return problem == FailureCause.FORBIDDEN
        ? new FailureAdvice(problem, response.lacking())
        : of(problem);
  }

  /**
   * Returns a copy of this advice that names the given permission, unless it names one that the
   * given permission does not include.
   */
  public FailureAdvice about(RequiredPermission request) {
    return access.equals(RequiredPermission.UNKNOWN) || request.includes(access)
        ? new FailureAdvice(problem, request)
        : this;
  }

  /**
   * Returns one to three sentences that explain the failure and its remedy. They do not contain
   * text that was received from the network.
   */
  @Override
  public String toString() {
    if (problem == FailureCause.UNKNOWN_TYPE && access.isBuiltIn()) {
      return UNKNOWN_BUILT_IN;
    }
    return problem
        .sentence()
        .replace(FailureCause.RIGHT, access.toString())
        .replace(FailureCause.SUBRESOURCE, access.resource().replaceFirst("^[^/]*/", ""));
  }
}
