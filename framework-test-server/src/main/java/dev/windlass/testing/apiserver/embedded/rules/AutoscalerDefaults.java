// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The defaults of a HorizontalPodAutoscaler, as in {@code autoscaling/v2/defaults.go}. */
final class AutoscalerDefaults {
  private static final int CPU_PERCENT = 80;
  private static final int ALL = 100;
  private static final int PODS = 4;
  private static final int SECONDS = 15;

  private AutoscalerDefaults() {}

  static void apply(ObjectNode spec) {
    new Defaults(spec).put("minReplicas", 1);
    if (spec.path("metrics").isEmpty()) {
      ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
      metric
          .putObject("resource")
          .put("name", "cpu")
          .putObject("target")
          .put("type", "Utilization")
          .put("averageUtilization", CPU_PERCENT);
    }
    if (spec.get("behavior") instanceof ObjectNode behaviour) {
      ObjectNode up = rules(behaviour, "scaleUp");
      new Defaults(up).put("stabilizationWindowSeconds", 0);
      if (!up.has("policies")) {
        ArrayNode policies = up.putArray("policies");
        policy(policies, "Pods", PODS);
        policy(policies, "Percent", ALL);
      }
      ObjectNode down = rules(behaviour, "scaleDown");
      if (!down.has("policies")) {
        policy(down.putArray("policies"), "Percent", ALL);
      }
    }
  }

  private static ObjectNode rules(ObjectNode behaviour, String direction) {
    return new Defaults(behaviour).in(direction).put("selectPolicy", "Max").object();
  }

  private static void policy(ArrayNode policies, String type, int value) {
    policies.addObject().put("type", type).put("value", value).put("periodSeconds", SECONDS);
  }
}
