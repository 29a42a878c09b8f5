// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.ConversionException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Two versions of lamps, their conversion and their definition. */
@SuppressWarnings("serial") // nobody serializes them
final class Lamps {

  /** A lamp with one address. */
  @Group("lamps.windlass.dev")
  @Kind("Lamp")
  @Plural("lamps")
  @Version("v1")
  static final class LampV1 extends CustomResource<LampV1.Spec, Void> implements Namespaced {
    /** Public fields, which Jackson reads as well; {@code extra} of the schema is missing. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public static final class Spec {
      public @Nullable String address;
    }
  }

  /** A lamp with a host and a port, and a colour, which its first version can't express. */
  @Group("lamps.windlass.dev")
  @Kind("Lamp")
  @Plural("lamps")
  @Version("v2")
  static final class LampV2 extends CustomResource<LampV2.Spec, Void> implements Namespaced {
    /** Public fields, which Jackson reads as well; {@code extra} of the schema is missing. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public static final class Spec {
      public @Nullable String host;
      public @Nullable Integer port;
      public @Nullable String color;
    }
  }

  static final Conversion<LampV2> CONVERSION =
      Conversion.hub(LampV2.class)
          .spoke(LampV1.class, Lamps::toHub, Lamps::fromHub)
          .keepingLostFields();

  static final String CRD = "lamps.lamps.windlass.dev";

  private Lamps() {}

  private static LampV2 toHub(LampV1 lamp) {
    LampV2 hub = new LampV2();
    if (lamp.getSpec() != null) {
      hub.setSpec(new LampV2.Spec());
      String address = lamp.getSpec().address;
      if (address != null) {
        int colon = address.lastIndexOf(':');
        if (colon < 0) {
          throw new ConversionException("spec.address has no port");
        }
        hub.getSpec().host = address.substring(0, colon);
        hub.getSpec().port = Integer.valueOf(address.substring(colon + 1));
      }
    }
    return hub;
  }

  private static LampV1 fromHub(LampV2 hub) {
    LampV1 lamp = new LampV1();
    if (hub.getSpec() != null) {
      lamp.setSpec(new LampV1.Spec());
      if (hub.getSpec().host != null) {
        lamp.getSpec().address = hub.getSpec().host + ":" + hub.getSpec().port;
      }
    }
    return lamp;
  }

  static LampV1 first(String name, String address) {
    LampV1 lamp = new LampV1();
    lamp.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(name)
            .addToLabels("name", name)
            .build());
    lamp.setSpec(new LampV1.Spec());
    lamp.getSpec().address = address;
    return lamp;
  }

  static LampV2 second(String name, String host, int port, String color) {
    LampV2 lamp = new LampV2();
    lamp.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName(name).build());
    lamp.setSpec(new LampV2.Spec());
    lamp.getSpec().host = host;
    lamp.getSpec().port = port;
    lamp.getSpec().color = color;
    return lamp;
  }

  /** A lamp of any version, with fields that the classes do not have. */
  static GenericKubernetesResource untyped(String version, String name, Map<String, ?> spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("lamps.windlass.dev/" + version)
        .withKind("Lamp")
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  /** The conversion by a webhook at an address. */
  static CustomResourceConversion webhook(String url, String caBundle) {
    return new CustomResourceConversionBuilder()
        .withStrategy("Webhook")
        .withNewWebhook()
        .withConversionReviewVersions("v1")
        .withNewClientConfig()
        .withUrl(url)
        .withCaBundle(caBundle)
        .endClientConfig()
        .endWebhook()
        .build();
  }

  /** The definition with both versions. */
  static CustomResourceDefinition definition(String storage, CustomResourceConversion conversion) {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName(CRD)
        .endMetadata()
        .withNewSpec()
        .withGroup("lamps.windlass.dev")
        .withScope("Namespaced")
        .withNewNames()
        .withKind("Lamp")
        .withPlural("lamps")
        .endNames()
        .withConversion(conversion)
        .withVersions(
            version("v1", storage, spec("address", "string", "extra", "string")),
            version(
                "v2",
                storage,
                spec("host", "string", "port", "integer", "color", "string", "extra", "string")))
        .endSpec()
        .build();
  }

  private static JSONSchemaProps spec(String... namesAndTypes) {
    JSONSchemaPropsBuilder spec = new JSONSchemaPropsBuilder().withType("object");
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      spec.addToProperties(
          namesAndTypes[i], new JSONSchemaPropsBuilder().withType(namesAndTypes[i + 1]).build());
    }
    return spec.build();
  }

  private static CustomResourceDefinitionVersion version(
      String name, String storage, JSONSchemaProps spec) {
    return new CustomResourceDefinitionVersionBuilder()
        .withName(name)
        .withServed(true)
        .withStorage(name.equals(storage))
        .withNewSchema()
        .withNewOpenAPIV3Schema()
        .withType("object")
        .addToProperties("spec", spec)
        .endOpenAPIV3Schema()
        .endSchema()
        .build();
  }
}
