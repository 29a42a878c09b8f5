// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import dev.windlass.failure.CauseChain;
import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Applies CRDs one after another, and resolves conflicts with other field managers. This record is
 * immutable.
 *
 * <p>The first request to apply a CRD does not force changes. If other field managers have set
 * fields to different values, the API server rejects the request and names these fields. This
 * record keeps the webhook conversion that another manager has configured, because objects would be
 * damaged without it. If any other field conflicts, this record takes over the field or throws an
 * exception, depending on {@code takesOver}.
 *
 * @param server the API server
 * @param takesOver whether to take over fields from other managers
 */
record CrdApply(CrdServer server, boolean takesOver) {

  /** The type of a status cause that names a conflicting field ({@code metav1.CauseType}). */
  private static final String CONFLICT = "FieldManagerConflict";

  /** The status of a response to an object that is not valid. */
  private static final int UNPROCESSABLE = 422;

  private static final String CONVERSION = ".spec.conversion";

  /** The maximum number of conflicting fields that an error message names. */
  private static final int NAMED = 3;

  /**
   * Applies a CRD.
   *
   * @throws IllegalStateException if the API server rejects the CRD, or if a field other than the
   *     conversion conflicts and {@code takesOver} is false
   */
  void run(CrdFile file) {
    try {
      apply(file);
    } catch (KubernetesClientException e) {
      throw failure("apply", file.name(), e);
    }
  }

  private void apply(CrdFile file) {
    try {
      apply(file.crd(), file.name());
    } catch (KubernetesClientException e) {
      CustomResourceConversion known =
          e.getCode() == UNPROCESSABLE ? conversionOfServer(file.name()) : null;
      if (known == null || isCalledAlike(known, file.crd().getSpec().getConversion())) {
        throw e;
      }
      // A URL and a Service do not conflict as fields, but the server rejects a CRD with both.
      apply(with(file.crd(), known), file.name());
    }
  }

  /** Returns whether two conversions are both called by a URL, or both through a Service. */
  private static boolean isCalledAlike(
      CustomResourceConversion one, @Nullable CustomResourceConversion other) {
    return other == null
        || other.getWebhook() == null
        || other.getWebhook().getClientConfig() == null
        || (one.getWebhook().getClientConfig().getUrl() == null)
            == (other.getWebhook().getClientConfig().getUrl() == null);
  }

  private void apply(CustomResourceDefinition crd, String name) {
    try {
      server.apply(crd, false);
    } catch (KubernetesClientException e) {
      List<StatusCause> conflicts = conflicts(e);
      if (conflicts.isEmpty()) {
        throw e;
      }
      List<StatusCause> others =
          conflicts.stream().filter(conflict -> !isConversion(conflict)).toList();
      if (!others.isEmpty() && !takesOver) {
        throw new IllegalStateException(managedByOthers(name, others), e);
      }
      CustomResourceConversion known =
          others.size() < conflicts.size() ? conversionOfServer(name) : null;
      server.apply(known == null ? crd : with(crd, known), known == null || !others.isEmpty());
    }
  }

  private static List<StatusCause> conflicts(KubernetesClientException e) {
    Status status = e.getStatus();
    return e.getCode() != HttpURLConnection.HTTP_CONFLICT
            || status == null
            || status.getDetails() == null
        ? List.of()
        : status.getDetails().getCauses().stream()
            .filter(cause -> CONFLICT.equals(cause.getReason()))
            .toList();
  }

  private static boolean isConversion(StatusCause conflict) {
    String field = conflict.getField();
    return field.equals(CONVERSION) || field.startsWith(CONVERSION + ".");
  }

  /**
   * Returns the conversion by webhook of the CRD on the server, or null if there is none. The
   * result omits the {@code caBundle}, because the owner of the conversion renews it.
   */
  private @Nullable CustomResourceConversion conversionOfServer(String name) {
    CustomResourceDefinition found = server.get(name);
    CustomResourceConversion conversion = found == null ? null : found.getSpec().getConversion();
    if (conversion == null || conversion.getWebhook() == null) {
      return null;
    }
    conversion.getWebhook().getClientConfig().setCaBundle(null);
    return conversion;
  }

  private static CustomResourceDefinition with(
      CustomResourceDefinition crd, CustomResourceConversion conversion) {
    return new CustomResourceDefinitionBuilder(crd)
        .editSpec()
        .withConversion(conversion)
        .endSpec()
        .build();
  }

  private static String managedByOthers(String name, List<StatusCause> conflicts) {
    String fields =
        conflicts.stream()
            .limit(NAMED)
            .map(conflict -> conflict.getField() + " (" + conflict.getMessage() + ")")
            .collect(Collectors.joining(", "));
    return "other field managers have set fields of the CRD %s to other values: %s%s; apply the new CRD by the program that manages it, or take over these fields (CrdInstallation.takeOver(), --install-crds=force)"
        .formatted(
            name,
            OneLine.of(fields, 400),
            conflicts.size() > NAMED ? " and " + (conflicts.size() - NAMED) + " more" : "");
  }

  /** Returns the server's message, or the transport's message if there was no response. */
  private static String reason(KubernetesClientException e) {
    return CauseChain.of(e)
        .filter(cause -> e.getCode() <= 0 && cause instanceof IOException)
        .reduce((outer, inner) -> inner)
        .map(cause -> "the API server did not respond: " + cause.getMessage())
        .orElse(String.valueOf(e.getMessage()));
  }

  /** Returns the error for a request that failed. */
  static IllegalStateException failure(String what, String name, KubernetesClientException e) {
    String message = OneLine.of(reason(e), 300);
    return new IllegalStateException(
        e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
            ? "permission to install the CRD %s denied; the program needs get, create and patch on it (CrdInstallation.permissions(), --install-crds --print-rbac), unless an administrator applies the CRD (%s)"
                .formatted(name, message)
            : "failed to %s the CRD %s: %s".formatted(what, name, message),
        e);
  }
}
