// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a controller knows of a primary object that this process wrote, without any event of it. */
@Timeout(60)
final class OwnPrimaryTest {

  private static final String NAMESPACE = "default";
  private static final ObjectKey KEY = ObjectKey.of(NAMESPACE, "primary");
  private static final String PAUSED = "example.com/paused";

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final LateWatch watch = new LateWatch();

  /** The name of each reconciled object, and how many secondary objects it has. */
  private final BlockingQueue<String> reconciles = new LinkedBlockingQueue<>();

  private Manager manager;
  private EventChannel<ConfigMap> channel;

  @BeforeEach
  void starts() throws Exception {
    manager =
        Manager.builder()
            .config(server.clientConfig())
            .fieldOwner("test")
            .checkPermissions(false)
            .connector(
                client -> (type, scope) -> watch.over(new HttpListerWatcher(client, type, scope)))
            .build();
    channel = Source.channel(ConfigMap.class, manager.informerOptions());
    Controller controller =
        ControllerBuilder.forType(ConfigMap.class)
            .owns(Secret.class)
            .pausedBy(PAUSED)
            .watches(channel)
            .reconciler(
                (request, context) -> {
                  reconciles.add(request.name() + " " + context.secondaries(Secret.class).size());
                  return Result.done();
                })
            .register(manager);
    manager.start();
    eventually().until(controller::isReady);
    watch.late(true);
  }

  @AfterEach
  void stops() {
    watch.late(false);
    manager.close();
  }

  private ConfigMap create() {
    ConfigMap primary = manager.client().create(Samples.map(NAMESPACE, KEY.name()));
    Secret child =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(NAMESPACE)
            .withName("child")
            .endMetadata()
            .build();
    Owned.apply(manager.client(), primary, child);
    return primary;
  }

  private String reconcile(ObjectKey key) throws InterruptedException {
    channel.send(new Request(key));
    return reconciles.poll(20, TimeUnit.SECONDS);
  }

  @Test
  void findsTheSecondariesOfAPrimaryThatNoWatchHasDelivered() throws Exception {
    create();
    assertThat(reconcile(KEY)).isEqualTo("primary 1");
    manager.client().delete(ConfigMap.class, KEY);
    assertThat(reconcile(KEY)).as("the garbage collector deletes them").isEqualTo("primary 0");
  }

  @Test
  void isPausedAtOnce() throws Exception {
    ConfigMap primary = create();
    String annotations = "{\"metadata\":{\"annotations\":{\"%s\":%s}}}";
    manager.client().patch(primary, ObjectPatch.merge(annotations.formatted(PAUSED, "\"true\"")));
    channel.send(new Request(KEY));
    assertThat(reconcile(ObjectKey.of(NAMESPACE, "other"))).isEqualTo("other 0");
    manager.client().patch(primary, ObjectPatch.merge(annotations.formatted(PAUSED, "null")));
    assertThat(reconcile(KEY)).isEqualTo("primary 1");
  }
}
