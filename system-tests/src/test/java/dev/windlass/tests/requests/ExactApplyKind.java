// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Of what type the object of a sequence is: without defaults, with many, and a custom resource. */
enum ExactApplyKind {
  CONFIG_MAP(ConfigMap.class, "", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","),
  DEPLOYMENT(Deployment.class, "replicas", "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","),
  WIDGET(Widget.class, "ready", "{\"apiVersion\":\"owned.windlass.dev/v1\",\"kind\":\"Widget\",");

  final Class<? extends HasMetadata> type;
  final boolean hasStatus;
  private final String ofStatus;
  final String header;

  ExactApplyKind(Class<? extends HasMetadata> type, String ofStatus, String header) {
    this.type = type;
    this.hasStatus = !ofStatus.isEmpty();
    this.ofStatus = ofStatus;
    this.header = header;
  }

  /**
   * A configuration that is complete. It names some field: to an object of which nobody owns a
   * field, such as one that was created by an apply of nothing, the server adds an entry for what
   * was there before the first apply, whenever nothing is applied.
   */
  String wanted(Random random) {
    return content(random, true);
  }

  /** What others write: some fields of the same, and some of their own. */
  String foreign(Random random) {
    if (random.nextBoolean()) {
      String labels = "{\"metadata\":{\"labels\":%s}".formatted(map(random, "o"));
      return this == DEPLOYMENT && random.nextBoolean()
          ? labels
              + ",\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"a\"}},\"template\":{\"metadata\":"
              + "{\"labels\":{\"app\":\"a\"}},\"spec\":{\"containers\":["
              + container(random, "extra")
              + "]}}}}"
          : labels + "}";
    }
    return content(random, this == DEPLOYMENT && random.nextInt(3) == 0);
  }

  /**
   * Some status. Without zeros, which a Deployment does not keep: the server puts the entry of an
   * apply that names one at another place each time, and makes a new version for that.
   */
  String status(Random random) {
    return "{\"status\":{\"%s\":%d}}".formatted(ofStatus, 1 + random.nextInt(2));
  }

  private String content(Random random, boolean complete) {
    String metadata = metadata(random);
    return switch (this) {
      case CONFIG_MAP -> {
        String data = map(random, "k");
        boolean nothing = metadata.equals(NO_METADATA) && data.equals("{}");
        yield "{%s,\"data\":%s}".formatted(metadata, nothing ? "{\"k0\":\"0\"}" : data);
      }
      case WIDGET ->
          "{%s,\"spec\":{\"size\":%d,\"parts\":%s}}"
              .formatted(metadata, random.nextInt(3), parts(random));
      case DEPLOYMENT ->
          complete
              ? "{%s,\"spec\":{%s%s,\"template\":%s}}"
                  .formatted(
                      metadata,
                      random.nextBoolean() ? "\"replicas\":" + random.nextInt(3) + "," : "",
                      "\"selector\":{\"matchLabels\":{\"app\":\"a\"}}",
                      requesting(template(random), random))
              : "{%s,\"spec\":{\"replicas\":%d,\"selector\":{\"matchLabels\":{\"app\":\"a\"}},\"template\":%s}}"
                  .formatted(metadata, random.nextInt(3), template(random));
    };
  }

  private static final String NO_METADATA = "\"metadata\":{\"labels\":{},\"annotations\":{}}";

  private static String metadata(Random random) {
    return "\"metadata\":{\"labels\":%s,\"annotations\":%s}"
        .formatted(map(random, "l"), map(random, "n"));
  }

  /** Up to three keys with one of two values. */
  private static String map(Random random, String prefix) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      if (random.nextInt(3) > 0) {
        fields.add("\"%s%d\":\"%d\"".formatted(prefix, i, random.nextInt(2)));
      }
    }
    return "{" + String.join(",", fields) + "}";
  }

  private static String parts(Random random) {
    return random.nextBoolean() ? "[\"x\"]" : "[\"x\",\"y\"]";
  }

  private static String template(Random random) {
    List<String> containers = new ArrayList<>();
    containers.add(container(random, "main"));
    if (random.nextInt(3) == 0) {
      containers.add(container(random, "side"));
    }
    return "{\"metadata\":{\"labels\":{\"app\":\"a\"}},\"spec\":{\"containers\":[%s]}}"
        .formatted(String.join(",", containers));
  }

  /**
   * The template with a request that nobody else makes. The server keeps another text for it, so an
   * apply of the request takes it away from all other managers.
   */
  private static String requesting(String template, Random random) {
    String request = "\"resources\":{\"requests\":{\"memory\":\"1024Mi\"},";
    return random.nextBoolean() ? template.replace("\"resources\":{", request) : template;
  }

  /** Whether the server stores a configuration with another text, or with defaults in a whole. */
  static boolean isStoredDifferently(String wanted) {
    return wanted.contains("1024Mi") || wanted.contains("fieldRef");
  }

  private static String container(Random random, String name) {
    List<String> fields = new ArrayList<>();
    fields.add("\"name\":\"%s\",\"image\":\"i%d\"".formatted(name, random.nextInt(2)));
    if (random.nextBoolean()) {
      fields.add("\"args\":" + parts(random));
    }
    if (random.nextBoolean()) {
      fields.add("\"ports\":[{\"containerPort\":80}]");
    }
    if (random.nextInt(4) == 0) {
      fields.add(
          "\"env\":[{\"name\":\"f\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.name\"}}}]");
    } else if (random.nextBoolean()) {
      fields.add(
          "\"env\":[{\"name\":\"e%d\",\"value\":\"%d\"}]"
              .formatted(random.nextInt(2), random.nextInt(2)));
    }
    if (random.nextInt(4) == 0) {
      fields.add("\"resources\":{\"limits\":{\"cpu\":\"500m\"}}");
    }
    return "{" + String.join(",", fields) + "}";
  }
}
