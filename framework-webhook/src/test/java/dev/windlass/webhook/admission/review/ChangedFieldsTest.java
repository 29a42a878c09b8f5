// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.patch.UnknownFields;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChangedFieldsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static ObjectNode json(String text) throws Exception {
    return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
  }

  private static ObjectNode merged(ObjectNode json, ObjectNode before, ObjectNode after) {
    return UnknownFields.mergeByPosition(json, before, after).object();
  }

  @ParameterizedTest(name = "{0}: {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what the server sent | typed before | typed after | the object after the patch
        "{'u':1}              | {}            | {'a':1}             | {'u':1,'a':1}",
        "{'s':{'u':1,'a':1}}  | {'s':{'a':1}} | {'s':{'a':2}}       | {'s':{'u':1,'a':2}}",
        "{'s':{'u':1,'a':1}}  | {'s':{'a':1}} | {'s':{}}            | {'s':{'u':1}}",
        "{'s':{'u':1,'a':1}}  | {'s':{'a':1}} | {}                  | {}",
        "{}                   | {'s':{'d':9}} | {'s':{'d':9,'a':1}} | {'s':{'a':1}}",
        "{'s':null}           | {'s':null}    | {'s':{'a':1}}       | {'s':{'a':1}}",
        "{'q':'1000m'}        | {'q':'1'}     | {'q':'1'}           | {'q':'1000m'}",
        "{'q':'1000m'}        | {'q':'1'}     | {'q':'2'}           | {'q':'2'}",
        "{'a/b~c':1}          | {'a/b~c':1}   | {'a/b~c':2}         | {'a/b~c':2}",
        "{'l':[{'name':'x','u':1}]} | {'l':[{'name':'x'}]} | {'l':[{'name':'x','a':1}]}"
            + " | {'l':[{'name':'x','u':1,'a':1}]}",
        "{'l':[{'name':'x','u':1},{'name':'y','u':2}]} | {'l':[{'name':'x'},{'name':'y'}]}"
            + " | {'l':[{'name':'y'}]} | {'l':[{'name':'y','u':2}]}",
        "{'l':[{'name':'x','u':1}]} | {'l':[{'name':'x'}]} | {'l':[{'name':'z'},{'name':'x'}]}"
            + " | {'l':[{'name':'z'},{'name':'x','u':1}]}",
        "{'l':[{'name':'x','u':1},{'name':'y','u':2}]} | {'l':[{'name':'x'},{'name':'y'}]}"
            + " | {'l':[{'name':'y','a':3},{'name':'x'}]}"
            + " | {'l':[{'name':'y','u':2,'a':3},{'name':'x','u':1}]}",
        "{'l':[{'port':80,'u':1}]} | {'l':[{'port':80}]} | {'l':[{'port':8080}]}"
            + " | {'l':[{'port':8080,'u':1}]}",
        "{'l':[{'port':80,'u':1}]} | {'l':[{'port':80}]} | {'l':[{'port':80},{'port':81}]}"
            + " | {'l':[{'port':80,'u':1},{'port':81}]}",
        "{'l':[1,2]} | {'l':[1,2]} | {'l':[1,2,3]} | {'l':[1,2,3]}",
        "{'l':[1,2]} | {'l':[1,2]} | {'l':[2]}     | {'l':[2]}",
        "{}          | {'l':[]}    | {'l':[1]}     | {'l':[1]}",
      })
  void onlyWhatTheTypedObjectChangedReachesTheJson(
      String sent, String before, String after, String expected) throws Exception {
    ObjectNode object = json(sent);
    ArrayNode patch = ChangedFields.patch(object, merged(object, json(before), json(after)));
    assertThat(JsonPatch.apply(patch, object)).isEqualTo(json(expected));
  }

  /** An object of known fields, which are those whose names begin with k. */
  @Provide
  Arbitrary<JsonNode> objects() {
    return Arbitraries.recursive(
        () -> Arbitraries.of(1, 2, 3).map(number -> JSON.getNodeFactory().numberNode(number)),
        ChangedFieldsTest::containersOf,
        0,
        3);
  }

  private static Arbitrary<JsonNode> containersOf(Arbitrary<JsonNode> values) {
    return Arbitraries.oneOf(
        values,
        values.list().ofMaxSize(3).map(list -> JSON.createArrayNode().addAll(list)),
        Combinators.combine(
                Arbitraries.of("k1", "k2", "k3", "k4").set().ofMaxSize(3).map(List::copyOf),
                values.list().ofSize(3))
            .as(
                (names, fields) -> {
                  ObjectNode object = JSON.createObjectNode();
                  for (int i = 0; i < names.size(); i++) {
                    object.set(names.get(i), fields.get(i));
                  }
                  return object;
                }));
  }

  @Property(tries = 500)
  void aPatchLeadsToTheChangedStateAndKeepsEachUnknownField(
      @ForAll("objects") JsonNode one, @ForAll("objects") JsonNode other) {
    ObjectNode before = JSON.createObjectNode();
    before.set("spec", one);
    ObjectNode after = JSON.createObjectNode();
    after.set("spec", other);
    ObjectNode sent = withUnknown(before);

    ArrayNode patch = ChangedFields.patch(sent, merged(sent, before, after));
    JsonNode patched = JsonPatch.apply(patch, sent);

    assertThat(withoutUnknown(patched)).isEqualTo(after);
    assertThat(patched.has("unknown")).isTrue();
    assertThat(ChangedFields.patch(sent, merged(sent, before, before))).isEmpty();
  }

  private static ObjectNode withUnknown(ObjectNode object) {
    ObjectNode more = JSON.createObjectNode().put("unknown", "kept");
    object.properties().forEach(field -> more.set(field.getKey(), unknownIn(field.getValue())));
    return more;
  }

  private static JsonNode unknownIn(JsonNode node) {
    if (node instanceof ObjectNode object) {
      return withUnknown(object);
    }
    if (node instanceof ArrayNode array) {
      ArrayNode more = JSON.createArrayNode();
      array.forEach(element -> more.add(unknownIn(element)));
      return more;
    }
    return node;
  }

  private static JsonNode withoutUnknown(JsonNode node) {
    JsonNode copy = node.deepCopy();
    copy.findParents("unknown").forEach(parent -> ((ObjectNode) parent).remove("unknown"));
    return copy;
  }
}
