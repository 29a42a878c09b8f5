// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.mock;

import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.util.HashMap;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A test server based on fabric8's {@code kubernetes-server-mock} in CRUD mode.
 *
 * <p>The server stores objects and sends changes to watches, but supports little else. Clients
 * cannot resume a watch, so informers require {@link #connector}. Defaulting, validation and
 * garbage collection are not supported. Use {@code EmbeddedApiServer} unless existing tests depend
 * on this server.
 */
public final class MockApiServer implements TestApiServer {

  /**
   * The logger of the mock server, which logs every request at level INFO. This reference prevents
   * the garbage collector from removing the logger and, with it, the level that {@link #start()}
   * sets.
   */
  private static final Logger CHATTY = Logger.getLogger("io.fabric8.mockwebserver");

  private static final int PATIENCE_MILLIS = 60_000;

  private final KubernetesMockServer server;

  private MockApiServer(KubernetesMockServer server) {
    this.server = server;
  }

  /** Starts a server without objects. */
  public static MockApiServer start() {
    CHATTY.setLevel(Level.WARNING);
    KubernetesMockServer server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            false);
    server.init();
    return new MockApiServer(server);
  }

  /**
   * Returns a connector for informers that read from this server. Pass a reference to this method
   * to the manager: {@code Manager.builder().connector(MockApiServer::connector)}. An informer then
   * opens a watch, lists the objects while the watch is open, and lists them again when the watch
   * ends. Do not use this method with a real server, because it would cause a full list every 20 to
   * 30 s.
   *
   * @param client the client to use; the caller must close it after the informers have stopped
   */
  public static SharedInformerFactory.Connector connector(KubernetesClient client) {
    return (type, scope) -> new DslListerWatcher(client, type, scope);
  }

  /**
   * Returns a client configuration with a long request time-out. The server has a single thread,
   * which can be blocked for 30 s after a watch is closed. During this time, the server does not
   * respond to requests.
   */
  @Override
  public Config clientConfig() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(server.url("/"))
        .withHttp2Disable(true)
        .withRequestTimeout(PATIENCE_MILLIS)
        .withNamespace("default")
        .build();
  }

  @Override
  public String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        clusters:
          - name: mock
            cluster: {server: "%s"}
        users:
          - name: mock
            user: {}
        contexts:
          - name: mock
            context: {cluster: mock, user: mock}
        current-context: mock
        """
        .formatted(server.url("/"));
  }

  @Override
  public ServerCapabilities capabilities() {
    return new ServerCapabilities(false, false, false, false, false);
  }

  /**
   * Installs the CRD if it does not exist. This server serves the CRD's objects immediately, but
   * never sets the Established condition of the CRD.
   */
  @Override
  public void install(CustomResourceDefinition crd) {
    try (var client = newClient()) {
      if (client.resource(crd).get() == null) {
        client.resource(crd).create();
      }
    }
  }

  /**
   * Stops the server. Under load, the server may not stop within its own time limit of 10 s. In
   * that case, its last threads terminate after this method has returned.
   */
  @Override
  public void close() {
    try {
      server.destroy();
    } catch (IllegalStateException e) {
      if (!(e.getCause() instanceof TimeoutException)) {
        throw e;
      }
      CHATTY.warning("fabric8's mock server did not stop within 10 s");
    }
  }
}
