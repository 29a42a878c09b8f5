// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.object.ObjectCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VersionSchemasTest {

  private static JsonNode definition(String old, String storage, String more) throws IOException {
    String json =
        """
        {'spec': {%s 'versions': [
          {'name': 'v1', 'schema': {'openAPIV3Schema': {'type': 'object', %s}}},
          {'name': 'v2', 'storage': true, 'schema': {'openAPIV3Schema': {'type': 'object', %s}}},
          {'name': 'v0', 'schema': {'openAPIV3Schema': {'properties': {'gone': {}}}}}]},
         'status': {'storedVersions': ['v1', 'v2']}}"""
            .formatted(more, old, storage);
    return ObjectCodec.parse(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonNode.class);
  }

  /** A schema that is stored, the schema of the storage version, and what would be removed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'properties':{'a':{'type':'string'}} | 'properties':{'a':{'type':'string','description':'new'}} |
          'properties':{'a':{}}                | 'properties':{'a':{},'b':{}}                       |
          'properties':{'a':{},'b':{}}         | 'properties':{'a':{}}                              | b
          'properties':{'a':{}}                | 'x-kubernetes-preserve-unknown-fields':true        |
          'properties':{'a':{'type':'string'}} | 'properties':{'a':{'type':'integer'}}              | a
          'properties':{'a':{'properties':{'b':{}}}} | 'properties':{'a':{'properties':{'c':{}}}}   | a.b
          'properties':{'a':{'properties':{'b':{}}}} | 'properties':{'a':{'additionalProperties':true}} |
          'properties':{'a':{'properties':{'b':{'type':'string'}}}} | 'properties':{'a':{'additionalProperties':{'type':'string'}}} |
          'properties':{'a':{'additionalProperties':{}}} | 'properties':{'a':{'properties':{'b':{}}}} | a
          'properties':{'a':{'x-kubernetes-preserve-unknown-fields':true}} | 'properties':{'a':{}}  | a
          'properties':{'a':{'items':{'properties':{'b':{}}}}} | 'properties':{'a':{'items':{}}}    | a.b
          'properties':{'a':{'items':{'properties':{'b':{}}}}} | 'properties':{'a':{'items':{'properties':{'b':{}}}}} |
          'properties':{'metadata':{'properties':{'name':{}}}} | 'properties':{}                    |
          """)
  void findsWhatThePruningRemoves(String old, String storage, @Nullable String field)
      throws IOException {
    assertThat(VersionSchemas.removedField(definition(old, storage, "")).orElse(null))
        .isEqualTo(field == null ? null : field + " of v1");
  }

  @Test
  void findsNothingIfAWebhookConverts() throws IOException {
    String webhook = "'conversion': {'strategy': 'Webhook'},";
    JsonNode converted = definition("'properties':{'a':{}}", "'properties':{}", webhook);
    assertThat(VersionSchemas.removedField(converted)).isEmpty();
  }
}
