// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.client.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A manager on virtual time, whose servers are fakes, one for each kind. */
public abstract class BuilderHarness {

  static final Reconciler NOTHING = (request, context) -> Result.done();

  public final ManualScheduler time = new ManualScheduler();
  final Map<String, FakeListerWatcher> servers = new ConcurrentHashMap<>();
  public final List<String> scopes = new CopyOnWriteArrayList<>();
  final List<String> namespaces = new CopyOnWriteArrayList<>();
  public final BlockingQueue<String> reconciled = new LinkedBlockingQueue<>();
  public final Manager manager = settings().build();

  ManagerBuilder settings() {
    return Manager.builder()
        .config(Config.empty())
        .informerOptions(InformerOptions.defaults().withScheduler(time))
        .connector(client -> this::connect);
  }

  @AfterEach
  void stops() {
    assertThat(manager.stop()).isTrue();
    servers.values().forEach(FakeListerWatcher::assertNothingOpen);
  }

  FakeListerWatcher connect(ResourceType type, WatchScope scope) {
    scopes.add(type.plural() + " " + scope.labelSelector());
    namespaces.add(type.plural() + " in " + scope.namespace());
    return server(type.kind());
  }

  FakeListerWatcher server(String kind) {
    return servers.computeIfAbsent(kind, k -> new FakeListerWatcher());
  }

  Result see(Request request, Object context) {
    reconciled.add(request.toString());
    return Result.done();
  }

  void start(ControllerBuilder<Foo> builder) {
    Controller controller = builder.reconciler(this::see).register(manager);
    startUntilReady(controller);
  }

  void startUntilReady(Controller controller) {
    manager.start();
    Eventually.that(
        () -> assertThat(manager.informers().informers()).allMatch(SharedIndexInformer::hasSynced));
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(controller.isReady()).isTrue());
  }

  List<String> next(int number) throws InterruptedException {
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      requests.add(String.valueOf(reconciled.poll(20, TimeUnit.SECONDS)));
    }
    return requests;
  }

  static String owned(String name, String owner) {
    return """
    {"kind":"ConfigMap","metadata":{"namespace":"default","name":"%s","ownerReferences":[
    {"apiVersion":"samplecontroller.k8s.io/v1alpha1","kind":"Foo","name":"%s","uid":"uid-1",\
    "controller":true}]}}\
    """
        .formatted(name, owner);
  }

  static ControllerBuilder<Foo> ofFoo() {
    return ControllerBuilder.forType(Foo.class);
  }
}
