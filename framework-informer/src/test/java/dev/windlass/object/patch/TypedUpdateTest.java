// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.fabric8.kubernetes.api.model.Duration;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TypedUpdateTest {

  /** Scalars, and a type that no server stores. */
  private static final List<Class<?>> EXCEPTIONS =
      List.of(IntOrString.class, Duration.class, JsonNode.class, PartialObjectMetadata.class);

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Therefore, an update of a built-in type needs no base. */
  @Test
  void theClassesOfBuiltInTypesKeepTheFieldsThatTheyDoNotDeclare() throws Exception {
    Set<Class<?>> seen = new HashSet<>(EXCEPTIONS);
    int kinds = 0;
    for (var provider : ServiceLoader.load(KubernetesResource.class).stream().toList()) {
      if (HasMetadata.class.isAssignableFrom(provider.type())) {
        HasMetadata object = (HasMetadata) provider.get();
        if (TypedUpdate.isComplete(object)) {
          kinds++;
          requireToKeep(JSON.constructType(object.getClass()), seen);
        }
      }
    }
    assertThat(kinds).isGreaterThan(50);
  }

  private static void requireToKeep(JavaType type, Set<Class<?>> seen) {
    Class<?> raw = type.getRawClass();
    if (type.isContainerType()) {
      requireToKeep(type.getContentType(), seen);
    } else if (!raw.isPrimitive()
        && !raw.isEnum()
        && !raw.getName().startsWith("java.")
        && seen.add(raw)) {
      assertThat(JSON.getDeserializationConfig().introspect(type).findAnySetterAccessor())
          .as(raw.getName())
          .isNotNull();
      var written = JSON.getSerializationConfig().introspect(type);
      assertThat(written.findAnyGetter()).as(raw.getName()).isNotNull();
      for (BeanPropertyDefinition field : written.findProperties()) {
        requireToKeep(field.getPrimaryType(), seen);
      }
    }
  }
}
