// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertPathBuilderException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What API servers answer, as recorded, and what it means. */
final class ErrorResponseTest {

  private static void assertMeans(FailureCause problem, int code, @Nullable Status status) {
    assertThat(ErrorResponse.of(code, status).problem()).isEqualTo(problem);
    assertThat(FailureAdvice.of(new KubernetesClientException("x", code, status)))
        .hasValueSatisfying(advice -> assertThat(advice.problem()).isEqualTo(problem));
  }

  /** Code, reason, meaning, message and details. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          400 | BadRequest | BAD_REQUEST | unable to decode | -
          401 | Unauthorized | UNAUTHORIZED | Unauthorized | -
          403 | Forbidden | FORBIDDEN | pods is forbidden: User "jane" cannot list resource \
          "pods" in API group "" in the namespace "shop" | "kind":"pods"
          403 | Forbidden | FORBIDDEN | foos "a" is forbidden: cannot set blockOwnerDeletion if an \
          ownerReference refers to a resource you can't set finalizers on: , <nil> \
          | "name":"a","kind":"foos"
          403 | Forbidden | ANONYMOUS | foos.windlass.dev is forbidden: User "system:anonymous" \
          cannot list resource "foos" in API group "windlass.dev" at the cluster scope | "kind":"foos"
          403 | Forbidden | QUOTA_EXCEEDED | configmaps "a" is forbidden: exceeded quota: q, \
          requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1 \
          | "name":"a","kind":"configmaps"
          403 | Forbidden | NAMESPACE_TERMINATING | configmaps "a" is forbidden: unable to create \
          new content in namespace shop because it is being terminated \
          | "name":"a","kind":"configmaps","causes":[{"reason":"NamespaceTerminating",\
          "message":"namespace shop is being terminated","field":"metadata.namespace"}]
          403 | Forbidden | ADMISSION_REFUSED | admission webhook "w.example.com" denied the \
          request: not on Fridays | -
          403 | Forbidden | ADMISSION_REFUSED | pods "a" is forbidden: violates PodSecurity \
          "restricted:latest": hostPath | "name":"a","kind":"pods"
          404 | NotFound | NOT_FOUND | configmaps "a" not found | "name":"a","kind":"configmaps"
          404 | NotFound | NAMESPACE_MISSING | namespaces "shop" not found \
          | "name":"shop","kind":"namespaces"
          404 | NotFound | UNKNOWN_TYPE | the server could not find the requested resource | -
          405 | MethodNotAllowed | NO_WATCH | watch is not supported on resources of kind \
          "componentstatuses" | "kind":"componentstatuses"
          405 | MethodNotAllowed | BAD_REQUEST | the server does not allow this method on the \
          requested resource | -
          409 | Conflict | CONFLICT | Operation cannot be fulfilled on configmaps "a": the object \
          has been modified | "name":"a","kind":"configmaps"
          409 | AlreadyExists | ALREADY_EXISTS | configmaps "a" already exists \
          | "name":"a","kind":"configmaps"
          409 | Conflict | FIELD_CONFLICT | Apply failed with 1 conflict: conflict with "other" \
          using v1: .data.a | "causes":[{"reason":"FieldManagerConflict","field":".data.a"}]
          410 | Expired | EXPIRED | too old resource version: 1 (9) | -
          422 | Invalid | ADMISSION_REFUSED | configmaps "a" is forbidden: ValidatingAdmissionPolicy \
          'p' with binding 'b' denied request: no | "name":"a","kind":"configmaps"
          422 | Invalid | INVALID | Widget.owned.windlass.dev "a" is invalid: spec.size: Invalid \
          value | "name":"a","kind":"Widget","causes":[{"reason":"FieldValueTypeInvalid"}]
          429 | TooManyRequests | DISRUPTION_BUDGET | Cannot evict pod as it would violate the \
          pod's disruption budget. | "causes":[{"reason":"DisruptionBudget"}]
          500 | InternalError | WEBHOOK_FAILED | Internal error occurred: failed calling webhook \
          "w.example.com": failed to call webhook: Post "https://w.example.com": connection refused \
          | "causes":[{"message":"failed calling webhook"}]
          503 | ServiceUnavailable | SERVER_ERROR | no | -
          504 | Timeout | VERSION_TOO_LARGE | Timeout: Too large resource version: 90, current: 9 \
          | "causes":[{"reason":"ResourceVersionTooLarge"}]
          """)
  void saysWhatItMeans(
      int code, String reason, FailureCause problem, String message, String details) {
    String body =
        """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s",
         "reason":"%s","details":{%s},"code":%d}"""
            .formatted(message.replace("\"", "\\\""), reason, details.replace("-", ""), code);
    assertMeans(problem, code, Serialization.unmarshal(body, Status.class));
  }

  @Test
  void saysWhatItMeansWithoutAStatus() {
    assertMeans(FailureCause.UNKNOWN_TYPE, 404, null);
    String others = "{\"message\":\"no Route matched with those values\"}";
    assertMeans(FailureCause.MALFORMED, 404, Serialization.unmarshal(others, Status.class));
    assertMeans(FailureCause.TOO_MANY_REQUESTS, 429, null);
    assertMeans(FailureCause.OTHER, 418, null);
  }

  /** A server-side apply of a new object is a patch, but the right that it lacks can be create. */
  @Test
  void namesTheRightThatTheServerNames() {
    RequiredPermission patch =
        new RequiredPermission(List.of("patch"), "foos", "windlass.dev", "shop");
    Map<String, String> rights =
        Map.of(
            "foos \"a\" is forbidden: User \"jane\" cannot create resource \"foos\" in API group"
                + " \"windlass.dev\" in the namespace \"shop\"",
            "the verb create on foos of the group windlass.dev in namespace shop",
            "nodes is forbidden: User \"jane\" cannot update resource \"nodes/status\" in API group"
                + " \"\" at the cluster scope",
            "the verb update on nodes/status",
            "foos \"a\" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a"
                + " resource you can't set finalizers on: , <nil>",
            "the verb update on the finalizers subresource of the owner's type",
            "roles \"a\" is forbidden: user \"jane\" (groups=[]) is attempting to grant RBAC"
                + " permissions not currently held:\n{APIGroups:[\"\"]}",
            "the verb escalate on this role, or the rights that the response lists",
            "Forbidden",
            patch.toString());
    rights.forEach(
        (message, right) ->
            assertThat(
                    FailureAdvice.of(
                            new ErrorResponse(403, "Forbidden", message, List.of(), "foos", "a"))
                        .about(patch))
                .hasToString(
                    "Permission denied. Grant this identity "
                        + right
                        + " in a Role or ClusterRole."));
  }

  /** An informer whose list was denied needs the watch as well. */
  @Test
  void namesAllThatTheRequestNeedsIfThatIncludesWhatWasDenied() {
    RequiredPermission both =
        new RequiredPermission(List.of("list", "watch"), "foos", "windlass.dev", "");
    String denied =
        "User \"jane\" cannot list resource \"foos\" in API group \"windlass.dev\" at the cluster scope";
    FailureAdvice advice =
        FailureAdvice.of(new ErrorResponse(403, "Forbidden", denied, List.of(), "foos", ""));
    assertThat(advice.about(both))
        .hasToString(FailureAdvice.of(FailureCause.FORBIDDEN).about(both) + "");
    RequiredPermission other =
        new RequiredPermission(List.of("list"), "foos/status", "windlass.dev", "");
    assertThat(advice.about(other).toString()).contains("the verb list on foos of");
  }

  @Test
  void isAbsenceOnlyIfTheServerSaysSoOfThisObject() {
    assertThat(notFound("NotFound", "configmaps", "a").isAbsent("configmaps", "a")).isTrue();
    assertThat(notFound("NotFound", "namespaces", "a").isAbsent("namespaces", "a")).isTrue();
    assertThat(notFound("NotFound", "namespaces", "a").isAbsent("configmaps", "a")).isFalse();
    assertThat(notFound("NotFound", "pods", "a").isAbsent("serviceaccounts", "a")).isFalse();
    assertThat(notFound("NotFound", "configmaps", "b").isAbsent("configmaps", "a")).isFalse();
    assertThat(notFound("", "configmaps", "a").isAbsent("configmaps", "a")).isFalse();
    assertThat(ErrorResponse.of(404).isAbsent("configmaps", "a")).isFalse();
  }

  private static ErrorResponse notFound(String reason, String kind, String name) {
    return new ErrorResponse(404, reason, "", List.of(), kind, name);
  }

  @Test
  void namesTheRightThatIsMissing() {
    RequiredPermission access =
        new RequiredPermission(List.of("list", "watch"), "widgets", "windlass.dev", "shop");
    assertThat(FailureAdvice.of(FailureCause.FORBIDDEN).about(access))
        .hasToString(
            "Permission denied. Grant this identity the verbs list and watch on widgets of the"
                + " group windlass.dev in namespace shop in a Role or ClusterRole.");
    assertThat(
            FailureAdvice.of(FailureCause.FORBIDDEN)
                .about(new RequiredPermission(List.of("get"), "pods", "", "")))
        .hasToString(
            "Permission denied. Grant this identity the verb get on pods in a Role or"
                + " ClusterRole.");
    assertThat(FailureAdvice.of(FailureCause.FORBIDDEN))
        .asString()
        .contains("Grant this identity the verb and the resource that the response names in");
  }

  private record Broken(Throwable failure, FailureCause problem) {}

  static Stream<Broken> broken() {
    return Stream.of(
        new Broken(new ConnectException("refused"), FailureCause.UNREACHABLE),
        new Broken(
            new SSLHandshakeException("cut off").initCause(new EOFException()),
            FailureCause.UNREACHABLE),
        new Broken(
            new SSLHandshakeException("Failed to create SSL connection")
                .initCause(new SslHandshakeTimeoutException("handshake timed out after 10000ms")),
            FailureCause.UNREACHABLE),
        new Broken(new SSLHandshakeException("bad_certificate"), FailureCause.TLS_NOT_TRUSTED),
        new Broken(
            new IOException(
                new SSLHandshakeException("PKIX").initCause(new CertPathBuilderException("no"))),
            FailureCause.TLS_NOT_TRUSTED));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void tellsDistrustFromAbsence(Broken c) {
    assertThat(TransportFailure.of(c.failure())).isEqualTo(c.problem());
    KubernetesClientException wrapped = new KubernetesClientException("x", c.failure());
    assertThat(FailureAdvice.of(new IllegalStateException(wrapped)))
        .hasValueSatisfying(advice -> assertThat(advice.problem()).isEqualTo(c.problem()));
  }

  @Test
  void saysNothingOfOtherFailures() {
    assertThat(FailureAdvice.of(new IllegalStateException("of the user"))).isEmpty();
    assertThat(FailureAdvice.of(new KubernetesClientException("a misuse"))).isEmpty();
  }

  @Test
  void saysOfEachTroubleWhatItMeansInSentences() {
    assertThat(FailureCause.values())
        .allMatch(problem -> problem.sentence().matches("[A-Z].{20,230}\\."))
        .doesNotHaveDuplicates();
    assertThat(Arrays.stream(FailureCause.values()).map(FailureCause::sentence))
        .doesNotHaveDuplicates();
  }

  /** Nobody can install the CRD of what comes with Kubernetes. */
  @Test
  void advisesToInstallACrdOnlyOfWhatHasOne() {
    for (String group : List.of("", "apps", "policy", "networking.k8s.io")) {
      RequiredPermission builtIn =
          new RequiredPermission(List.of("list", "watch"), "things", group, "");
      assertThat(FailureAdvice.of(FailureCause.UNKNOWN_TYPE).about(builtIn).toString())
          .contains("comes with Kubernetes and has no CRD")
          .doesNotContain("Install");
    }
    for (String group : List.of("example.com", "samplecontroller.k8s.io")) {
      RequiredPermission custom =
          new RequiredPermission(List.of("list", "watch"), "things", group, "");
      assertThat(FailureAdvice.of(FailureCause.UNKNOWN_TYPE).about(custom).toString())
          .isEqualTo(FailureCause.UNKNOWN_TYPE.sentence());
    }
  }
}
