// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.DeleteParams.Propagation;
import dev.windlass.client.FieldValidation;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.Prune;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.Informer;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * After a dry run of any write, with any options, the server stores what it stored before, and the
 * client's caches show nothing else; holds on each server. The same write without a dry run changes
 * the state, which shows that the dry run was a dry run of something.
 */
@Timeout(120)
abstract class DryRunContract {

  private static final List<Class<? extends HasMetadata>> TYPES =
      List.of(ConfigMap.class, StatefulSet.class, Widget.class, ServiceAccount.class, Pod.class);

  /** The deletions that another process completes, whose writes a cache shows with its watch. */
  private static final Pattern GARBAGE =
      Pattern.compile("foreground|orphan", Pattern.CASE_INSENSITIVE);

  private static final ResourceType MAPS = ResourceType.of(ConfigMap.class);

  private final String namespace = "dry-" + UUID.randomUUID().toString().substring(0, 8);
  private Client client;

  /** The client under test, which may have caches. Its field owner is "dry". */
  abstract Client client();

  /** A manager that caches all types of the contract. */
  static Manager cachingManager(TestApiServer server) {
    Manager manager =
        Manager.builder()
            .config(server.clientConfig())
            .fieldOwner("dry")
            .checkPermissions(false)
            .build();
    List<? extends Informer<?>> caches = TYPES.stream().map(manager::cache).toList();
    manager.start();
    eventually().until(() -> caches.stream().allMatch(Informer::hasSynced));
    return manager;
  }

  /** A write, and whether it changes what is stored if it is no dry run. */
  record Case(String name, boolean changes, Write write) {
    @Override
    public String toString() {
      return name;
    }
  }

  interface Write {
    void run(DryRunContract on, Client c) throws Exception;
  }

  private static Case row(String name, Write write) {
    return new Case(name, true, write);
  }

  private static final List<UnaryOperator<Client>> OPTIONS =
      List.of(
          Client::dryRun,
          c -> c.uncached().dryRun(),
          c -> c.dryRun().uncached(),
          c -> c.dryRun().reading(Projection.FULL),
          c -> c.dryRun().withFieldOwner("other"),
          c -> c.withFieldOwner("other").dryRun(),
          c -> c.dryRun().withFieldValidation(FieldValidation.STRICT),
          c -> c.withFieldValidation(FieldValidation.IGNORE).dryRun(),
          c -> c.dryRun().withoutForce());

  private static final String LABEL = "{\"metadata\":{\"labels\":{\"new\":\"yes\"}}}";

  /** Each write that all servers have. */
  static Stream<Case> writes() {
    return Stream.of(
        row("create", (on, c) -> c.create(on.map("new"))),
        row("create without a class", (on, c) -> c.create(generic(Widget.of(on.namespace, "new")))),
        row(
            "update",
            (on, c) -> {
              ConfigMap map = on.get(ConfigMap.class, "mine");
              map.setData(Map.of("new", "yes"));
              c.update(map);
              map.getMetadata().setResourceVersion(null);
              c.update(map);
            }),
        row(
            "update without a class",
            (on, c) -> {
              GenericKubernetesResource map = c.get(MAPS, on.key("mine")).orElseThrow();
              map.getMetadata().setLabels(Map.of("new", "yes"));
              c.update(map);
            }),
        row("merge patch", (on, c) -> c.patch(on.map("mine"), ObjectPatch.merge(LABEL))),
        row("strategic patch", (on, c) -> c.patch(on.map("mine"), ObjectPatch.strategic(LABEL))),
        row(
            "JSON patch",
            (on, c) ->
                c.patch(
                    on.map("mine"),
                    ObjectPatch.json("[{\"op\":\"add\",\"path\":\"/immutable\",\"value\":true}]"))),
        row(
            "patch from another version",
            (on, c) -> {
              Widget before = on.get(Widget.class, "owner");
              Widget after = on.get(Widget.class, "owner");
              after.getSpec().setSize(2);
              c.patch(after, ObjectPatch.mergeFrom(before));
            }),
        row("patch that ends an object", (on, c) -> on.finish(c)),
        row("apply", (on, c) -> c.apply(on.data("mine"))),
        row(
            "apply as a whole",
            (on, c) -> c.applyWhole(on.data("mine"), c.get(on.data("mine")).orElseThrow())),
        row("apply what is missing", (on, c) -> c.apply(on.data("new"))),
        row("apply without a class", (on, c) -> c.apply(generic(on.data("mine")))),
        row("applyNew", (on, c) -> c.applyNew(on.data("new"))),
        row("updateStatus", (on, c) -> c.updateStatus(on.ready())),
        row(
            "patch of a status",
            (on, c) ->
                c.status().patch(on.ready(), ObjectPatch.merge("{\"status\":{\"ready\":3}}"))),
        row(
            "apply of a status",
            (on, c) -> {
              Widget widget = Widget.of(on.namespace, "owner");
              widget.setSpec(null);
              widget.setStatus(on.ready().getStatus());
              c.status().apply(widget);
            }),
        row(
            "scale",
            (on, c) -> {
              Scale scale =
                  c.subresource("scale").read(StatefulSet.class, on.key("set"), Scale.class);
              scale.getSpec().setReplicas(2);
              c.subresource("scale").replace(StatefulSet.class, on.key("set"), scale);
            }),
        delete(DeleteParams.DEFAULT),
        delete(DeleteParams.DEFAULT.withPropagation(Propagation.BACKGROUND)),
        delete(DeleteParams.DEFAULT.withPropagation(Propagation.FOREGROUND)),
        delete(DeleteParams.DEFAULT.withPropagation(Propagation.ORPHAN)),
        delete(DeleteParams.DEFAULT.withGracePeriod(Duration.ZERO)),
        delete(DeleteParams.DEFAULT.withGracePeriod(Duration.ofSeconds(30))),
        row("delete of all types", (on, c) -> TYPES.forEach(type -> c.delete(type, on.key("set")))),
        row(
            "delete this version",
            (on, c) -> {
              ConfigMap map = on.get(ConfigMap.class, "mine");
              c.delete(
                  ConfigMap.class,
                  on.key("mine"),
                  DeleteParams.exactly(map).withPropagation(Propagation.FOREGROUND));
            }),
        row("delete what is held", (on, c) -> c.delete(ConfigMap.class, on.key("held"))),
        row(
            "delete without a class",
            (on, c) -> c.delete(MAPS, on.key("mine"), DeleteParams.DEFAULT)),
        row(
            "deleteAllOf",
            (on, c) ->
                c.deleteAllOf(ConfigMap.class, ListParams.in(on.namespace), DeleteParams.DEFAULT)),
        row(
            "deleteAllOf in the foreground",
            (on, c) ->
                c.deleteAllOf(
                    Widget.class,
                    ListParams.in(on.namespace).withFields("metadata.name=owner"),
                    DeleteParams.DEFAULT.withPropagation(Propagation.FOREGROUND))),
        row(
            "Prune",
            (on, c) ->
                assertThat(Prune.prune(c, on.owner(), ConfigMap.class, List.of())).hasSize(1)),
        row("Owned.apply", (on, c) -> Owned.apply(c, on.owner(), on.data("mine"))),
        row("Owned.apply of what is missing", (on, c) -> Owned.apply(c, on.owner(), on.map("new"))),
        row("Owned.adopt", (on, c) -> Owned.adopt(c, on.owner(), on.get(ConfigMap.class, "held"))),
        row("Finalizers", (on, c) -> finalizers().run(c, on.owner())),
        row(
            "Finalizers of what is being deleted",
            (on, c) -> finalizers().run(c, on.get(Widget.class, "ending"))),
        row(
            "createOrUpdate",
            (on, c) ->
                CreateOrUpdate.createOrUpdate(
                    c, Widget.of(on.namespace, "owner"), DryRunContract::change)),
        row(
            "createOrPatch",
            (on, c) ->
                CreateOrUpdate.createOrPatch(
                    c, Widget.of(on.namespace, "owner"), DryRunContract::change)),
        row(
            "createOrPatch of what is missing",
            (on, c) -> CreateOrUpdate.createOrPatch(c, on.map("new"), map -> {})));
  }

  private static Case delete(DeleteParams how) {
    return row("delete " + how, (on, c) -> c.delete(ConfigMap.class, on.key("mine"), how));
  }

  /** The writes of Pods and ServiceAccounts, which not every server has. */
  static Stream<Case> ofPods() {
    return Stream.of(
        row(
            "eviction",
            (on, c) ->
                c.subresource("eviction")
                    .create(
                        Pod.class,
                        on.key("pod"),
                        new EvictionBuilder().withMetadata(on.map("pod").getMetadata()).build(),
                        Status.class)),
        row(
            "binding",
            (on, c) ->
                c.subresource("binding")
                    .create(
                        Pod.class,
                        on.key("pod"),
                        new BindingBuilder()
                            .withMetadata(on.map("pod").getMetadata())
                            .withNewTarget()
                            .withKind("Node")
                            .withName("somewhere")
                            .endTarget()
                            .build(),
                        Status.class)),
        new Case(
            "token",
            false,
            (on, c) ->
                c.subresource("token")
                    .create(
                        ServiceAccount.class,
                        on.key("default"),
                        new TokenRequest(),
                        TokenRequest.class)));
  }

  @ParameterizedTest
  @MethodSource("cases") // of the subclass
  void changesNothing(Case write) throws Exception {
    client = client();
    prepare();
    Map<String, String> before = stored(client.uncached());
    Map<String, String> shown = versions(client);
    for (UnaryOperator<Client> options : OPTIONS) {
      write.write().run(this, options.apply(client));
      assertThat(stored(client.uncached())).as("what the server stores").isEqualTo(before);
      assertThat(versions(client)).as("what the caches show").isEqualTo(shown);
    }
    write.write().run(this, client);
    assertThat(!stored(client.uncached()).equals(before)).isEqualTo(write.changes());
    if (GARBAGE.matcher(write.name()).find()) { // the garbage collector deletes the rest
      Eventually.until(() -> versions(client).equals(versions(client.uncached())));
    }
    assertThat(versions(client)).isEqualTo(versions(client.uncached()));
  }

  private void prepare() {
    client.create(Samples.namespace(namespace));
    client.apply(Samples.serviceAccount(namespace, "default"));
    Widget owner = client.create(Widget.of(namespace, "owner"));
    Owned.apply(client, owner, map("mine"));
    ConfigMap held = map("held");
    held.getMetadata().setFinalizers(List.of("example.com/held"));
    client.create(held);
    Widget ending = Widget.of(namespace, "ending");
    ending.getMetadata().setFinalizers(List.of("example.com/clean"));
    client.create(ending);
    client.delete(Widget.class, key("ending"));
    ObjectMeta pod = map("pod").getMetadata();
    pod.setLabels(Map.of("app", "web"));
    client.create(Samples.pod(pod));
    client.create(Samples.statefulSet(map("set").getMetadata()));
  }

  /** The objects of the namespace, whole. */
  private Map<String, String> stored(Client from) {
    Map<String, String> stored = new TreeMap<>();
    for (Class<? extends HasMetadata> type : TYPES) {
      from.list(type, namespace)
          .forEach(
              object ->
                  stored.put(
                      object.getKind() + "/" + object.getMetadata().getName(),
                      Serialization.asJson(object)));
    }
    return stored;
  }

  private Map<String, String> versions(Client from) {
    Map<String, String> versions = new TreeMap<>();
    for (Class<? extends HasMetadata> type : TYPES) {
      for (HasMetadata object : from.list(type, namespace)) {
        String name = object.getMetadata().getName();
        String version = object.getMetadata().getResourceVersion();
        versions.put(type.getSimpleName() + "/" + name, version);
        assertThat(from.get(type, key(name)).orElseThrow().getMetadata().getResourceVersion())
            .isEqualTo(version);
      }
    }
    return versions;
  }

  private ObjectKey key(String name) {
    return ObjectKey.of(namespace, name);
  }

  private <T extends HasMetadata> T get(Class<T> type, String name) {
    return client.get(type, key(name)).orElseThrow();
  }

  private Widget owner() {
    return get(Widget.class, "owner");
  }

  private ConfigMap map(String name) {
    return Samples.map(namespace, name);
  }

  private ConfigMap data(String name) {
    ConfigMap map = map(name);
    map.setData(Map.of("new", "yes"));
    return map;
  }

  private Widget ready() {
    Widget widget = owner();
    change(widget);
    return widget;
  }

  private static void change(Widget widget) {
    widget.getSpec().setSize(3);
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(2);
  }

  private void finish(Client c) {
    c.patch(get(Widget.class, "ending"), ObjectPatch.merge("{\"metadata\":{\"finalizers\":null}}"));
  }

  private static Finalizers<Widget> finalizers() {
    return Finalizers.<Widget>none().with("example.com/clean", widget -> Result.done());
  }

  private static GenericKubernetesResource generic(HasMetadata object) {
    return Serialization.unmarshal(Serialization.asJson(object), GenericKubernetesResource.class);
  }
}
