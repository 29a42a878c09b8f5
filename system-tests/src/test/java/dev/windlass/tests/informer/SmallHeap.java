// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.Projection;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program that fills an informer, to be run with little memory: {@code SmallHeap kubeconfig
 * namespace projection streaming|paged}. Says how many objects and bytes it holds in the end.
 */
final class SmallHeap {

  private SmallHeap() {}

  /** The program. */
  public static void main(String[] arguments) throws Exception {
    Config config = Config.fromKubeconfig(Files.readString(Path.of(arguments[0])));
    config.setHttp2Disable(true);
    KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
    boolean paged = arguments[3].equals("paged");
    SharedInformerFactory informers =
        new SharedInformerFactory(
            (type, scope) -> {
              ListerWatcher http = new HttpListerWatcher(client, type, scope);
              return paged ? new Line.Paged(http) : http;
            },
            WatchScope.ALL,
            InformerOptions.defaults());
    var informer =
        informers.informer(
            InformerSpec.of(Widget.class)
                .in(WatchScope.namespace(arguments[1]))
                .with(Projection.valueOf(arguments[2])));
    informers.start();
    while (!informer.hasSynced()) {
      Thread.sleep(10);
    }
    System.out.println(informer.indexer().size() + " " + informer.indexer().bytes());
    System.exit(0);
  }
}
