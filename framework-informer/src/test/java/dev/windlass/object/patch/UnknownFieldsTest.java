// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnknownFieldsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static ObjectNode json(String text) throws Exception {
    return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // base                | before          | after             | merged
        "{'u':1}               | {}              | {'a':1}           | {'u':1,'a':1}",
        "{'s':{'u':1,'a':1}}   | {'s':{'a':1}}   | {'s':{'a':2}}     | {'s':{'u':1,'a':2}}",
        "{'s':{'u':1,'a':1}}   | {'s':{'a':1}}   | {'s':{}}          | {'s':{'u':1}}",
        "{'s':{'u':1,'a':1}}   | {'s':{'a':1}}   | {'s':{'a':null}}  | {'s':{'u':1}}",
        "{'s':{'u':1,'a':1}}   | {'s':{'a':1}}   | {}                | {}",
        "{'u':null}            | {}              | {'a':1}           | {'u':null,'a':1}",
        "{}                    | {'s':{'d':9}}   | {'s':{'d':9}}     | {}",
        "{}                    | {'s':{'d':9}} | {'s':{'d':9,'a':1}} | {'s':{'a':1}}",
        "{'s':null}            | {'s':{'d':9}} | {'s':{'d':9,'a':1}} | {'s':{'a':1}}",
        "{'q':'1000m'}         | {'q':'1'}       | {'q':'1'}         | {'q':'1000m'}",
        "{'q':'1000m'}         | {'q':'1'}       | {'q':'2'}         | {'q':'2'}",
        "{'l':['1000m']}       | {'l':['1']}     | {'l':['1','2']}   | {'l':['1','2']}",
        "{'l':[1,2]}           | {'l':[1,2]}     | {'l':[2]}         | {'l':[2]}",
        "{}                    | {'l':[]}        | {'l':[1]}         | {'l':[1]}",
        "{'s':{'u':1}}         | {'s':'u=1'}     | {'s':'u=2'}       | {'s':'u=2'}",
        // an element that has only moved, in a list that has become shorter
        "{'l':[{'a':1},{'a':2,'u':2}]} | {'l':[{'a':1},{'a':2}]} | {'l':[{'a':2}]}"
            + " | {'l':[{'a':2,'u':2}]}",
        // an element that is identified by its name, or by its type if the name is not unique
        "{'l':[{'name':'x','u':1}]} | {'l':[{'name':'x'}]} | {'l':[{'name':'y'},{'name':'x','a':1}]}"
            + " | {'l':[{'name':'y'},{'name':'x','a':1,'u':1}]}",
        "{'l':[{'name':'x','type':'A','u':1},{'name':'x','type':'B','u':2}]}"
            + " | {'l':[{'name':'x','type':'A'},{'name':'x','type':'B'}]}"
            + " | {'l':[{'name':'x','type':'B','a':1}]}"
            + " | {'l':[{'name':'x','type':'B','a':1,'u':2}]}",
        // equal elements keep their order
        "{'l':[{'u':1},{'u':2}]} | {'l':[{},{}]} | {'l':[{},{},{}]} | {'l':[{'u':1},{'u':2},{}]}",
        // the class declares a set, whose order is another one
        "{'l':[{'a':1},{'a':2}]} | {'l':[{'a':2},{'a':1}]} | {'l':[{'a':2}]} | {'l':[{'a':2}]}",
        // a list without unknown fields
        "{'l':[{'a':1},{'a':2}]} | {'l':[{'a':1},{'a':2}]} | {'l':[{'a':3}]} | {'l':[{'a':3}]}",
      })
  void areKept(String base, String before, String after, String merged) throws Exception {
    UnknownFields.Merged result = UnknownFields.merge(json(base), json(before), json(after));
    assertThat(result.object()).isEqualTo(json(merged));
    assertThat(result.ambiguous()).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'l':[{'a':1,'u':1}]} | {'l':[{'a':1}]} | {'l':[{'a':2}]} | l[0].u",
        "{'s':{'l':[{'a':1},{'a':2,'t':{'u':1}}]}} | {'s':{'l':[{'a':1},{'a':2,'t':{}}]}}"
            + " | {'s':{'l':[{'a':1},{'a':3}]}} | s.l[1].t.u",
        "{'l':[{'name':'x','u':1}]} | {'l':[{'name':'x'}]} | {'l':[{'name':'y'}]} | l[0].u",
        // an empty object, such as the chosen member of a union
        "{'l':[{'a':1,'u':{}}]} | {'l':[{'a':1}]} | {'l':[{'a':2}]} | l[0].u",
        "{'l':[{'a':1,'u':1},{'a':2}]} | {'l':[{'a':2},{'a':1}]} | {'l':[{'a':2}]} | l",
        // the class declares a field of that name elsewhere
        "{'l':[{'a':1,'u':1},{'a':2,'s':{'u':3}}]} | {'l':[{'a':2,'s':{'u':3}},{'a':1}]}"
            + " | {'l':[{'a':1}]} | l",
      })
  void areAmbiguousIfAnElementMayBeAChangedOneOrANewOne(
      String base, String before, String after, String path) throws Exception {
    assertThat(UnknownFields.merge(json(base), json(before), json(after)).ambiguous())
        .contains(path);
  }

  @Test
  void areDroppedWithTheirParent() throws Exception {
    UnknownFields.Merged merged =
        UnknownFields.merge(
            json("{'s':{'a':{'u':1}},'l':[{'a':1,'u':1},{'a':2}]}"),
            json("{'s':{'a':{}},'l':[{'a':1},{'a':2}]}"),
            json("{'s':{},'l':[{'a':2}]}"));
    assertThat(merged.object()).isEqualTo(json("{'s':{},'l':[{'a':2}]}"));
    assertThat(merged.dropped()).containsExactly("s.a.u", "l[0].u");
  }

  /**
   * Makes random edits on the original JSON, which is the reference, and decodes the result into
   * the typed object. The merge sees neither the edits nor which element of a list is which. The
   * names of the fields that the class does not declare begin with u; it initialises the field d.
   */
  @Property(tries = 3000)
  void areWhereAnEditOfTheOriginalLeavesThem(@ForAll long seed) {
    Model model = new Model(new Random(seed));
    ObjectNode base = model.object(3);
    ObjectNode expected = base.deepCopy();
    ObjectNode before = (ObjectNode) Model.decoded(base);
    assertThat(UnknownFields.merge(base, before, before).object()).isEqualTo(base);
    model.edit(expected);
    ObjectNode after = (ObjectNode) Model.decoded(expected);

    UnknownFields.Merged merged = UnknownFields.merge(base, before, after);

    assertThat(Model.decoded(merged.object())).isEqualTo(after);
    if (!model.isAmbiguous) {
      assertThat(merged.ambiguous()).isEmpty();
      assertThat(merged.object()).isEqualTo(expected);
    } else if (merged.ambiguous().isEmpty()) {
      // An element that is not paired counts as a new one. It has the defaults of its class, and
      // not the empty lists of the old one.
      assertThat(Model.withoutTrifles(merged.object())).isEqualTo(Model.withoutTrifles(expected));
    }
  }

  /** The reference: random objects, a class that declares some of their fields, and edits. */
  private static final class Model {
    private final Random random;
    private int ids;
    private boolean isAmbiguous;

    Model(Random random) {
      this.random = random;
    }

    ObjectNode object(int depth) {
      ObjectNode object = JSON.createObjectNode();
      for (String name : List.of("a", "b", "c", "d", "u1", "u2")) {
        switch (random.nextInt(depth == 0 ? 3 : 5)) {
          case 0, 1 -> object.put(name, random.nextInt(3));
          case 3 -> object.set(name, object(depth - 1));
          case 4 -> object.set(name, list(depth - 1));
          default -> {}
        }
      }
      return object;
    }

    private ArrayNode list(int depth) {
      ArrayNode list = JSON.createArrayNode();
      String key = List.of("name", "type", "key", "id").get(random.nextInt(4));
      for (int i = random.nextInt(4); i > 0; i--) {
        list.add(object(depth).put(key, "k" + ids++));
      }
      return list;
    }

    /** Returns what the class makes of the JSON: what it declares, and its defaults. */
    static JsonNode decoded(JsonNode json) {
      if (json instanceof ArrayNode array) {
        ArrayNode list = JSON.createArrayNode();
        array.forEach(element -> list.add(decoded(element)));
        return list;
      }
      if (!json.isObject()) {
        return json;
      }
      ObjectNode object = JSON.createObjectNode().put("d", 7);
      json.properties().stream()
          .filter(field -> !field.getKey().startsWith("u"))
          .forEach(field -> object.set(field.getKey(), decoded(field.getValue())));
      return object;
    }

    /** Removes the defaults, which are 7, and empty lists. */
    static JsonNode withoutTrifles(JsonNode json) {
      if (json instanceof ObjectNode object) {
        object
            .properties()
            .removeIf(
                field -> {
                  JsonNode value = field.getValue();
                  return value.isArray() ? value.isEmpty() : value.isInt() && value.asInt() == 7;
                });
      }
      json.forEach(Model::withoutTrifles);
      return json;
    }

    void edit(ObjectNode object) {
      for (String name : List.of("a", "b", "c", "e")) {
        JsonNode value = object.path(name);
        int choice = random.nextInt(6);
        if (choice == 0) {
          object.remove(name);
        } else if (choice == 1) {
          object.put(name, 10 + random.nextInt(3));
        } else if (value instanceof ObjectNode below) {
          edit(below);
        } else if (value instanceof ArrayNode list) {
          edit(list);
        }
      }
    }

    private void edit(ArrayNode list) {
      List<JsonNode> elements = new ArrayList<>();
      for (JsonNode element : list) {
        int choice = random.nextInt(5);
        isAmbiguous |= choice == 0 || (choice == 1 && element.has("id"));
        if (choice == 1) {
          edit((ObjectNode) element);
        }
        if (choice != 0) {
          elements.add(random.nextInt(elements.size() + 1), element);
        }
      }
      for (int i = random.nextInt(2); i > 0; i--) {
        elements.add(known(list));
      }
      list.removeAll().addAll(elements);
    }

    private ObjectNode known(ArrayNode list) {
      String key = list.isEmpty() ? "name" : "id";
      for (String one : List.of("name", "type", "key")) {
        key = list.path(0).has(one) ? one : key;
      }
      return JSON.createObjectNode().put("a", 1).put("d", 7).put(key, "k" + ids++);
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // object               | from                      | filled
        "{}                     | {'s':{'a':1,'b':null}}    | {'s':{'a':1}}",
        "{'s':{'a':1}}          | {'s':{'a':2,'b':2}}       | {'s':{'a':1,'b':2}}",
        "{}                     | {}                        | {}",
        "{}                     | {'s':null}                | {}",
        "{'s':{'a':1}}          | {'s':null}                | {'s':{'a':1}}",
        "{'s':null}             | {}                        | {'s':null}",
      })
  void fillsWhatIsMissing(String object, String from, String filled) throws Exception {
    ObjectNode result = JSON.createObjectNode();
    JsonNode value = UnknownFields.filled(json(object).path("s"), json(from).path("s"));
    if (!value.isMissingNode()) {
      result.set("s", value);
    }
    assertThat(result).isEqualTo(json(filled));
  }
}
