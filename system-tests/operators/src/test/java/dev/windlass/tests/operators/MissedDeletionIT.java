// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.examples.foo.FooDeployment;
import dev.windlass.examples.foo.FooEntry;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.manager.Manager;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A Deployment is deleted while nobody looks, and history forgets it. */
final class MissedDeletionIT extends OnRealServer {

  private final List<ResourceEvent<Deployment>> heard = new CopyOnWriteArrayList<>();

  @Test
  void makesADeploymentAgainWhoseEndItMissed() {
    FooWorld world = new FooWorld(kubectl, namespace);
    Config config = server().clientConfig();
    TcpProxy network = closing(TcpProxy.to(URI.create(config.getMasterUrl()).getPort()));
    config.setMasterUrl("https://127.0.0.1:" + network.port() + "/");
    Feeds feeds = new Feeds();
    Manager manager =
        closing(
            Manager.builder()
                .client(closing(requests.client(config)))
                .namespace(namespace)
                .informerOptions(
                    InformerOptions.defaults()
                        .withListeners(
                            type -> type.kind().equals("Deployment") ? feeds : new Feeds()))
                .build());
    start(manager, FooEntry::withoutResync);
    var informer = manager.informers().existing(Deployment.class).orElseThrow();
    var handler = informer.addEventHandler(heard::add);
    for (String name : List.of("kept", "changed", "deleted")) {
      world.create(name);
      world.awaitDeployment(name);
    }
    eventually().until(() -> informer.indexer().size() == 3);
    Deployment gone = world.awaitDeployment("deleted");
    long listsBefore = feeds.count("listed");
    heard.clear();

    network.cut();
    kubectl.resource(gone).delete();
    world.makeAvailable("changed", 1);
    server().compact();
    server().killApiServer();
    server().startApiServer();
    network.heal();

    // The list shows that it is missing; what it was is the last that was known.
    Deployment again = world.awaitAnother(gone);
    assertThat(FooDeployment.isControlledBy(again, world.foo("deleted").require())).isTrue();
    world.awaitAvailable("changed", 1);
    eventually().until(() -> handler.backlog() == 0);
    assertThat(heard)
        .filteredOn(event -> event.type() == ResourceEvent.Type.DELETED)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(((ResourceEvent.Deleted<Deployment>) event).finalStateUnknown()).isTrue();
              assertThat(event.object().uid()).isEqualTo(gone.getMetadata().getUid());
            });
    assertThat(heard)
        .filteredOn(event -> event.key().name().equals("changed"))
        .isNotEmpty()
        .extracting(ResourceEvent::type)
        .containsOnly(ResourceEvent.Type.UPDATED);
    assertThat(feeds.steps()).contains("failed EXPIRED", "listing EXPIRED");
    assertThat(feeds.count("listed") - listsBefore).as("one list").isEqualTo(1);
    assertThat(requests.of("DELETE deployments")).isEmpty();
    handler.remove();
  }
}
