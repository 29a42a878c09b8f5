// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.patch.PatchFormat;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Chooses the operations of one sequence, on few objects of two kinds. */
final class RandomOperations {
  private static final List<Kind> KINDS = Kind.all();
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final List<String> LABELS =
      List.of(
          "app=x",
          "app!=x",
          "app in (x, y)",
          "app notin (x)",
          "app",
          "!app",
          "a=b,app=x",
          "example.com/tier=z",
          "app==y",
          "app in x",
          "a b",
          "=",
          "app=-",
          "app>1");
  private static final List<String> FIELDS =
      List.of(
          "metadata.name=a",
          "metadata.name!=a",
          "metadata.namespace=$ns",
          "type=Opaque",
          "spec.x=y",
          "metadata.name",
          "metadata.name==b,metadata.namespace!=x",
          "status.phase=x",
          "metadata.name=a,metadata.name=b",
          "metadata.uid=x",
          "=a");
  private static final List<String> LIST_OPTIONS =
      List.of(
          "limit=1",
          "limit=2",
          "limit=500",
          "limit=x",
          "limit=-1",
          "resourceVersion=$latest",
          "resourceVersion=x",
          "resourceVersionMatch=NotOlderThan",
          "resourceVersion=$latest&resourceVersionMatch=NotOlderThan",
          "resourceVersion=$latest&resourceVersionMatch=Exact",
          "resourceVersion=$latest&resourceVersionMatch=Bad",
          "resourceVersion=0&resourceVersionMatch=Exact",
          "continue=x",
          "sendInitialEvents=true");
  private static final List<String> DELETE_OPTIONS =
      List.of(
          "{}",
          "{'propagationPolicy':'Foreground'}",
          "{'propagationPolicy':'Orphan'}",
          "{'propagationPolicy':'Background'}",
          "{'propagationPolicy':'Bad'}",
          "{'preconditions':{'uid':'$uid(OBJECT)'}}",
          "{'preconditions':{'uid':'x'}}",
          "{'preconditions':{'resourceVersion':'$rv(OBJECT)'}}",
          "{'preconditions':{'resourceVersion':'$old(OBJECT)'}}",
          "{'preconditions':{'resourceVersion':'$old(OBJECT)'}}",
          "{'preconditions':{'resourceVersion':'$old(OBJECT)'}}",
          "{'gracePeriodSeconds':0}",
          "{'gracePeriodSeconds':30}",
          "{'dryRun':['All']}",
          "{'dryRun':['x']}",
          "{'orphanDependents':true}",
          "{'orphanDependents':true,'propagationPolicy':'Orphan'}",
          "{'kind':'DeleteOptions','apiVersion':'v1'}",
          "[",
          "{'unknown':1}");
  private static final List<String> BROKEN = List.of("", "{");

  private final Random random;
  private int scaled;
  private final Set<Kind> generated = new HashSet<>();

  RandomOperations(long seed) {
    random = new Random(seed);
  }

  /** Returns a sequence of 20 to 40 operations. */
  List<Operation> sequence() {
    List<Kind> kinds = List.of(pick(KINDS), pick(KINDS), KINDS.get(0));
    List<Operation> operations = new ArrayList<>();
    int length = 20 + random.nextInt(21);
    while (operations.size() < length) {
      operations.add(operation(kinds.get(chance(10) ? 2 : random.nextInt(2))));
    }
    return operations;
  }

  private Operation operation(Kind kind) {
    String path = kind.url() + "/" + (chance(2) ? "None" : pick(NAMES));
    boolean hasPart = !kind.subresources().isEmpty() && chance(25);
    String part = hasPart ? pick(kind.subresources()) : "";
    if (chance(2)) {
      part = pick(List.of("/status", "/scale", "/other"));
    }
    int choice = random.nextInt(100);
    if (part.isEmpty() && choice < 22) {
      return create(kind);
    } else if (choice < 38) {
      return update(kind, path + part, part);
    } else if (choice < 70) {
      return patch(kind, path + part, part);
    } else if (choice < 78) {
      return new Operation(
          "GET", path + part + (chance(5) ? "?resourceVersion=$latest" : ""), "-", "");
    } else if (choice < 84) {
      return new Operation("GET", kind.url() + query(selection(true)), "-", "");
    } else if (choice < 93) {
      String options = chance(50) ? "" : pick(DELETE_OPTIONS);
      String object = path.substring(path.indexOf("$ns/") + 4);
      List<String> query = new ArrayList<>();
      add(
          query,
          5,
          pick(List.of("dryRun=All", "dryRun=x")),
          "propagationPolicy=Foreground",
          "gracePeriodSeconds=0");
      String body = options.replace('\'', '"').replace("OBJECT", object);
      return new Operation(
          "DELETE", path + part + query(query), options.isEmpty() ? "-" : "json", body);
    } else if (choice < 95) {
      List<String> query = selection(false);
      add(query, 10, "dryRun=All", "propagationPolicy=Orphan");
      return new Operation("DELETE", kind.url() + query(query), "-", "");
    } else if (choice < 98) {
      List<String> query = selection(false);
      query.add(
          pick(
              List.of(
                  "resourceVersion=$latest",
                  "resourceVersion=$latest&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")));
      return new Operation("WATCH", kind.url() + query(query), "-", "");
    }
    boolean post = chance(50);
    String type = pick(List.of("json", "json", "xml"));
    String at = (post ? kind.url() : path) + "?fieldManager=m1";
    return new Operation(post ? "POST" : "PUT", at, type, pick(BROKEN).replace('\'', '"'));
  }

  private Operation create(Kind kind) {
    ObjectNode object = object(kind, pick(NAMES), "");
    List<String> query = write();
    if (chance(8) && generated.add(kind)) {
      object
          .put("kind", kind.name())
          .withObject("/metadata")
          .put("generateName", "gen-")
          .remove("name");
    } else if (chance(3)) {
      object
          .withObject("/metadata")
          .put("name", pick(List.of("", "Bad", "x.y", "-a", "a/b", "q".repeat(260))));
    }
    boolean named = object.path("metadata").path("name").asText("").matches("[a-c]");
    if (kind.name().equals("Service") && !named && !object.path("metadata").has("generateName")) {
      object.withObject("/metadata").put("name", pick(NAMES)); // see KnownDifference
    }
    return new Operation("POST", kind.url() + query(query), "json", object.toString());
  }

  private Operation update(Kind kind, String path, String part) {
    String body =
        chance(70)
            ? "~" + change(kind, part)
            : object(kind, path.replaceFirst(part + "$", "").replaceFirst(".*/", ""), part)
                .toString();
    return new Operation("PUT", path + query(write()), "json", body);
  }

  private Operation patch(Kind kind, String path, String part) {
    List<String> query = write();
    int choice = random.nextInt(100);
    if (choice < 30) {
      return new Operation(
          "PATCH", path + query(query), "merge-patch+json", change(kind, part).toString());
    } else if (choice < 55) {
      ArrayNode patch = Json.object().putArray("patch");
      do {
        step(patch.addObject(), change(kind, part), "");
      } while (chance(40));
      return new Operation("PATCH", path + query(query), "json-patch+json", patch.toString());
    } else if (choice < 70) {
      ObjectNode patch =
          part.isEmpty() && chance(70)
              ? pick(kind.patches().getOrDefault("s", List.of(kind.minimal())))
              : change(kind, part);
      return new Operation(
          "PATCH", path + query(query), "strategic-merge-patch+json", patch.toString());
    }
    if (part.equals("/scale")) {
      return new Operation("GET", path, "-", "");
    }
    add(query, 40, "force=true");
    String name = path.replaceFirst(part + "$", "").replaceFirst(".*/", "");
    ObjectNode config = object(kind, name, part);
    if (kind.url().contains("example.com")) {
      PatchFormat.MERGE.apply(config, config, Json.object()).path("metadata").properties().stream()
          .filter(field -> field.getValue().isContainerNode() && field.getValue().isEmpty())
          .forEach(field -> config.withObject("/metadata").remove(field.getKey()));
    }
    return new Operation("PATCH", path + query(query), "apply-patch+yaml", config.toString());
  }

  private ObjectNode object(Kind kind, String name, String part) {
    ObjectNode object = Json.object().put("kind", kind.name()).put("apiVersion", kind.apiVersion());
    object.putObject("metadata").put("name", name);
    if (part.equals("/scale")) {
      object.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    } else {
      object.setAll(kind.minimal().deepCopy());
    }
    for (boolean more = part.equals("/scale"); more || chance(60); more = false) {
      object = PatchFormat.MERGE.apply(object, change(kind, part), Json.object());
    }
    return object;
  }

  private ObjectNode change(Kind kind, String part) {
    List<ObjectNode> ofPart = kind.patches().getOrDefault(part, List.of());
    if (!part.isEmpty() && !ofPart.isEmpty() && (part.equals("/scale") || chance(80))) {
      ObjectNode chosen = pick(ofPart);
      return chosen.isEmpty() ? scale(kind) : chosen;
    }
    return pick(kind.patches().get(part.isEmpty() && chance(10) ? "?" : ""));
  }

  /**
   * Returns a change of the number of replicas to one that it does not have, since a real server
   * confuses the owners of fields if a write to the scale subresource changes nothing.
   */
  private ObjectNode scale(Kind kind) {
    ObjectNode change = Json.object();
    int replicas = kind.name().equals("Deployment") ? 20 + scaled++ : 4 + scaled++ % 7;
    change.putObject("spec").put("replicas", replicas);
    return change;
  }

  /** Writes an operation of a JSON patch at a random path of a change. */
  private void step(ObjectNode step, JsonNode change, String path) {
    List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(change.properties());
    if (fields.isEmpty() || (!path.isEmpty() && chance(20))) {
      boolean typed = path.matches("/(kind|apiVersion|metadata)?");
      String op =
          pick(
              List.of("add", "replace", "test", "remove", "add", "copy", "move", "other")
                  .subList(path.isEmpty() ? 2 : 0, typed ? 3 : 8));
      if (op.matches("copy|move") && !path.startsWith("/metadata/")) {
        op = "add"; // other fields have types of their own, which the messages name
      }
      step.put("op", op)
          .put("path", path + (op.equals("add") && change.isArray() && chance(50) ? "/-" : ""));
      if (op.matches("copy|move")) {
        step.put("from", pick(List.of("/metadata/labels", "/metadata/labels/app", "/data/a")));
      } else if (!op.equals("remove")) {
        step.set("value", change);
      }
      return;
    }
    Map.Entry<String, JsonNode> field = pick(fields);
    step(step, field.getValue(), path + "/" + field.getKey().replace("~", "~0").replace("/", "~1"));
  }

  private List<String> write() {
    List<String> query = new ArrayList<>();
    query.add("fieldManager=" + (chance(1) ? "x".repeat(130) : pick(List.of("m1", "m2", "m3"))));
    add(query, 7, chance(90) ? "dryRun=All" : "dryRun=x");
    add(query, 25, "fieldValidation=" + pick(List.of("Strict", "Strict", "Ignore", "Warn", "x")));
    add(query, 1, "force=true");
    return query;
  }

  private List<String> selection(boolean list) {
    List<String> query = new ArrayList<>();
    if (chance(40)) {
      query.add("labelSelector=" + encode(pick(LABELS)));
    }
    if (chance(20)) {
      query.add("fieldSelector=" + encode(pick(FIELDS)));
    }
    if (list && chance(50)) {
      query.add(pick(LIST_OPTIONS));
    }
    return query;
  }

  private void add(List<String> query, int percent, String... parameters) {
    for (String parameter : parameters) {
      if (chance(percent)) {
        query.add(parameter);
      }
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%24ns", "$ns");
  }

  private static String query(List<String> parameters) {
    return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
