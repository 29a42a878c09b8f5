// SPDX-License-Identifier: Apache-2.0
package dev.windlass.trouble;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong and what to do about it, for a person. Immutable.
 *
 * @param trouble what is wrong
 * @param access what was asked for; named if a right for it is missing
 */
public record Advice(Trouble trouble, Access access) {

  /** How deep causes are looked at: they may form a circle. */
  private static final int MAX_CAUSES = 20;

  /** Of a resource that comes with Kubernetes, there is no CRD to install. */
  private static final String UNKNOWN_BUILT_IN =
      "The server does not know this resource, which comes with Kubernetes and has no CRD. Correct"
          + " the version of the class, or use a server that has it.";

  /**
   * What to do about an exception of fabric8's client, or one that was caused by such; nothing if
   * it says neither what the server answered nor that none could be reached.
   */
  public static Optional<Advice> of(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof KubernetesClientException e) {
        return e.getCode() > 0
            ? Optional.of(of(Refusal.of(e.getCode(), e.getStatus()).trouble()))
            : NoAnswer.isKnown(e) ? Optional.of(of(NoAnswer.of(e))) : Optional.empty();
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** Advice to somebody who knows what was asked for. */
  public static Advice of(Trouble trouble) {
    return new Advice(trouble, Access.UNKNOWN);
  }

  /** The same advice, with the request in it if what to do depends on that. */
  public Advice about(Access request) {
    return trouble == Trouble.FORBIDDEN || trouble == Trouble.UNKNOWN_TYPE
        ? new Advice(trouble, request)
        : this;
  }

  /** One to three sentences; they quote nothing that came over the network. */
  @Override
  public String toString() {
    if (trouble == Trouble.UNKNOWN_TYPE && access.isBuiltIn()) {
      return UNKNOWN_BUILT_IN;
    }
    return trouble.sentence().replace(Trouble.RIGHT, access.toString());
  }
}
