// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The validation rules for Services, and the allocation of their addresses. */
final class ServiceRules {
  private static final String EXTERNAL = "ExternalName";
  private static final List<String> TYPES =
      List.of("ClusterIP", EXTERNAL, "LoadBalancer", "NodePort");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

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
   * Validates a Service and returns the errors.
   *
   * @param old the object before the write; an empty object for a create
   */
  static List<FieldError> validate(ObjectNode old, ObjectNode service) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode spec = service.path("spec");
    JsonNode before = old.path("spec");
    if (!isExternal(before)
        && !isExternal(spec)
        && before.has("clusterIP")
        && !before.path("clusterIP").equals(spec.path("clusterIP"))) {
      errors.add(
          FieldError.invalid(
              "spec.clusterIPs[0]", spec.path("clusterIPs"), "may not change once set"));
    }
    JsonNode ports = spec.path("ports");
    boolean headless = spec.path("clusterIP").asText().equals("None");
    if (ports.isEmpty() && !isExternal(spec) && !headless) {
      errors.add(FieldError.required("spec.ports", ""));
    }
    unsupported(
        "spec.sessionAffinity", spec.path("sessionAffinity"), List.of("ClientIP", "None"), errors);
    unsupported("spec.type", spec.path("type"), TYPES, errors);
    if (old.isEmpty() && isExternal(spec) && spec.has("clusterIP")) {
      errors.add(
          FieldError.forbidden("spec.clusterIPs", "may not be set for ExternalName services"));
    }
    if (spec.path("ipFamilies").size() > 1 && !(headless && spec.path("selector").isEmpty())) {
      String dual = spec.path("ipFamilyPolicy").asText();
      String why = "this cluster is not configured for dual-stack services";
      errors.add(FieldError.invalid("spec.ipFamilyPolicy", FieldError.quoted(dual), why));
      why = "not configured on this cluster";
      errors.add(FieldError.invalid("spec.ipFamilies[1]", "\"IPv6\"", why));
    }
    if (isExternal(spec) && spec.path("externalName").asText("").isEmpty()) {
      errors.add(FieldError.required("spec.externalName", ""));
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      port(ports.get(i), "spec.ports[" + i + "].", ports.size() > 1, names, errors);
    }
    return errors;
  }

  /** Validates the status of a Service and returns the errors. */
  static List<FieldError> ofStatus(ObjectNode service) {
    boolean balanced = service.path("spec").path("type").asText().equals("LoadBalancer");
    return balanced || service.path("status").path("loadBalancer").path("ingress").isEmpty()
        ? List.of()
        : List.of(
            FieldError.forbidden(
                "status.loadBalancer.ingress",
                "may only be used when `spec.type` is 'LoadBalancer'"));
  }

  private static void port(
      JsonNode port, String path, boolean named, Set<String> names, List<FieldError> errors) {
    String name = port.path("name").asText("");
    if (name.isEmpty() && named) {
      errors.add(FieldError.required(path + "name", ""));
    } else if (!name.isEmpty() && !names.add(name)) {
      errors.add(FieldError.duplicate(path + "name", FieldError.quoted(name)));
    }
    number(path + "port", port.path("port"), errors);
    unsupported(path + "protocol", port.path("protocol"), PROTOCOLS, errors);
    if (!port.path("targetPort").isTextual()) {
      number(path + "targetPort", port.path("targetPort"), errors);
    }
  }

  private static void number(String path, JsonNode value, List<FieldError> errors) {
    if (value.asInt() < 1 || value.asInt() > 65535) {
      String shown = Integer.toString(value.asInt());
      errors.add(FieldError.invalid(path, shown, "must be between 1 and 65535, inclusive"));
    }
  }

  private static void unsupported(
      String path, JsonNode value, List<String> supported, List<FieldError> errors) {
    if (!supported.contains(value.asText())) {
      errors.add(FieldError.unsupported(path, FieldError.quoted(value.asText()), supported));
    }
  }
}
