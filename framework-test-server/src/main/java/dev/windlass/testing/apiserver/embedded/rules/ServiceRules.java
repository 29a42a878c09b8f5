// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import java.util.List;
import java.util.function.Supplier;

/** The validation rules for Services, and the allocation of their addresses. */
final class ServiceRules {
  private static final String EXTERNAL = "ExternalName";
  private static final String[] TYPES = {"ClusterIP", EXTERNAL, "LoadBalancer", "NodePort"};

  /** The fields that a Service of the type ExternalName does not have. */
  private static final List<String> CLUSTER_FIELDS =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");

  private ServiceRules() {}

  private static void put(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }

  private static boolean isExternal(JsonNode spec) {
    return spec.path("type").asText().equals(EXTERNAL);
  }

  /**
   * Allocates the addresses of a Service.
   *
   * @param old the object before the write; an empty object for a create
   */
  static void allocate(ObjectNode old, ObjectNode service, Supplier<String> addresses) {
    ObjectNode spec = service.withObject("/spec");
    JsonNode before = old.path("spec");
    if (isExternal(spec)) {
      if (!old.isEmpty() && !isExternal(before)) {
        CLUSTER_FIELDS.forEach(
            field -> {
              if (spec.path(field).equals(before.path(field))) {
                spec.remove(field);
              }
            });
      }
      return;
    }
    if (!spec.has("clusterIP")) {
      JsonNode known = before.path("clusterIP");
      put(spec, "clusterIP", known.isTextual() ? known.asText() : addresses.get());
    }
    if (!spec.has("clusterIPs") || !before.path("clusterIP").equals(spec.path("clusterIP"))) {
      spec.putArray("clusterIPs").add(spec.path("clusterIP"));
    }
    boolean free =
        spec.path("clusterIP").asText().equals("None") && spec.path("selector").isEmpty();
    if (!spec.has("ipFamilyPolicy") && before.has("ipFamilyPolicy")) {
      spec.set("ipFamilyPolicy", before.path("ipFamilyPolicy"));
    }
    put(spec, "ipFamilyPolicy", free ? "RequireDualStack" : "SingleStack");
    if (!spec.has("ipFamilies") && before.has("ipFamilies")) {
      spec.set("ipFamilies", before.path("ipFamilies"));
    } else if (!spec.has("ipFamilies")) {
      spec.putArray("ipFamilies").add("IPv4");
      if (free) {
        spec.withArray("ipFamilies").add("IPv6");
      }
    }
  }

  /**
   * Validates a Service.
   *
   * @param old the object before the write; an empty object for a create
   */
  static void validate(ObjectNode old, FieldChecks service) {
    FieldChecks checks = service.in("spec");
    JsonNode spec = checks.object();
    JsonNode before = old.path("spec");
    boolean external = isExternal(spec);
    boolean headless = checks.text("clusterIP").equals("None");
    boolean moved =
        before.has("clusterIP") && !before.path("clusterIP").equals(spec.path("clusterIP"));
    checks.check(
        !moved || external || isExternal(before), "clusterIPs[0]", "may not change once set");
    if (!external && !headless) {
      checks.require("ports");
    }
    checks.oneOf("sessionAffinity", "ClientIP", "None").oneOf("type", TYPES);
    checks.forbid(
        old.isEmpty() && external && spec.has("clusterIP"),
        "clusterIPs",
        "may not be set for ExternalName services");
    boolean free = headless && spec.path("selector").isEmpty();
    for (String field : List.of("ipFamilyPolicy", "ipFamilies[1]")) {
      checks.check(free || spec.path("ipFamilies").size() < 2, field, "there is no IPv6 here");
    }
    if (external) {
      checks.require("externalName");
    }
    for (FieldChecks port : checks.each("ports")) {
      if (spec.path("ports").size() > 1) {
        port.require("name");
      }
      port.port("port");
      port.oneOf("protocol", "SCTP", "TCP", "UDP");
      if (!port.object().path("targetPort").isTextual()) {
        port.port("targetPort");
      }
    }
    checks.unique("ports", "name");
  }

  /** Validates the status of a Service. */
  static void ofStatus(FieldChecks service) {
    FieldChecks balancer = service.in("status").in("loadBalancer");
    balancer.forbid(
        !balancer.object().path("ingress").isEmpty()
            && !service.in("spec").text("type").equals("LoadBalancer"),
        "ingress",
        "may only be used when `spec.type` is 'LoadBalancer'");
  }
}
