// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.tests.operators.Requests.Sent;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a watch goes through: refused, listed, watched, broken, resumed, expired, listed again. */
final class ReflectorStatesIT extends OnRealServer {

  private static final String USER = "r11-reader";

  private final Feeds feeds = new Feeds();
  private final Heard heard = new Heard();

  /** Without streaming lists, a list and a watch are two requests, as the document tells it. */
  private record Paged(ListerWatcher source) implements ListerWatcher {
    @Override
    public FeedStream list(ListRequest request, Runnable wakeUp) {
      return source.list(request, wakeUp);
    }

    @Override
    public FeedStream watch(WatchRequest request, Runnable wakeUp) {
      return source.watch(request, wakeUp);
    }

    @Override
    public String describe() {
      return source.describe();
    }
  }

  @Test
  void goesFromStateToState() throws Exception {
    ConfigMaps maps = new ConfigMaps(kubectl, namespace);
    Config config = server().userConfig(USER);
    TcpProxy network = closing(TcpProxy.to(URI.create(config.getMasterUrl()).getPort()));
    config.setMasterUrl("https://127.0.0.1:" + network.port() + "/");
    config.setRequestRetryBackoffLimit(0);
    config.setHttp2Disable(true);
    KubernetesClient client = closing(requests.client(config));
    InformerSpec<ConfigMap> spec =
        InformerSpec.of(ConfigMap.class)
            .in(WatchScope.namespace(namespace).withLabels(ConfigMaps.LABEL));
    SharedIndexInformer<ConfigMap> informer =
        new SharedIndexInformer<>(
            spec,
            new Paged(new HttpListerWatcher(client, spec.type(), spec.scope())),
            InformerOptions.defaults().withListener(feeds));
    closing(() -> assertThat(informer.stop(Duration.ofSeconds(30))).isTrue());
    assertThat(informer.addEventHandler(heard)).isNotNull();
    maps.create("a", "0");
    maps.create("b", "0");
    maps.create("c", "0");

    // Empty: the list is refused, and tried again; nothing is watched.
    informer.start();
    eventually().until(() -> feeds.count("failed FORBIDDEN") >= 2);
    assertThat(feeds.count("listing START")).isGreaterThanOrEqualTo(2);
    assertThat(feeds.count("watching")).isZero();
    assertThat(informer.hasSynced()).isFalse();

    // Listed, then watched from the version of the list, in two requests.
    letRead();
    eventually().until(() -> heard.events().size() == 3);
    assertThat(heard.events())
        .allMatch(e -> e instanceof ResourceEvent.Added<ConfigMap> added && added.initial());
    eventually().until(() -> feeds.count("watching") == 1);
    assertThat(feeds.steps()).containsSubsequence("listed 3", feeds.last("watching"));
    List<Sent> sent = requests.of("GET configmaps");
    assertThat(sent).filteredOn(Sent::isWatch).hasSize(1);
    Sent watch = sent.get(sent.size() - 1);
    assertThat(watch.isWatch()).as("the list comes first").isTrue();
    assertThat(watch.query() + "&")
        .contains("resourceVersion=" + feeds.last("watching").replace("watching from ", "") + "&");

    // What is watched goes the way of what was listed.
    String version = maps.change("a", "1").getMetadata().getResourceVersion();
    eventually().until(() -> version.equals(heard.versions().get("a")));

    // Closed: resumed behind the last event, without a list.
    network.cut();
    maps.change("a", "2");
    network.heal();
    eventually().until(() -> heard.versions().equals(maps.versions()));
    assertThat(feeds.count("listing EXPIRED")).isZero();
    assertThat(feeds.count("listed")).isEqualTo(1);
    long resumedFrom = Long.parseLong(feeds.last("watching").replace("watching from ", ""));
    assertThat(resumedFrom).isGreaterThanOrEqualTo(Long.parseLong(version));

    // Expired: listed again, and what happened meanwhile comes out.
    network.cut();
    maps.delete("b");
    maps.change("c", "1");
    server().compact();
    server().killApiServer();
    server().startApiServer();
    network.heal();
    eventually().until(() -> heard.versions().equals(maps.versions()));
    assertThat(feeds.steps())
        .containsSubsequence(
            "failed EXPIRED", "listing EXPIRED", "listed 2", feeds.last("watching"));
    assertThat(feeds.count("listed")).isEqualTo(2);
    assertThat(heard.of("b").get(heard.of("b").size() - 1))
        .isInstanceOfSatisfying(
            ResourceEvent.Deleted.class, gone -> assertThat(gone.finalStateUnknown()).isTrue());
    assertThat(heard.contradictions()).isEmpty();

    // And watched again.
    maps.create("d", "0");
    eventually().until(() -> heard.versions().containsKey("d"));
    assertThat(feeds.count("listed")).isEqualTo(2);
  }

  private void letRead() {
    kubectl
        .resource(
            new RoleBindingBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(USER)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                .addNewSubject("rbac.authorization.k8s.io", "User", USER, null)
                .build())
        .create();
  }
}
