// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The sentence about an object that does not fit its class. */
final class UndecodableExceptionTest {

  @Group("example.com")
  @Version("v1")
  static final class Sized extends CustomResource<Sized.Spec, Void> {
    private static final long serialVersionUID = 1L;

    static final class Spec {
      public int size;
    }
  }

  private static UndecodableException failure(String spec) {
    byte[] json =
        ("{\"metadata\":{\"name\":\"a\",\"uid\":\"1\"},\"spec\":" + spec + "}")
            .getBytes(StandardCharsets.UTF_8);
    CachedObject<Sized> object =
        new ObjectDecoder<>(ObjectCodec.of(Sized.class)).decode(json, 0, json.length);
    return catchThrowableOfType(UndecodableException.class, object::decode);
  }

  @Test
  void namesAFieldThatTheClassDoesNotHaveAndHowToIgnoreIt() {
    UndecodableException failure = failure("{\"size\":1,\"newField\":\"secret\"}");
    assertThat(failure.problem())
        .isEqualTo(
            "does not fit %s at spec.newField, a field that the class does not have",
            Sized.class.getName());
    assertThat(failure.expectedType()).isEmpty();
    assertThat(failure.remedy()).contains("@JsonIgnoreProperties(ignoreUnknown = true)");
    assertThat(failure).hasMessageNotContaining("secret").hasStackTraceContaining("newField");
  }

  @Test
  void namesAValueOfTheWrongTypeAndAsksForItsCorrection() {
    UndecodableException failure = failure("{\"size\":\"large\"}");
    assertThat(failure.problem()).isEqualTo("does not fit %s at spec.size", Sized.class.getName());
    assertThat(failure.expectedType()).hasValue("integer");
    assertThat(failure.remedy())
        .isEqualTo(
            "Correct it to match the CRD or, if the CRD has several versions, configure their"
                + " conversion");
  }
}
