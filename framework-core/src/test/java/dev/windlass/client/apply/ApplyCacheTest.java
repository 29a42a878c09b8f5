// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ApplyCacheTest {

  private static final ResourceType TYPE =
      new ResourceType("example.com", "v1", "foos", "Foo", true);
  private static final ApplyCache.Target TARGET =
      new ApplyCache.Target(TYPE, ObjectKey.of("here", "a"), "", "me");

  private final KubernetesSerialization json = new KubernetesSerialization();
  private final ApplyCache cache = new ApplyCache(json);
  private final ObjectCodec<GenericKubernetesResource> codec = ObjectCodec.of(TYPE);

  private static String foo(String metadata, String number) {
    return """
        {"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","namespace":"here"%s},\
        "spec":{"n":%s}}"""
        .formatted(metadata, number);
  }

  private GenericKubernetesResource object(String text) {
    return json.unmarshal(text, GenericKubernetesResource.class);
  }

  /** The server returns a number as it has parsed it; the program writes it as before. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "0.10", "1.0", "1E+3", "12345678901234567890"})
  void recognisesTheCreationWithEachFormOfANumber(String number) {
    String sent = foo("", number);
    GenericKubernetesResource answer =
        object(foo(",\"uid\":\"u1\",\"resourceVersion\":\"5\"", number));
    cache.applied(TARGET, sent, answer, Optional.of(codec.encode(answer)));

    String again = foo(",\"uid\":\"u1\"", number);
    assertThat(cache.unchanged(TARGET, again, codec.encode(answer))).isPresent();
  }

  @Test
  void sendsAnApplyThatNamesAnotherObjectsUid() {
    String sent = foo("", "1");
    GenericKubernetesResource answer =
        object(foo(",\"uid\":\"u1\",\"resourceVersion\":\"5\"", "1"));
    cache.applied(TARGET, sent, answer, Optional.of(codec.encode(answer)));

    assertThat(cache.unchanged(TARGET, sent, codec.encode(answer))).isPresent();
    assertThat(cache.unchanged(TARGET, foo(",\"uid\":\"u2\"", "1"), codec.encode(answer)))
        .isEmpty();
  }

  /** Without the entry of the apply, nothing shows that the fields are still owned. */
  @Test
  void sendsAnApplyIfTheEntryOfTheLastOneWasNeverSeen() {
    String sent = foo("", "1");
    GenericKubernetesResource answer =
        object(foo(",\"uid\":\"u1\",\"resourceVersion\":\"5\"", "1"));
    GenericKubernetesResource later = object(foo(",\"uid\":\"u1\",\"resourceVersion\":\"6\"", "1"));
    cache.applied(TARGET, sent, answer, Optional.empty());

    assertThat(cache.unchanged(TARGET, sent, codec.encode(answer))).isPresent();
    cache.applied(TARGET, sent, answer, Optional.empty());
    assertThat(cache.unchanged(TARGET, sent, codec.encode(later))).isEmpty();
  }
}
