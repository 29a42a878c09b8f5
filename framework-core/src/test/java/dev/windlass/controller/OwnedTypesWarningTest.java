// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** owns(...) sees nothing of what is made without an owner, and says so once. */
@Timeout(60)
final class OwnedTypesWarningTest {

  private static ConfigMap map(String name) {
    return Samples.configMap("default", name);
  }

  private static Secret secret() {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("other")
        .endMetadata()
        .build();
  }

  @Test
  void warnsOnceOfAnOwnedTypeThatIsMadeWithoutAnOwner() {
    Map<String, FakeListerWatcher> watched = new ConcurrentHashMap<>();
    AtomicBoolean done = new AtomicBoolean();
    try (Http server = new Http();
        Logs logs = Logs.of(Controller.class);
        Manager manager =
            Manager.builder()
                .config(server.config())
                .checkPermissions(false)
                .connector(
                    client ->
                        (type, scope) ->
                            watched.computeIfAbsent(type.kind(), kind -> new FakeListerWatcher()))
                .build()) {
      server.answer("POST /api/v1/namespaces/default/configmaps", "{}");
      server.answer("POST /api/v1/namespaces/default/secrets", "{}");
      Foo foo = Samples.foo("a");
      Client client = manager.client();
      ControllerBuilder.forType(Foo.class)
          .owns(ConfigMap.class)
          .reconciler(
              (request, context) -> {
                ConfigMap owned = map("owned");
                OwnerReferences.setController(owned, foo);
                client.create(owned);
                client.create(secret()); // is none of its business
                client.create(map("one"));
                client.create(map("two"));
                done.set(true);
                return Result.done();
              })
          .register(manager);
      watched.computeIfAbsent("Foo", kind -> new FakeListerWatcher()).put(Samples.json("Foo", "a"));
      manager.start();
      Eventually.that(() -> assertThat(done).isTrue());
      client.create(map("outside of a reconcile"));
      assertThat(logs.lines().stream().filter(line -> line.contains("owner reference")).toList())
          .isEqualTo(
              List.of(
                  "WARN A reconcile of Foo created ConfigMap default/one without an owner"
                      + " reference, so owns(ConfigMap) does not see its changes. Use Owned.apply,"
                      + " or call OwnerReferences.setController before creating the object"));
    }
  }
}
