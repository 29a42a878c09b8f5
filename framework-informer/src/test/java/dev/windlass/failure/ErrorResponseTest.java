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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What API servers answer, as recorded, and what it means. */
final class ErrorResponseTest {

  private record Case(int code, String body, FailureCause problem) {}

  private static Case refused(
      int code, String reason, String message, String details, FailureCause problem) {
    String body =
        """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s",
         "reason":"%s","details":{%s},"code":%d}"""
            .formatted(message, reason, details, code);
    return new Case(code, body, problem);
  }

  static Stream<Case> recorded() {
    return Stream.of(
        refused(401, "Unauthorized", "Unauthorized", "", FailureCause.UNAUTHORIZED),
        refused(
            403,
            "Forbidden",
            "pods is forbidden: User \\\"jane\\\" cannot list resource \\\"pods\\\" in API group"
                + " \\\"\\\" in the namespace \\\"shop\\\"",
            "\"kind\":\"pods\"",
            FailureCause.FORBIDDEN),
        refused(
            403,
            "Forbidden",
            "foos.windlass.dev is forbidden: User \\\"system:anonymous\\\" cannot list resource"
                + " \\\"foos\\\" in API group \\\"windlass.dev\\\" at the cluster scope",
            "\"kind\":\"foos\"",
            FailureCause.ANONYMOUS),
        refused(
            403,
            "Forbidden",
            "configmaps \\\"a\\\" is forbidden: exceeded quota: q, requested: count/configmaps=1,"
                + " used: count/configmaps=1, limited: count/configmaps=1",
            "\"name\":\"a\",\"kind\":\"configmaps\"",
            FailureCause.QUOTA_EXCEEDED),
        refused(
            403,
            "Forbidden",
            "configmaps \\\"a\\\" is forbidden: unable to create new content in namespace shop"
                + " because it is being terminated",
            "\"name\":\"a\",\"kind\":\"configmaps\",\"causes\":[{\"reason\":\"NamespaceTerminating\","
                + "\"message\":\"namespace shop is being terminated\",\"field\":\"metadata.namespace\"}]",
            FailureCause.NAMESPACE_TERMINATING),
        refused(
            403,
            "Forbidden",
            "admission webhook \\\"w.example.com\\\" denied the request: not on Fridays",
            "",
            FailureCause.ADMISSION_REFUSED),
        refused(
            422,
            "Invalid",
            "configmaps \\\"a\\\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b'"
                + " denied request: no",
            "\"name\":\"a\",\"kind\":\"configmaps\"",
            FailureCause.ADMISSION_REFUSED),
        refused(
            500,
            "InternalError",
            "Internal error occurred: failed calling webhook \\\"w.example.com\\\": failed to call"
                + " webhook: Post \\\"https://w.example.com\\\": connection refused",
            "\"causes\":[{\"message\":\"failed calling webhook\"}]",
            FailureCause.WEBHOOK_FAILED),
        refused(
            404,
            "NotFound",
            "configmaps \\\"a\\\" not found",
            "\"name\":\"a\",\"kind\":\"configmaps\"",
            FailureCause.NOT_FOUND),
        refused(
            404,
            "NotFound",
            "namespaces \\\"shop\\\" not found",
            "\"name\":\"shop\",\"kind\":\"namespaces\"",
            FailureCause.NAMESPACE_MISSING),
        new Case(404, "404 page not found\n", FailureCause.UNKNOWN_TYPE),
        refused(
            404,
            "NotFound",
            "the server could not find the requested resource",
            "",
            FailureCause.UNKNOWN_TYPE),
        new Case(
            404, "{\"message\":\"no Route matched with those values\"}", FailureCause.MALFORMED),
        refused(
            405,
            "MethodNotAllowed",
            "watch is not supported on resources of kind \\\"componentstatuses\\\"",
            "\"kind\":\"componentstatuses\"",
            FailureCause.NO_WATCH),
        refused(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
            "",
            FailureCause.BAD_REQUEST),
        refused(
            403,
            "Forbidden",
            "pods \\\"a\\\" is forbidden: violates PodSecurity \\\"restricted:latest\\\": hostPath",
            "\"name\":\"a\",\"kind\":\"pods\"",
            FailureCause.ADMISSION_REFUSED),
        refused(
            403,
            "Forbidden",
            "foos \\\"a\\\" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers"
                + " to a resource you can't set finalizers on: , <nil>",
            "\"name\":\"a\",\"kind\":\"foos\"",
            FailureCause.FORBIDDEN),
        refused(
            409,
            "Conflict",
            "Operation cannot be fulfilled on configmaps \\\"a\\\": the object has been modified",
            "\"name\":\"a\",\"kind\":\"configmaps\"",
            FailureCause.CONFLICT),
        refused(
            409,
            "AlreadyExists",
            "configmaps \\\"a\\\" already exists",
            "\"name\":\"a\",\"kind\":\"configmaps\"",
            FailureCause.ALREADY_EXISTS),
        refused(
            409,
            "Conflict",
            "Apply failed with 1 conflict: conflict with \\\"other\\\" using v1: .data.a",
            "\"causes\":[{\"reason\":\"FieldManagerConflict\",\"field\":\".data.a\"}]",
            FailureCause.FIELD_CONFLICT),
        refused(410, "Expired", "too old resource version: 1 (9)", "", FailureCause.EXPIRED),
        refused(
            422,
            "Invalid",
            "Widget.owned.windlass.dev \\\"a\\\" is invalid: spec.size: Invalid value",
            "\"name\":\"a\",\"kind\":\"Widget\",\"causes\":[{\"reason\":\"FieldValueTypeInvalid\"}]",
            FailureCause.INVALID),
        refused(
            429,
            "TooManyRequests",
            "Cannot evict pod as it would violate the pod's disruption budget.",
            "\"causes\":[{\"reason\":\"DisruptionBudget\"}]",
            FailureCause.DISRUPTION_BUDGET),
        new Case(429, "Too many requests, please try again later.", FailureCause.TOO_MANY_REQUESTS),
        refused(
            504,
            "Timeout",
            "Timeout: Too large resource version: 90, current: 9",
            "\"causes\":[{\"reason\":\"ResourceVersionTooLarge\"}]",
            FailureCause.VERSION_TOO_LARGE),
        refused(400, "BadRequest", "unable to decode", "", FailureCause.BAD_REQUEST),
        refused(503, "ServiceUnavailable", "no", "", FailureCause.SERVER_ERROR),
        new Case(418, "", FailureCause.OTHER));
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void saysWhatItMeans(Case c) {
    Status status =
        c.body().startsWith("{") ? Serialization.unmarshal(c.body(), Status.class) : null;
    assertThat(ErrorResponse.of(c.code(), status).problem()).isEqualTo(c.problem());
    assertThat(FailureAdvice.of(new KubernetesClientException("x", c.code(), status)))
        .hasValueSatisfying(advice -> assertThat(advice.problem()).isEqualTo(c.problem()));
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
