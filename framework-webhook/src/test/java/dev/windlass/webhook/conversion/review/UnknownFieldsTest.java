// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import static dev.windlass.webhook.conversion.review.Reviews.json;
import static dev.windlass.webhook.conversion.review.Reviews.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.patch.UnknownFields;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.ToolV2;
import dev.windlass.webhook.conversion.ToolVersions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversions of objects with fields that their classes do not have. */
final class UnknownFieldsTest {

  private static final String V1 = "example.com/v1";
  private static final String V2 = "example.com/v2";

  /** The same object in both versions. */
  private record Case(String name, Conversion<?> conversion, String first, String second) {

    String object(String version) {
      String kind = conversion.type().kind();
      return json("{'apiVersion':'%s','kind':'%s','metadata':{'name':'web'},%s}")
          .formatted(version, kind, json(version.equals(V1) ? first : second));
    }

    Case keepingLostFields() {
      return new Case(name + ", lost fields kept", conversion.keepingLostFields(), first, second);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Case gadget(String name, String fields) {
    return new Case(
        name,
        Gadgets.CONVERSION,
        fields.replace("NAME", "'name':'n'"),
        fields.replace("NAME", "'title':'n'"));
  }

  private static Stream<Case> cases() {
    Case strict =
        new Case(
            "a strict class",
            ToolVersions.CONVERSION,
            "'spec':{'address':'db:1','extra':1},'status':{'ready':true}",
            "'spec':{'host':'db','port':1,'extra':1},'status':{'ready':true}");
    Stream<Case> cases =
        Stream.of(
            strict,
            gadget("no unknown field", "'spec':{NAME}"),
            gadget("an unknown value", "'spec':{NAME,'extra':'x'}"),
            gadget("an unknown object", "'spec':{NAME,'extra':{'a':[{'b':1.5}]}}"),
            gadget("an unknown list", "'spec':{NAME,'extra':[1,2]}"),
            gadget("unknown empty values", "'spec':{NAME,'a':{},'b':[],'c':'','d':null}"),
            gadget("an unknown field of the root", "'data':{'a':'b'},'spec':{NAME}"),
            gadget("only unknown fields", "'data':{'a':'b'},'spec':{'extra':1}"),
            gadget("a status without a class", "'spec':{NAME},'status':{'ready':true}"),
            gadget("a nested object", "'spec':{NAME,'door':{'color':'red','extra':1}}"),
            gadget("a field that is ignored explicitly", "'spec':{NAME,'door':{'hinge':'x'}}"),
            gadget("a record", "'spec':{NAME,'handle':{'extra':[1],'shape':'round'}}"),
            gadget(
                "elements of a list",
                "'spec':{NAME,'doors':[{'extra':1},{'color':'red'},{'extra':{'a':2}}]}"));
    return cases.flatMap(one -> Stream.of(one, one.keepingLostFields()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void areCopiedInBothDirections(Case one) throws Exception {
    Reviews reviews = new Reviews(one.conversion);
    assertThat(reviews.convert(V2, one.object(V1))).isEqualTo(read(one.object(V2)));
    assertThat(reviews.convert(V1, one.object(V2))).isEqualTo(read(one.object(V1)));
  }

  @Test
  void areNotThoseThatTheClassLeavesOutBecauseTheyAreEmpty() throws Exception {
    Case tags = gadget("", "'spec':{NAME,'tags':[]}");
    assertThat(new Reviews(Gadgets.CONVERSION).convert(V2, tags.object(V1)).get("spec"))
        .isEqualTo(read(json("{'title':'n'}")));
  }

  @Test
  void doNotReplaceAFieldOfTheResult() throws Exception {
    Case two = gadget("", "'spec':{'name':'n','title':'unknown to the first version'}");
    assertThat(new Reviews(Gadgets.CONVERSION).convert(V2, two.object(V1)).get("spec"))
        .isEqualTo(read(json("{'title':'n'}")));
  }

  private record Lists(String source, String known, String result, String merged) {}

  private static Stream<Lists> lists() {
    return Stream.of(
        new Lists("[{'x':1},{'x':2}]", "[{},{}]", "[{},{}]", "[{'x':1},{'x':2}]"),
        new Lists(
            "[{'name':'a','x':1},{'name':'b','x':2}]",
            "[{'name':'a'},{'name':'b'}]",
            "[{'name':'b'},{'name':'a'}]",
            "[{'name':'b','x':2},{'name':'a','x':1}]"),
        new Lists(
            "[{'name':'a'},{'name':'b','x':2}]",
            "[{'name':'a'},{'name':'b'}]",
            "[{'name':'b'}]",
            "[{'name':'b','x':2}]"),
        new Lists(
            "[{'name':'a','x':1},{'name':'b','x':2}]",
            "[{'name':'a'},{'name':'b'}]",
            "[{'name':'c'},{'name':'d'}]",
            "[{'name':'c','x':1},{'name':'d','x':2}]"),
        new Lists(
            "[{'name':'a','x':1},{'name':'a','x':2}]",
            "[{'name':'a'},{'name':'a'}]",
            "[{'name':'a'},{'name':'a'}]",
            "[{'name':'a','x':1},{'name':'a','x':2}]"));
  }

  private static ObjectNode list(String elements) throws Exception {
    return (ObjectNode) read(json("{'list':" + elements + "}"));
  }

  @ParameterizedTest
  @MethodSource("lists")
  void areCopiedToTheElementWithTheSameNameOrPosition(Lists lists) throws Exception {
    ObjectNode result = list(lists.result);
    UnknownFields.Merged merged =
        UnknownFields.mergeByPosition(list(lists.source), list(lists.known), result);
    assertThat(merged.dropped()).isEmpty();
    assertThat(merged.ambiguous()).isEmpty();
    assertThat(merged.object()).isEqualTo(list(lists.merged));
  }

  @Test
  void haveNoPlaceIfTheListHasAnotherLengthAndNoNames() throws Exception {
    ObjectNode result = list("[{}]");
    UnknownFields.Merged merged =
        UnknownFields.mergeByPosition(list("[{},{'x':2}]"), list("[{},{}]"), result);
    assertThat(merged.dropped()).containsExactly("list[1].x");
    assertThat(merged.object()).isEqualTo(list("[{}]"));
  }

  @Test
  void failTheConversionIfTheirParentIsGone() throws Exception {
    Case lock = gadget("", "'spec':{NAME,'lock':{'color':'red','extra':'s3cret'}}");
    assertThat(new Reviews(Gadgets.CONVERSION).failure(V1, lock.object(V2)))
        .isEqualTo(
            "Gadget web can't be converted from example.com/v2 to example.com/v1: it does not fit "
                + Gadgets.V2.class.getName()
                + " at spec.lock.extra, a field that the class does not have and that has no place"
                + " in the result");
    Case part = new Case("", ToolVersions.CONVERSION, "", "'spec':{'parts':[{'extra':1}]}");
    assertThat(new Reviews(part.conversion).failure(V1, part.object(V2)))
        .contains("does not fit " + ToolV2.class.getName() + " at spec.parts[0].extra, a field");
  }

  @Test
  void areKeptInTheAnnotationIfTheirParentIsGone() throws Exception {
    Case lock =
        gadget("", "'spec':{NAME,'extra':1,'lock':{'color':'red','extra':'x'}}")
            .keepingLostFields();
    Reviews reviews = new Reviews(lock.conversion);
    ObjectNode spoke = (ObjectNode) reviews.convert(V1, lock.object(V2));
    assertThat(spoke.get("spec")).isEqualTo(read(json("{'name':'n','extra':1}")));
    assertThat(reviews.convert(V2, spoke.toString())).isEqualTo(read(lock.object(V2)));
    ((ObjectNode) spoke.get("spec")).put("name", "changed").put("more", 2).remove("extra");
    JsonNode changed = reviews.convert(V2, spoke.toString());
    assertThat(changed.get("spec"))
        .isEqualTo(read(json("{'title':'changed','more':2,'lock':{'color':'red','extra':'x'}}")));
  }

  @Test
  void areKeptInTheAnnotationIfTheyBelongToAnElementOfAnotherType() throws Exception {
    Case parts =
        new Case("", ToolVersions.CONVERSION, "", "'spec':{'parts':[{'name':'a','extra':1}]}")
            .keepingLostFields();
    Reviews reviews = new Reviews(parts.conversion);
    JsonNode spoke = reviews.convert(V1, parts.object(V2));
    assertThat(reviews.convert(V2, spoke.toString())).isEqualTo(read(parts.object(V2)));
  }
}
