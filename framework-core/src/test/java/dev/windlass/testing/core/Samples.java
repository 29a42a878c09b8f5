// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import org.jspecify.annotations.Nullable;

/** States of Foos, and of ConfigMaps that they own. */
public final class Samples {

  public static final ResourceType FOO = ResourceType.of(Foo.class);

  private static final ObjectCodec<Foo> FOOS = ObjectCodec.of(Foo.class);
  private static final ObjectCodec<ConfigMap> CONFIG_MAPS = ObjectCodec.of(ConfigMap.class);

  private Samples() {}

  /** The Foo {@code default/name} with the uid {@code name-uid}. */
  public static Foo foo(String name) {
    Foo foo = new Foo();
    foo.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(name)
            .withUid(name + "-uid")
            .build());
    return foo;
  }

  public static CachedObject<Foo> cachedFoo(String name) {
    return cachedFoo(name, name + "-uid", 1, 1);
  }

  public static CachedObject<Foo> cachedFoo(
      String name, String uid, long version, long generation) {
    Foo foo = foo(name);
    foo.getMetadata().setUid(uid);
    foo.getMetadata().setResourceVersion(Long.toString(version));
    foo.getMetadata().setGeneration(generation);
    return FOOS.encode(foo);
  }

  /** An empty ConfigMap. */
  public static ConfigMap configMap(@Nullable String namespace, String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .build();
  }

  /** The ConfigMap {@code default/name}, as a server may list it. */
  public static CachedObject<ConfigMap> cachedConfigMap(
      String name, long version, OwnerReference... owners) {
    return CONFIG_MAPS.encode(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName(name)
            .withUid(name + "-uid")
            .withResourceVersion(Long.toString(version))
            .withOwnerReferences(owners)
            .endMetadata()
            .addToData("owner", name)
            .build());
  }

  /** A reference to the Foo of that name as the controller. */
  public static OwnerReferenceBuilder ownedBy(String name) {
    return new OwnerReferenceBuilder()
        .withApiVersion("samplecontroller.k8s.io/v1alpha1")
        .withKind("Foo")
        .withName(name)
        .withUid(name + "-uid")
        .withController(true);
  }

  /** What a test puts on a fake server. */
  public static String json(String kind, String name) {
    return """
        {"kind":"%s","metadata":{"namespace":"default","name":"%s","generation":1}}"""
        .formatted(kind, name);
  }
}
