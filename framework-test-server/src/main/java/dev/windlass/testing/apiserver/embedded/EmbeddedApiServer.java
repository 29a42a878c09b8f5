// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.access.Authorizer;
import dev.windlass.testing.apiserver.embedded.access.BootstrapRoles;
import dev.windlass.testing.apiserver.embedded.access.Rbac;
import dev.windlass.testing.apiserver.embedded.access.Users;
import dev.windlass.testing.apiserver.embedded.admission.AdmissionWebhooks;
import dev.windlass.testing.apiserver.embedded.controllers.CrdController;
import dev.windlass.testing.apiserver.embedded.controllers.DeploymentController;
import dev.windlass.testing.apiserver.embedded.controllers.GarbageCollector;
import dev.windlass.testing.apiserver.embedded.controllers.NamespaceController;
import dev.windlass.testing.apiserver.embedded.conversion.Conversions;
import dev.windlass.testing.apiserver.embedded.http.InjectedFaults;
import dev.windlass.testing.apiserver.embedded.http.RequestLog;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.reads.OpenWatches;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.tables.TableView;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.threads.JoinableThreads;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.webhooks.ServiceAddresses;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookClient;
import dev.windlass.testing.apiserver.embedded.writes.IdGenerator;
import dev.windlass.testing.apiserver.embedded.writes.ObjectDeletes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An API server in this process that behaves like kube-apiserver 1.34. It supports optimistic
 * locking, status subresources, generations, finalizers, selectors, consistent pages, resumable
 * watches with bookmarks, CRDs with schemas, and server-side apply. It also runs garbage
 * collection, namespace deletion and a Deployment controller that only reports status.
 *
 * <p>The server provides the built-in types whose objects users manage, in the versions of
 * Kubernetes 1.34. These are the types in the core group and in the groups apps, autoscaling (v2),
 * batch, policy, networking, discovery, storage, scheduling, node, rbac, coordination,
 * certificates, admissionregistration, flowcontrol, resource and apiextensions. The server drops
 * unknown fields, rejects them or reports them as warnings, according to {@code fieldValidation}.
 * API services and connections to kubelets are not supported.
 *
 * <p>The server uses plain HTTP on 127.0.0.1, or {@linkplain #inMemory in-memory connections
 * without sockets}. It keeps all objects in memory and does not require credentials. It calls
 * admission webhooks, and conversion webhooks of CRDs with several versions, over HTTPS. It
 * evaluates CEL rules if {@code dev.cel:cel} is on the class path, and roles if {@linkplain
 * EmbeddedApiServerBuilder#withRbac RBAC} is enabled. Requests without a token count as requests
 * from the administrator. Protobuf output is not supported. This class is thread-safe.
 *
 * <p>Server-side apply does not support:
 *
 * <ul>
 *   <li>default manager names: an update without {@code fieldManager} is attributed to {@code
 *       unknown}. This attribution begins only when an apply is executed or a request names a
 *       manager;
 *   <li>the scale subresource;
 *   <li>moving fields between versions of a custom resource;
 *   <li>reset fields, that is, fields that kube-apiserver ignores in writes through certain paths,
 *       except {@code status};
 *   <li>lists of built-in kinds that are neither merged by the keys of a strategic merge patch nor
 *       owned as a whole.
 * </ul>
 */
public final class EmbeddedApiServer implements TestApiServer {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int BACKLOG = 1024;
  private static final String RBAC = "rbac.authorization.k8s.io";

  static {
    // The JDK's server sends headers and body in two packets. With Nagle's algorithm, the second
    // packet waits for the client's delayed acknowledgement: a GET took 45 ms instead of 0.4 ms.
    // The JDK reads this property once, when the first server of the process is created.
    String noDelay = "sun.net.httpserver.nodelay";
    if (System.getProperty(noDelay) == null) {
      System.setProperty(noDelay, "true");
    }
  }

  private final ServerCapabilities capabilities;
  private final Store store;
  private final Background timers;
  private final Background controllers;
  private final Background deliveries;
  private final JoinableThreads requestThreads = new JoinableThreads("embedded-apiserver-request");

  /**
   * The request threads. There is one thread for each open request, because each watch occupies a
   * thread.
   */
  private final ExecutorService requestPool = Executors.newCachedThreadPool(requestThreads);

  private final OpenWatches watches;
  private final RequestLog requests;
  private final Users users;
  private final InjectedFaults faults = new InjectedFaults();
  private final ApiRequests api;

  /** The HTTP server that listens on a socket; null if this server is reachable only in memory. */
  private final @Nullable HttpServer http;

  private final AtomicBoolean closed = new AtomicBoolean();

  EmbeddedApiServer(EmbeddedApiServerBuilder settings) {
    this.capabilities =
        new ServerCapabilities(
            settings.garbageCollection(), settings.deploymentController(), true, true, true);
    this.timers = settings.background("timers");
    this.controllers = settings.background("controllers");
    this.deliveries = settings.background("watches");
    this.store = new Store(settings.logCapacity(), settings.catchUpTimeout(), timers);
    this.watches = new OpenWatches(timers, settings.bookmarkInterval());
    this.requests = new RequestLog(settings.requestCapacity());
    this.users = new Users(store, settings.clock(), settings.rbac());
    ResourceTypes types = new ResourceTypes();
    IdGenerator ids = new IdGenerator(settings.random());
    ObjectWrites writes = new ObjectWrites(store, settings.clock(), ids);
    ObjectDeletes deletes = new ObjectDeletes(store, writes);
    WebhookClient webhooks = new WebhookClient(new ServiceAddresses(store, settings.services()));
    AdmissionWebhooks admission = new AdmissionWebhooks(store, types, webhooks);
    store.listen(admission);
    startControllers(settings, types, new Conversions(webhooks), writes, deletes);
    this.api =
        new ApiRequests(
            store,
            types,
            new ObjectRequests(store, writes, deletes, admission),
            settings.streamingLists(),
            new TableView(settings.clock()),
            requests,
            faults,
            users,
            settings.rbac() ? new Rbac(store) : Authorizer.ALLOW_ALL,
            settings.clock());
    if (settings.rbac()) {
      createRoles(types, writes);
    }
    this.http = settings.sockets() ? listen() : null;
  }

  private HttpServer listen() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), BACKLOG);
      server.createContext("/", new ApiHandler(api, watches));
      server.setExecutor(requestPool);
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startControllers(
      EmbeddedApiServerBuilder settings,
      ResourceTypes types,
      Conversions conversions,
      ObjectWrites writes,
      ObjectDeletes deletes) {
    store.listen(new CrdController(store, types, conversions, writes, deletes, controllers));
    store.listen(new NamespaceController(store, types, writes, deletes, controllers));
    if (settings.garbageCollection()) {
      store.listen(new GarbageCollector(store, types, writes, deletes, controllers));
    }
    if (settings.deploymentController()) {
      store.listen(
          new DeploymentController(types, writes, controllers, settings.deploymentDelay()));
    }
    for (String name : List.of("default", "kube-system")) {
      var namespace = Json.object();
      Meta.of(namespace).json().put("name", name);
      writes.create(types.get(BuiltInTypes.NAMESPACES), "", namespace);
    }
  }

  private static void createRoles(ResourceTypes types, ObjectWrites writes) {
    ResourceType roles = types.get(new GroupResource(RBAC, "clusterroles"));
    ResourceType bindings = types.get(new GroupResource(RBAC, "clusterrolebindings"));
    BootstrapRoles.roles().forEach(role -> writes.create(roles, "", role));
    BootstrapRoles.bindings().forEach(binding -> writes.create(bindings, "", binding));
  }

  /** Starts a server with the default settings. */
  public static EmbeddedApiServer start() {
    return builder().start();
  }

  /** Returns a builder for a server with custom settings. */
  public static EmbeddedApiServerBuilder builder() {
    return new EmbeddedApiServerBuilder();
  }

  /**
   * Returns the server's address, such as {@code http://127.0.0.1:34567}.
   *
   * @throws IllegalStateException if the server was started {@linkplain
   *     EmbeddedApiServerBuilder#withoutSockets without sockets}
   */
  public String url() {
    HttpServer server = http;
    if (server == null) {
      throw new IllegalStateException(
          "the server has no address, because it was started without sockets: use inMemory()");
    }
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns a new in-memory connection to this server. The connection uses no sockets. */
  public InMemoryTransport inMemory() {
    return inMemory(TransportHook.NONE);
  }

  /**
   * Returns a new in-memory connection to this server, into which the given hook can inject faults.
   * The connection uses no sockets.
   */
  public InMemoryTransport inMemory(TransportHook hook) {
    return new InMemoryTransport(api, watches, deliveries, hook);
  }

  /**
   * Returns a new client, which uses an in-memory connection if the server does not use sockets.
   */
  @Override
  public KubernetesClient newClient() {
    return http == null ? inMemory().newClient() : TestApiServer.super.newClient();
  }

  @Override
  public Config clientConfig() {
    return new ConfigBuilder(Config.empty()).withMasterUrl(url()).withNamespace("default").build();
  }

  @Override
  public String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: embedded
          cluster:
            server: %s
        users:
        - name: admin
          user: {}
        contexts:
        - name: embedded
          context:
            cluster: embedded
            user: admin
            namespace: default
        current-context: embedded
        """
        .formatted(url());
  }

  /**
   * Returns a new client configuration for a user, who is identified by a token. Without
   * {@linkplain EmbeddedApiServerBuilder#withRbac RBAC}, all users have all permissions.
   *
   * @param groups the user's groups, in addition to {@code system:authenticated}
   */
  public Config userConfig(String user, String... groups) {
    Config config = http == null ? InMemoryTransport.clientConfig() : clientConfig();
    config.setOauthToken(users.token(user, List.of(groups)));
    return config;
  }

  /**
   * Returns the content of a kubeconfig file for a user, for kubectl and other programs in Go. The
   * configuration impersonates the user, because these programs do not send tokens over plain HTTP.
   *
   * @param groups the user's groups, in addition to {@code system:authenticated}
   */
  public String kubeconfigFor(String user, String... groups) {
    String identity = "{as: \"%s\", as-groups: [%s]}";
    String names = List.of(groups).stream().map(g -> '"' + g + '"').collect(joining(", "));
    return kubeconfig().replace("user: {}", "user: " + identity.formatted(user, names));
  }

  @Override
  public void install(CustomResourceDefinition crd) {
    try (KubernetesClient client = inMemory().newClient()) {
      var resource = client.apiextensions().v1().customResourceDefinitions().resource(crd);
      if (resource.get() == null) {
        resource.create(); // the server serves the type before it responds
      }
    }
  }

  @Override
  public ServerCapabilities capabilities() {
    return capabilities;
  }

  /**
   * Discards the history, as an etcd compaction does. The server then rejects with 410 Expired any
   * watch, exact list or continue token that refers to an earlier resourceVersion. Open watches
   * continue.
   */
  public void compact() {
    try (Store.Transaction tx = store.begin()) {
      tx.compact();
    }
  }

  /**
   * Closes the connections of all open watches without terminating their chunked responses, as a
   * network failure would.
   */
  public void dropWatches() {
    watches.cutAll();
  }

  /**
   * Returns the number of watches that the server considers open. The server detects that a client
   * has disconnected only at the next event or bookmark.
   */
  public int openWatches() {
    return watches.size();
  }

  /**
   * Sends a bookmark to each open watch that accepts bookmarks, and returns descriptions of these
   * watches, such as {@code configmaps in namespace default}. A watch whose client has disconnected
   * ends at its second bookmark at the latest, so a watch that repeated calls return has a
   * connected client.
   */
  public List<String> probeWatches() {
    return watches.probe();
  }

  /**
   * Makes the next matching requests fail with the given status. The server does not execute them.
   *
   * @param code the HTTP status code, which also determines the reason in the {@code Status} object
   * @param times the number of requests that fail, at least 1
   */
  public void fail(RequestMatcher matcher, int code, int times) {
    if (code < 400 || code > 599 || times < 1) {
      throw new IllegalArgumentException(
          "the code must be from 400 to 599 and the number of requests at least 1: "
              + code
              + ", "
              + times);
    }
    faults.add(matcher, code, times);
  }

  /** Removes all remaining faults added with {@link #fail}. */
  public void healFaults() {
    faults.clear();
  }

  /**
   * Returns a copy of all stored objects by resource, in the order of their namespaces and names.
   * The keys are resources, such as {@code configmaps} and {@code deployments.apps}.
   */
  public SortedMap<String, List<ObjectNode>> objects() {
    SortedMap<String, List<ObjectNode>> all = new TreeMap<>();
    try (Store.Transaction tx = store.begin()) {
      tx.tables()
          .forEach(
              (resource, table) ->
                  all.put(
                      resource.toString(),
                      table.objects().values().stream().map(ObjectNode::deepCopy).toList()));
    }
    return all;
  }

  /** Returns a copy of the latest requests for resources, in order of arrival. */
  public List<RecordedRequest> requests() {
    return requests.all();
  }

  /** Removes all recorded requests. */
  public void clearRequests() {
    requests.clear();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    timers.close();
    controllers.close();
    deliveries.close();
    // Threads that wait for changes must be interrupted before their connections are closed.
    requestPool.shutdownNow();
    if (http != null) {
      http.stop(0);
    }
    requestThreads.join();
  }
}
