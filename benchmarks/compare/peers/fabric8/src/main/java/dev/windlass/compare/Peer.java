// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The program that {@code benchmarks/compare} measures for fabric8. It combines fabric8's informers
 * with a plain queue.
 */
final class Peer {

  private final KubernetesClient client = new KubernetesClientBuilder().build();
  private final KeyQueue queue = new KeyQueue();
  private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor();
  private final RunRecord run;
  private final boolean converge;
  private SharedIndexInformer<Bench> benches;
  private SharedIndexInformer<ConfigMap> children;

  private Peer(RunRecord run, boolean converge) {
    this.run = run;
    this.converge = converge;
  }

  public static void main(String[] args) throws InterruptedException {
    RunRecord run = RunRecord.started(Integer.parseInt(args[1]));
    run.answerCommands();
    Peer peer = new Peer(run, args[0].equals("converge"));
    if (args[0].equals("idle")) {
      peer.idle(Integer.parseInt(args[1]));
    } else {
      peer.start(Integer.parseInt(args[2]));
    }
    Thread.currentThread().join();
  }

  /** Starts one informer for each of the given number of types. */
  private void idle(int types) {
    for (int i = 0; i < types; i++) {
      String kind = String.format("Idle%03d", i);
      var type =
          new ResourceDefinitionContext.Builder()
              .withGroup("compare.windlass.dev")
              .withVersion("v1")
              .withKind(kind)
              .withPlural(kind.toLowerCase() + "s")
              .withNamespaced(true)
              .build();
      client
          .genericKubernetesResources(type)
          .inAnyNamespace()
          .inform(
              new ResourceEventHandler<>() {
                @Override
                public void onAdd(GenericKubernetesResource object) {
                  run.succeed(object.getMetadata().getNamespace(), object.getMetadata().getName());
                }

                @Override
                public void onUpdate(
                    GenericKubernetesResource before, GenericKubernetesResource after) {}

                @Override
                public void onDelete(GenericKubernetesResource object, boolean stateUnknown) {}
              });
    }
  }

  private void start(int workers) {
    benches = client.resources(Bench.class).inAnyNamespace().inform(handler(Cache::metaNamespaceKeyFunc));
    if (converge) {
      children = client.configMaps().inAnyNamespace().inform(handler(Peer::owner));
    }
    for (int i = 0; i < workers; i++) {
      new Thread(this::work, "worker-" + i).start();
    }
  }

  private static String owner(HasMetadata child) {
    for (OwnerReference owner : child.getMetadata().getOwnerReferences()) {
      if (Boolean.TRUE.equals(owner.getController()) && owner.getKind().equals("Bench")) {
        return child.getMetadata().getNamespace() + '/' + owner.getName();
      }
    }
    return null;
  }

  private <T extends HasMetadata> ResourceEventHandler<T> handler(Function<? super T, String> key) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        enqueue(key.apply(object));
      }

      @Override
      public void onUpdate(T before, T after) {
        enqueue(key.apply(after));
      }

      @Override
      public void onDelete(T object, boolean stateUnknown) {
        enqueue(key.apply(object));
      }
    };
  }

  private void enqueue(String key) {
    if (key != null) {
      queue.add(key);
    }
  }

  private void work() {
    try {
      while (true) {
        String key = queue.take();
        try {
          reconcile(key);
        } catch (RuntimeException e) {
          System.err.println("failed to reconcile " + key + ": " + e);
          retries.schedule(() -> queue.add(key), 1, TimeUnit.SECONDS);
        } finally {
          queue.done(key);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reconcile(String key) {
    Bench bench = benches.getStore().getByKey(key);
    if (bench == null) {
      return;
    }
    String namespace = bench.getMetadata().getNamespace();
    String name = bench.getMetadata().getName();
    run.begin(namespace, name, bench.getSpec().getSentAt());
    if (converge) {
      drive(client.getKubernetesSerialization().clone(bench), children.getStore().getByKey(key));
    }
    run.succeed(namespace, name);
  }

  private void drive(Bench bench, ConfigMap existing) {
    ConfigMap wanted = bench.child();
    wanted.getMetadata().getOwnerReferences().add(bench.reference());
    if (existing == null) {
      client.resource(wanted).create();
    } else if (!wanted.getData().equals(existing.getData())
        || !existing.getMetadata().getOwnerReferences().contains(bench.reference())) {
      client.resource(wanted).update();
    }
    if (bench.converge()) {
      client.resource(bench).updateStatus();
    }
  }
}
