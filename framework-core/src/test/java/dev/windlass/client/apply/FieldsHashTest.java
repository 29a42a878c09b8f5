// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldsHashTest {

  private static String hash(String json) {
    return FieldsHash.text(
        new KubernetesSerialization().unmarshal(json.replace('\'', '"'), Map.class));
  }

  /** Each process reads it in managedFields, so that it must stay what it is. */
  @Test
  void isTheSameInEachProcessAndForAllValues() {
    String first = hash("{'kind':'A','metadata':{'name':'n','uid':'1'},'data':{'a':'1','b':[2]}}");
    String other = hash("{'data':{'b':['secret'],'a':3},'metadata':{'name':'m'},'kind':'A'}");
    assertThat(first).isEqualTo(other).isEqualTo("a5a991ddc9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {'a':1}         | {'b':1}
          {'a':1}         | {'a':1,'b':1}
          {'a':[1,2]}     | {'a':[12]}
          {'a':[1]}       | {'a':1}
          {'a':[]}        | {'a':{}}
          {'a':[[1],2]}   | {'a':[[1,2]]}
          {'a':{'b':'c'}} | {'a':{'bc':''}}
          {'a':{},'b':1}  | {'a':{'b':1}}
          {'metadata':{'labels':{'a':'b'}}} | {'metadata':{'labels':{'b':'b'}}}
          """)
  void differsForDifferentFields(String one, String other) {
    assertThat(hash(one)).isNotEqualTo(hash(other));
  }
}
