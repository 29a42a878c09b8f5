// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.NotFoundException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a 404 means, for each way to meet one. The object is absent only if the server says so of
 * this object; a type, a subresource or a namespace that is missing is something else.
 */
abstract class AbsenceContract {

  /** A type without subresources; see {@link #PLAINS}. */
  @Group("absence.windlass.dev")
  @Version("v1")
  static final class Plain extends CustomResource<Void, Map<String, String>> implements Namespaced {
    private static final long serialVersionUID = 1L;
  }

  /** A type that no server serves. */
  @Group("absence.windlass.dev")
  @Version("v1")
  static final class Unserved extends CustomResource<Void, Void> implements Namespaced {
    private static final long serialVersionUID = 1L;
  }

  static final String PLAINS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: plains.absence.windlass.dev}
      spec:
        group: absence.windlass.dev
        scope: Namespaced
        names: {plural: plains, singular: plain, kind: Plain}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  record Case(
      String name, BiConsumer<Client, String> request, FailureCause cause, String permission) {

    @Override
    public String toString() {
      return name;
    }
  }

  private TestApiServer server;

  private Manager manager() {
    server.install(Serialization.unmarshal(PLAINS, CustomResourceDefinition.class));
    return Manager.builder().config(server.clientConfig()).checkPermissions(false).build();
  }

  private static <T extends HasMetadata> T named(T object, String name) {
    object.setMetadata(Samples.map("default", name).getMetadata());
    return object;
  }

  private static Plain plain(String name) {
    Plain plain = named(new Plain(), name);
    plain.setStatus(Map.of("phase", "Ready"));
    return plain;
  }

  private static ConfigMap map(String name) {
    return named(new ConfigMap(), name);
  }

  private static ObjectPatch patch() {
    return ObjectPatch.merge("{\"status\":{\"phase\":\"Ready\"}}");
  }

  static Stream<Case> writes() {
    return Stream.of(
        absent("update", (client, name) -> client.update(map(name))),
        absent("update of a custom resource", (client, name) -> client.update(plain(name))),
        absent("patch", (client, name) -> client.patch(plain(name), patch())),
        absent("update of the status", (client, name) -> client.updateStatus(plain(name))),
        absent(
            "patch of the status",
            (client, name) -> client.subresource("status").patch(plain(name), patch())),
        absent(
            "read of the scale",
            (client, name) ->
                client.subresource("scale").read(Plain.class, key(name), Scale.class)),
        lacks("status", "update", (client, name) -> client.updateStatus(there(client, name))),
        lacks(
            "status",
            "patch",
            (client, name) -> client.subresource("status").patch(there(client, name), patch())),
        lacks(
            "status",
            "patch",
            (client, name) ->
                client.withFieldOwner("absence").subresource("status").apply(there(client, name))),
        lacks(
            "scale",
            "get",
            (client, name) -> {
              there(client, name);
              client.subresource("scale").read(Plain.class, key(name), Scale.class);
            }),
        unserved("get", (client, name) -> client.get(Unserved.class, key(name))),
        unserved("delete", (client, name) -> client.delete(Unserved.class, key(name))),
        unserved("update", (client, name) -> client.update(named(new Unserved(), name))),
        unserved("create", (client, name) -> client.create(named(new Unserved(), name))),
        unserved("list", (client, name) -> client.list(Unserved.class, "default")),
        new Case(
            "create in a namespace that is missing",
            (client, name) -> {
              ConfigMap map = map(name);
              map.getMetadata().setNamespace(name); // the same name as that of the object
              client.create(map);
            },
            FailureCause.NAMESPACE_MISSING,
            "create"));
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }

  private static Plain there(Client client, String name) {
    client.create(plain(name));
    return plain(name);
  }

  private static Case absent(String name, BiConsumer<Client, String> request) {
    return new Case(name + " of an absent object", request, FailureCause.NOT_FOUND, "");
  }

  private static Case lacks(String subresource, String verb, BiConsumer<Client, String> request) {
    return new Case(
        verb + " of a missing " + subresource,
        request,
        FailureCause.NO_SUBRESOURCE,
        verb + " plains/" + subresource);
  }

  private static Case unserved(String verb, BiConsumer<Client, String> request) {
    return new Case(
        verb + " of an unserved type", request, FailureCause.UNKNOWN_TYPE, verb + " unserveds");
  }

  @ParameterizedTest
  @MethodSource("writes")
  void saysWhatIsMissing(Case c) {
    try (Manager manager = manager()) {
      String name = "a" + UUID.randomUUID().toString().substring(0, 8);
      Throwable thrown = catchThrowable(() -> c.request().accept(manager.client(), name));
      assertThat(thrown)
          .isInstanceOf(
              c.cause() == FailureCause.NOT_FOUND ? NotFoundException.class : ApiException.class);
      assertThat(thrown instanceof NotFoundException)
          .isEqualTo(c.cause() == FailureCause.NOT_FOUND);
      assertThat(((ApiException) thrown).getCode()).isEqualTo(404);
      String[] what = c.permission().split("[ /]");
      RequiredPermission permission =
          new RequiredPermission(
              List.of(what[0]), c.permission().replaceFirst("^[a-z]+ ", ""), "x.y", "");
      assertThat(thrown).hasMessageEndingWith(FailureAdvice.of(c.cause()).about(permission) + "");
    }
  }

  @Test
  void readsAndDeletesOfAnAbsentObjectAreNoFailure() {
    try (Manager manager = manager()) {
      assertThat(manager.client().get(Plain.class, key("nobody"))).isEmpty();
      assertThat(manager.client().delete(ConfigMap.class, key("nobody"))).isFalse();
    }
  }

  /** The status is then written as part of the object. */
  @Test
  void createsOrUpdatesATypeWithoutAStatusSubresource() {
    try (Manager manager = manager()) {
      String name = "a" + UUID.randomUUID().toString().substring(0, 8);
      Client client = manager.client();
      there(client, name);
      CreateOrUpdate.createOrPatch(
          client, named(new Plain(), name), plain -> plain.setStatus(Map.of("phase", "Changed")));
      assertThat(client.get(Plain.class, key(name)))
          .hasValueSatisfying(
              plain -> assertThat(plain.getStatus()).containsEntry("phase", "Changed"));
    }
  }
}
