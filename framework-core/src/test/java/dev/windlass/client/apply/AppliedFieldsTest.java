// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.AppliedEntry;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AppliedFieldsTest {

  private final KubernetesSerialization json = new KubernetesSerialization();
  private final AppliedFields fields = new AppliedFields(json);

  private static AppliedEntry entry(@Nullable String tree) {
    return new AppliedEntry(1, 1, false, tree);
  }

  private Map<?, ?> map(String text) {
    return json.unmarshal(text.replace('\'', '"'), Map.class);
  }

  private boolean matches(String tree, String configuration, String object) {
    return fields.matches(map(tree), map(configuration), map(object));
  }

  /** What the manager owns, what is wanted, what there is, and whether an apply changes nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {'f:a':{}}                | {'a':1}             | {'a':1}             | true
          {'f:a':{}}                | {'a':1}             | {'a':1,'b':2}       | true
          {'f:a':{}}                | {'a':1}             | {'a':2}             | false
          {'f:a':{}}                | {'a':1}             | {}                  | false
          {'f:a':{}}                | {'a':''}            | {}                  | true
          {'f:a':{}}                | {'a':0}             | {}                  | true
          {'f:a':{}}                | {'a':0}             | {'a':1}             | false
          {'f:a':{}}                | {'a':[{'b':''}]}    | {'a':[{}]}          | true
          {'f:a':{}}                | {'a':[{}]}          | {'a':[{'b':1}]}     | false
          {'f:a':{},'f:b':{}}       | {'a':1}             | {'a':1,'b':2}       | false
          {'f:a':{}}                | {'a':1,'b':2}       | {'a':1,'b':2}       | false
          {'f:a':{'.':{},'f:b':{}}} | {'a':{'b':1}}       | {'a':{'b':1,'c':2}} | true
          {'f:a':{'f:b':{}}}        | {'a':{'b':1,'c':2}} | {'a':{'b':1,'c':2}} | false
          {'f:a':{'f:b':{}}}        | {'a':[1]}           | {'a':[1]}           | false
          {'f:a':{}}                | {'a':[1,2]}         | {'a':[1,2]}         | true
          {'f:a':{}}                | {'a':[1,2]}         | {'a':[2,1]}         | false
          {'f:a':{'v:1':{}}}        | {'a':[1]}           | {'a':[2,1]}         | true
          {'f:a':{'v:1':{}}}        | {'a':[1,2]}         | {'a':[2,1]}         | false
          {'f:a':{'v:1':{},'v:2':{}}} | {'a':[1]}         | {'a':[2,1]}         | false
          {'f:a':{'v:1':{}}}        | {'a':[1]}           | {'a':[2]}           | false
          {'f:a':{'i:0':{}}}        | {'a':[1]}           | {'a':[1]}           | false
          {}                        | {'kind':'Foo'}      | {}                  | true
          {}                        | {'metadata':{'name':'a','uid':'b'}} | {}  | true
          {}                        | {'metadata':{'labels':{'x':'y'}}} | {'metadata':{'labels':{'x':'y'}}} | false
          """)
  void comparesFieldsAndLists(String tree, String configuration, String object, boolean same) {
    assertThat(matches(tree, configuration, object)).isEqualTo(same);
  }

  private static String byKey(String keys, String below) {
    return "{'f:a':{'k:%s':%s}}".formatted(keys.replace("'", "\\'"), below);
  }

  @Test
  void comparesElementsByTheirKeys() {
    String tree = byKey("{'n':'x'}", "{'.':{},'f:n':{},'f:v':{}}");
    String wanted = "{'a':[{'n':'x','v':1}]}";
    assertThat(matches(tree, wanted, "{'a':[{'n':'y'},{'n':'x','v':1}]}")).isTrue();
    assertThat(matches(tree, wanted, "{'a':[{'n':'x','v':2}]}")).isFalse();
    assertThat(matches(tree, wanted, "{'a':[{'n':'y','v':1}]}")).isFalse();
    assertThat(matches(tree, "{'a':[{'n':'x'}]}", wanted)).isFalse();
    assertThat(matches(tree, "{'a':[]}", wanted)).isFalse();
  }

  /** A port without a protocol, for which the server has a default. */
  @Test
  void comparesElementsThatOmitAKeyWithADefault() {
    String tree = byKey("{'p':80,'t':'TCP'}", "{'.':{},'f:p':{}}");
    String wanted = "{'a':[{'p':80}]}";
    assertThat(matches(tree, wanted, "{'a':[{'p':80,'t':'UDP'},{'p':80,'t':'TCP'}]}")).isTrue();
    assertThat(matches(tree, wanted, "{'a':[{'p':80,'t':'UDP'}]}")).isFalse();
  }

  /** The uids of owners are not kept. */
  @Test
  void comparesTheOnlyOwner() {
    String tree = byKey("{'uid':''}", "{}");
    String wanted = "{'a':[{'uid':'1'}]}";
    String both = "{'a':[{'uid':'1'},{'uid':'2'}]}";
    assertThat(matches(tree, wanted, wanted)).isTrue();
    assertThat(matches(tree, wanted, "{'a':[{'uid':'2'}]}")).isFalse();
    assertThat(matches(tree, wanted, both)).isFalse();
    assertThat(matches(tree, both, both)).isFalse();
  }

  @Test
  void knowsNoFieldsOfAnotherVersionOrWithoutAText() {
    assertThat(fields.tree(entry("v1\n{\"f:a\":{}}"), "v1")).contains(map("{'f:a':{}}"));
    assertThat(fields.tree(entry("v2\n{\"f:a\":{}}"), "v1")).isEmpty();
    assertThat(fields.tree(entry(null), "v1")).isEmpty();
  }
}
