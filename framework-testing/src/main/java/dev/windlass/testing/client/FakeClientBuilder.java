// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.embedded.InProcessApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Builds a {@link FakeClient}. This class is not thread-safe. */
public final class FakeClientBuilder {

  /** An index over the objects of a class. */
  record FakeIndex(
      Class<? extends HasMetadata> type, Function<HasMetadata, Collection<String>> values) {}

  private final List<HasMetadata> objects = new ArrayList<>();
  private final List<CustomResourceDefinition> definitions = new ArrayList<>();
  private final Set<ResourceType> withoutStatus = new HashSet<>();
  private final Map<String, FakeIndex> indices = new LinkedHashMap<>();
  private String fieldOwner = "fake";
  private Clock clock = Clock.systemUTC();

  FakeClientBuilder() {}

  /** Adds initial objects, including their status. */
  public FakeClientBuilder objects(HasMetadata... initial) {
    objects.addAll(List.of(initial));
    return this;
  }

  /**
   * Adds a custom resource definition, whose schema, defaults and subresources then apply to its
   * type.
   */
  public FakeClientBuilder definition(CustomResourceDefinition definition) {
    definitions.add(definition);
    return this;
  }

  /**
   * Disables the status subresource of the given custom resource type. Every write of an object
   * then also writes its status. By default, a custom resource type without a {@link #definition}
   * has a status subresource. Built-in types have the same subresources as in Kubernetes.
   */
  public FakeClientBuilder withoutStatusSubresource(Class<? extends HasMetadata> type) {
    withoutStatus.add(ResourceType.of(type));
    return this;
  }

  /** Adds an index. List calls can use it in the same way as an index of a manager's cache. */
  public <T extends HasMetadata> FakeClientBuilder index(
      Class<T> type, String name, Function<T, Collection<String>> values) {
    indices.put(name, new FakeIndex(type, object -> values.apply(type.cast(object))));
    return this;
  }

  /** Sets the field owner for writes outside reconciles. The default is {@code fake}. */
  public FakeClientBuilder fieldOwner(String owner) {
    fieldOwner = owner;
    return this;
  }

  /**
   * Sets the clock for the timestamps that a server sets, such as creationTimestamp. The default is
   * the system clock.
   */
  public FakeClientBuilder clock(Clock other) {
    clock = other;
    return this;
  }

  /**
   * Creates the client.
   *
   * @throws dev.windlass.client.ApiException if an initial object violates the rules of its type
   */
  public FakeClient build() {
    InProcessApi api = new InProcessApi(clock);
    definitions.forEach(api::define);
    FakeClient client =
        FakeClient.over(api, new FakeTypes(api, withoutStatus), indices, fieldOwner);
    objects.stream().filter(Namespace.class::isInstance).forEach(client::add);
    objects.stream().filter(object -> !(object instanceof Namespace)).forEach(client::add);
    return client;
  }
}
