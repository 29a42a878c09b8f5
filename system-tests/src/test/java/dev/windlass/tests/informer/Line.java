// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.Reflector;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/**
 * Informers of one client, on the transport that a manager uses, over a network of their own that a
 * test may break.
 */
final class Line implements AutoCloseable {

  private final TcpProxy network;
  private final KubernetesClient client;
  private final SharedInformerFactory informers;
  private final AtomicInteger watches = new AtomicInteger();
  private final AtomicInteger lists = new AtomicInteger();
  private final Warnings warnings;

  /** What the reflectors of this line warn of. */
  private static final class Warnings extends AppenderBase<ILoggingEvent> {
    final Logger logger = (Logger) LoggerFactory.getLogger(Reflector.class);
    final List<String> messages = new CopyOnWriteArrayList<>();
    final String address;

    Warnings(String address) {
      this.address = address;
      start();
      logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)
          && event.getFormattedMessage().contains(address)) {
        messages.add(event.getFormattedMessage());
      }
    }
  }

  /**
   * A server that does not stream lists, as far as the reflector knows. Before each further page,
   * something happens.
   */
  record Paged(ListerWatcher source, Runnable betweenPages) implements ListerWatcher {

    Paged(ListerWatcher source) {
      this(source, () -> {});
    }

    @Override
    public FeedStream list(ListRequest request, Runnable wakeUp) {
      if (!request.continueToken().isEmpty()) {
        betweenPages.run();
      }
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

  Line(Config config, UnaryOperator<ListerWatcher> source, InformerOptions options) {
    network = TcpProxy.to(URI.create(config.getMasterUrl()).getPort());
    String address = "https://127.0.0.1:" + network.port() + "/";
    // As ManagerBuilder does it.
    config.setMasterUrl(address);
    config.setRequestRetryBackoffLimit(0);
    config.setHttp2Disable(true);
    client = new KubernetesClientBuilder().withConfig(config).build();
    warnings = new Warnings(address);
    informers =
        new SharedInformerFactory(
            (type, scope) -> source.apply(new HttpListerWatcher(client, type, scope)),
            WatchScope.ALL,
            options.withListener(
                new FeedListener() {
                  @Override
                  public void watching(String resourceVersion) {
                    watches.incrementAndGet();
                  }

                  @Override
                  public void listed(int objects) {
                    lists.incrementAndGet();
                  }
                }));
  }

  /** Informers as users have them, whose lists are streams. */
  static Line to(TestApiServer server) {
    return new Line(server.clientConfig(), source -> source, InformerOptions.defaults());
  }

  /** Informers whose lists come in pages. */
  static Line inPagesTo(TestApiServer server) {
    return new Line(server.clientConfig(), Paged::new, InformerOptions.defaults());
  }

  TcpProxy network() {
    return network;
  }

  KubernetesClient client() {
    return client;
  }

  SharedInformerFactory informers() {
    return informers;
  }

  /** How many watches were asked for; one that a streaming list turned into does not count. */
  int watches() {
    return watches.get();
  }

  /** How many lists were read to their end. */
  int lists() {
    return lists.get();
  }

  /** What people were told of, at WARN. */
  List<String> warnings() {
    return warnings.messages;
  }

  /** Starts an informer, with a handler. */
  <T> Follower<T> follow(InformerSpec<T> spec) {
    SharedIndexInformer<T> informer = informers.informer(spec);
    Follower<T> follower = new Follower<>(informer, new EventCopy<>());
    assertThat(informer.addEventHandler(follower.events())).isNotNull();
    informers.start();
    return follower;
  }

  /** The same, and returns when it has synced. */
  <T> Follower<T> followSynced(InformerSpec<T> spec) {
    Follower<T> follower = follow(spec);
    eventually().until(follower.informer()::hasSynced);
    return follower;
  }

  /** Ends the informers, which they must within a bound, whatever the network is like. */
  @Override
  public void close() {
    try {
      assertThat(informers.shutDown(Duration.ofSeconds(10))).as("informers end in time").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      client.close();
      network.close();
      warnings.logger.detachAppender(warnings);
    }
  }
}
