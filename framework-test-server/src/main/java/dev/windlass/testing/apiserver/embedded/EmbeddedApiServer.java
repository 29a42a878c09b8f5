// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.access.Users;
import dev.windlass.testing.apiserver.embedded.admission.AdmissionWebhooks;
import dev.windlass.testing.apiserver.embedded.controllers.CrdController;
import dev.windlass.testing.apiserver.embedded.controllers.DeploymentController;
import dev.windlass.testing.apiserver.embedded.controllers.GarbageCollector;
import dev.windlass.testing.apiserver.embedded.controllers.NamespaceController;
import dev.windlass.testing.apiserver.embedded.conversion.Conversions;
import dev.windlass.testing.apiserver.embedded.http.InjectedFaults;
import dev.windlass.testing.apiserver.embedded.http.RequestLog;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.reads.OpenWatches;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.threads.JoinableThreads;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
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
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An API server in this process that behaves like kube-apiserver 1.34. It supports optimistic
 * locking, status subresources, generations, finalizers, selectors, consistent paginated lists,
 * resumable watches with bookmarks, CRDs with schemas, and server-side apply. It also runs a
 * garbage collector, a namespace controller, and a Deployment controller that only writes the
 * status.
 *
 * <p>The server provides the built-in types of Kubernetes 1.34 that users manage: the types in the
 * core group and in the groups apps, autoscaling (v2), batch, policy, networking, discovery,
 * storage, scheduling, node, rbac, coordination, certificates, admissionregistration, flowcontrol,
 * resource and apiextensions. Depending on the {@code fieldValidation} of a request, the server
 * drops unknown fields, reports them in warnings, or rejects the request. API services and
 * connections to kubelets are not supported.
 *
 * <p>The server uses plain HTTP on 127.0.0.1, {@linkplain EmbeddedApiServerBuilder#withTls HTTPS},
 * or {@linkplain #inMemory in-memory connections without sockets}. It keeps all objects in memory
 * and does not require credentials. It treats a request without a token as a request from the
 * administrator. It calls admission webhooks, and conversion webhooks of CRDs with several
 * versions, over HTTPS. It evaluates CEL rules if {@code dev.cel:cel} is on the class path. It
 * stores roles, but all users have all permissions. Protobuf and tables are not supported; clients
 * get JSON. This class is thread-safe.
 *
 * <p>Server-side apply does not support:
 *
 * <ul>
 *   <li>default manager names: an update without {@code fieldManager} is attributed to {@code
 *       unknown}. The server records the managers of an object only after the first apply request,
 *       or the first write with a manager name;
 *   <li>the scale subresource;
 *   <li>fields that have different paths in different versions of a custom resource;
 *   <li>reset fields other than {@code status}, that is, fields that kube-apiserver ignores in
 *       requests to certain endpoints;
 *   <li>lists in built-in types that are neither atomic nor merged by the keys of a strategic merge
 *       patch.
 * </ul>
 */
public final class EmbeddedApiServer implements TestApiServer {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int BACKLOG = 1024;

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
  private final Runnable afterRequest;
  private final JoinableThreads requestThreads = new JoinableThreads("embedded-apiserver-request");

  /** The threads that handle requests. Each open request, such as a watch, occupies one thread. */
  private final ExecutorService requestPool = Executors.newCachedThreadPool(requestThreads);

  private final OpenWatches watches;
  private final RequestLog requests;
  private final Users users = new Users();
  private final InjectedFaults faults = new InjectedFaults();
  private final ApiRequests api;

  /** Null if the server uses plain HTTP. */
  private final @Nullable ApiServerTls tls;

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
    this.afterRequest = settings.afterRequest();
    this.store = new Store(settings.logCapacity(), settings.catchUpTimeout(), timers);
    this.watches = new OpenWatches(timers, settings.bookmarkInterval());
    this.requests = new RequestLog(settings.requestCapacity());
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
            requests,
            faults,
            users);
    this.tls = settings.tls();
    this.http = settings.sockets() ? listen(tls) : null;
  }

  private HttpServer listen(@Nullable ApiServerTls tls) {
    try {
      var address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0);
      HttpServer server =
          tls == null ? HttpServer.create(address, BACKLOG) : tls.createServer(address, BACKLOG);
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
    String scheme = tls == null ? "http" : "https";
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns a new in-memory connection to this server. The connection uses no sockets. */
  public InMemoryTransport inMemory() {
    return inMemory(TransportHook.NONE);
  }

  /**
   * Returns a new in-memory connection to this server. The given hook can inject faults into the
   * connection. The connection uses no sockets.
   */
  public InMemoryTransport inMemory(TransportHook hook) {
    return new InMemoryTransport(api, watches, deliveries, hook, afterRequest);
  }

  /**
   * Returns a new client. If the server does not use sockets, the client uses an in-memory
   * connection.
   */
  @Override
  public KubernetesClient newClient() {
    return http == null ? inMemory().newClient() : TestApiServer.super.newClient();
  }

  @Override
  public Config clientConfig() {
    if (tls != null) {
      return tls.administrator(url()).config();
    }
    return new ConfigBuilder(Config.empty()).withMasterUrl(url()).withNamespace("default").build();
  }

  @Override
  public String kubeconfig() {
    if (tls != null) {
      return tls.administrator(url()).kubeconfig();
    }
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
   * Returns a new client configuration that authenticates as the given user with a token. All users
   * have all permissions; webhooks and {@code managedFields} see the names.
   *
   * @param groups the user's groups, in addition to {@code system:authenticated}
   */
  public Config userConfig(String user, String... groups) {
    Config config = http == null ? InMemoryTransport.clientConfig() : clientConfig();
    config.setOauthToken(users.token(user, List.of(groups)));
    return config;
  }

  /**
   * Returns the content of a kubeconfig file for a user, for kubectl and other Go programs. The
   * kubeconfig uses impersonation, because Go programs do not send tokens over plain HTTP.
   *
   * @param groups the user's groups, in addition to {@code system:authenticated}
   */
  public String kubeconfigFor(String user, String... groups) {
    String names = List.of(groups).stream().map(g -> '"' + g + '"').collect(joining(", "));
    String as = "as: \"%s\"".formatted(user);
    String asGroups = "as-groups: [%s]".formatted(names);
    return kubeconfig()
        .replace("user: {}", "user: {%s, %s}".formatted(as, asGroups))
        .replace("  user:\n", "  user:\n    %s\n    %s\n".formatted(as, asGroups));
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
   * Discards the history of changes, as an etcd compaction does. New watches, exact lists and
   * requests with a continue token then fail with 410 Expired if they refer to an earlier
   * resourceVersion. Open watches continue if they have delivered all changes. Other watches end.
   */
  public void compact() {
    try (Store.Transaction tx = store.begin()) {
      tx.compact();
    }
  }

  /**
   * Closes the connections of all open watches, as a network failure would. The server does not
   * send the final chunk of the responses.
   */
  public void dropWatches() {
    watches.cutAll();
  }

  /**
   * Returns the number of open watches. The number includes a watch whose client has disconnected,
   * until the server sends the next event or bookmark.
   */
  public int openWatches() {
    return watches.size();
  }

  /**
   * Sends a bookmark to each open watch that accepts bookmarks, and returns descriptions of these
   * watches, such as {@code configmaps in namespace default}. If the client of a watch has
   * disconnected, the watch ends at the first or second bookmark. To find the watches of connected
   * clients, call this method several times.
   */
  public List<String> probeWatches() {
    return watches.probe();
  }

  /**
   * Makes the next matching requests fail with the given status. The server does not execute these
   * requests. Each request is affected by only one call of this method or {@link #beforeNext}.
   *
   * @param code the HTTP status code, which also determines the reason in the {@code Status}
   *     object. For example, 409 is a conflict, or reports to a create that the object exists
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
    faults.add(matcher, InjectedFaults.error(code), times);
  }

  /**
   * Runs an action on the thread of the next matching request, before the server executes this
   * request. For example, the action can change the object as another client would.
   */
  public void beforeNext(RequestMatcher matcher, Runnable action) {
    faults.add(matcher, request -> action.run(), 1);
  }

  /** Removes all remaining faults and actions added with {@link #fail} and {@link #beforeNext}. */
  public void healFaults() {
    faults.clear();
  }

  /**
   * Returns the CEL rules of the installed CRDs that this server does not evaluate, because they
   * use functions that only Kubernetes has, such as {@code isURL}. The server accepts all objects
   * for such a rule, and logs a warning when the CRD is installed. A {@code ReconcilerTest} fails.
   */
  public SortedSet<String> unevaluatedRules() {
    SortedSet<String> rules = new TreeSet<>();
    try (Store.Transaction tx = store.begin()) {
      for (ObjectNode crd : tx.table(BuiltInTypes.CRDS).objects().values()) {
        rules.addAll(CrdRules.unsupportedRules(crd).keySet());
      }
    }
    return rules;
  }

  /**
   * Returns copies of all stored objects, grouped by resource and sorted by namespace and name. The
   * keys are resources, such as {@code configmaps} and {@code deployments.apps}. An object is a map
   * of its fields, whose values are maps, lists, strings, numbers, booleans and null.
   */
  public SortedMap<String, List<Map<String, Object>>> objects() {
    SortedMap<String, List<Map<String, Object>>> all = new TreeMap<>();
    try (Store.Transaction tx = store.begin()) {
      tx.tables()
          .forEach(
              (resource, table) ->
                  all.put(
                      resource.toString(),
                      table.objects().values().stream().map(Json::map).toList()));
    }
    return all;
  }

  /**
   * Returns the latest requests for resources, in order of arrival. Their number is limited by
   * {@link EmbeddedApiServerBuilder#requestCapacity}.
   */
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
