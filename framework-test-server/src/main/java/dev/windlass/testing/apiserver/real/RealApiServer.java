// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.UserAccess;
import dev.windlass.testing.apiserver.real.processes.ControlPlane;
import dev.windlass.testing.apiserver.real.processes.EtcdGateway;
import dev.windlass.testing.apiserver.real.processes.Readiness;
import dev.windlass.testing.apiserver.real.processes.ReservedPorts;
import dev.windlass.testing.apiserver.real.processes.ServerCommands;
import dev.windlass.testing.apiserver.real.processes.ServerFiles;
import dev.windlass.testing.apiserver.real.processes.ServerOptions;
import dev.windlass.testing.apiserver.real.processes.ServerPrograms;
import io.fabric8.kubernetes.client.Config;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real API server for tests. It consists of etcd, kube-apiserver and, {@linkplain
 * Builder#withControllerManager() on request}, kube-controller-manager. The controller manager runs
 * the garbage collector, deletes the contents of terminating namespaces, and adds rules to the
 * aggregated roles {@code view}, {@code edit} and {@code admin}.
 *
 * <p>The programs are those in the directory {@code KUBEBUILDER_ASSETS} or, if it is unset, the
 * newest ones that setup-envtest has installed. They listen only on 127.0.0.1, with RBAC enabled.
 * Each server has its own ports and certificates, so any number of servers can run at the same
 * time. There are no nodes, no scheduler and no other controllers: Pods remain pending, and tests
 * must write the status of Deployments. {@link #close()} kills the processes and deletes the data.
 * The same happens when the JVM exits, even if the JVM is killed.
 *
 * <p>Two properties of the real server affect tests. The garbage collector can take 30 s to
 * discover a new CustomResourceDefinition. After {@link #killApiServer()} and {@link
 * #startApiServer()}, the watch cache of the API server is empty.
 *
 * <p>This class is thread-safe.
 */
public final class RealApiServer implements TestApiServer {

  /**
   * The user name of clients that use {@link #clientConfig()}. This user has full access to the
   * cluster.
   */
  public static final String ADMINISTRATOR = "windlass-admin";

  private static final List<String> MASTERS = List.of("system:masters");

  private final ServerOptions options;
  private final CertificateAuthority authority;
  private final ReservedPorts ports;
  private final UserAccess administrator;
  private final ServerFiles files;
  private final ControlPlane controlPlane;
  private final EtcdGateway etcd;
  private final AuditLog auditLog;

  private RealApiServer(ServerOptions options, Clock clock) {
    this.options = options;
    this.authority = CertificateAuthority.create(clock);
    this.ports = ReservedPorts.take(new SecureRandom());
    this.administrator = access(ADMINISTRATOR, MASTERS);
    this.files = ServerFiles.create();
    files.write(authority, access("system:kube-controller-manager", MASTERS));
    HttpClient http = HttpClient.newBuilder().sslContext(administrator.sslContext()).build();
    this.controlPlane =
        new ControlPlane(
            options,
            new ServerCommands(options.programs(), files, ports),
            new Readiness(http, clock, options.startTimeout()));
    this.etcd = new EtcdGateway(http, ports.etcdUrl());
    this.auditLog = new AuditLog(files.auditLog());
  }

  /**
   * Starts a server with the default settings: it has no controller manager and no audit log.
   * Returns when the server is ready.
   *
   * @throws IllegalStateException as for {@link Builder#start()}
   */
  public static RealApiServer start() {
    return builder().start();
  }

  /** Returns a builder with the default settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Config clientConfig() {
    return administrator.config();
  }

  @Override
  public String kubeconfig() {
    return administrator.kubeconfig();
  }

  /**
   * Returns a new client configuration for a user. The user has no permissions until the test binds
   * a role to the user or to one of the groups. The caller can modify the configuration.
   *
   * @param user the user's name in RBAC, which must not be empty
   * @param groups the groups to which the user belongs, in addition to {@code system:authenticated}
   */
  public Config userConfig(String user, String... groups) {
    return access(user, List.of(groups)).config();
  }

  /** Returns the content of a kubeconfig file that is equivalent to {@link #userConfig}. */
  public String kubeconfigFor(String user, String... groups) {
    return access(user, List.of(groups)).kubeconfig();
  }

  @Override
  public ServerCapabilities capabilities() {
    return new ServerCapabilities(options.controllerManager(), false, true, true, true);
  }

  /**
   * Sends SIGKILL to the API server and waits for its process to exit. The port of the API server
   * then refuses connections until {@link #startApiServer()} is called. etcd and the controller
   * manager continue to run. Has no effect if the API server is not running.
   *
   * @throws IllegalStateException if this server is closed
   */
  public void killApiServer() {
    controlPlane.kill(ControlPlane.API_SERVER);
  }

  /**
   * Restarts the API server after {@link #killApiServer()}, on the same port and with the same
   * objects and credentials. Returns when the API server is ready.
   *
   * @throws IllegalStateException if the API server is running, or if it does not become ready; the
   *     message contains the command and the end of the log
   */
  public void startApiServer() {
    controlPlane.startApiServer();
  }

  /**
   * Pauses the API server with SIGSTOP until {@link #resumeApiServer()} is called. Connections
   * remain open and the kernel accepts new connections, but the server does not respond to
   * requests.
   *
   * @throws IllegalStateException if the API server is not running
   */
  public void pauseApiServer() {
    controlPlane.pause(ControlPlane.API_SERVER);
  }

  /**
   * Resumes the API server with SIGCONT. The API server then responds to the requests that arrived
   * during the pause.
   *
   * @throws IllegalStateException if the API server is not running
   */
  public void resumeApiServer() {
    controlPlane.resume(ControlPlane.API_SERVER);
  }

  /**
   * Pauses etcd with SIGSTOP until {@link #resumeEtcd()} is called. During the pause, the API
   * server responds only to requests that it can serve from its watch cache.
   *
   * @throws IllegalStateException if etcd is not running
   */
  public void pauseEtcd() {
    controlPlane.pause(ControlPlane.ETCD);
  }

  /**
   * Resumes etcd with SIGCONT.
   *
   * @throws IllegalStateException if etcd is not running
   */
  public void resumeEtcd() {
    controlPlane.resume(ControlPlane.ETCD);
  }

  /**
   * Sends SIGKILL to etcd and waits for its process to exit. The API server continues to run, but
   * requests that require etcd fail. Has no effect if etcd is not running.
   *
   * @throws IllegalStateException if this server is closed
   */
  public void killEtcd() {
    controlPlane.kill(ControlPlane.ETCD);
  }

  /**
   * Restarts etcd after {@link #killEtcd()}, with all its data. Returns when etcd responds. The API
   * server reconnects within a few seconds.
   *
   * @throws IllegalStateException if etcd is running, or if it does not become ready
   */
  public void startEtcd() {
    controlPlane.startEtcd();
  }

  /**
   * Takes a snapshot of all objects. This method kills and restarts etcd, the API server and the
   * controller manager, and returns when they are ready. Replicas continue to run.
   *
   * @return the snapshot, for {@link #restore}
   * @throws IllegalStateException if the processes do not become ready
   */
  public EtcdSnapshot snapshot() {
    controlPlane.killAllOnEtcd();
    EtcdSnapshot snapshot = new EtcdSnapshot(files.snapshot());
    controlPlane.start();
    return snapshot;
  }

  /**
   * Restores a snapshot, as in disaster recovery. All later writes are lost, and their
   * resourceVersions are assigned again to new writes. This method kills and restarts etcd, the API
   * server and the controller manager, and returns when they are ready. Close any replicas first:
   * they would continue to run, with the lost writes in their caches.
   *
   * @param snapshot a snapshot of this server; it can be restored any number of times
   * @throws IllegalStateException if the processes do not become ready
   */
  public void restore(EtcdSnapshot snapshot) {
    if (!snapshot.directory().startsWith(files.root())) {
      throw new IllegalArgumentException("the snapshot belongs to another server");
    }
    controlPlane.killAllOnEtcd();
    files.restore(snapshot.directory());
    controlPlane.start();
  }

  /**
   * Starts an additional API server on the same etcd, with the same flags, users and credentials.
   * Returns when it is ready. Each call starts another one. The audit log does not contain requests
   * to these API servers.
   *
   * @throws IllegalStateException if the API server does not become ready
   */
  public ApiServerReplica secondServer() {
    return ApiServerReplica.start(controlPlane, administrator, capabilities(), ports.etcdClient());
  }

  /**
   * Compacts the entire history of etcd. etcd then no longer serves any resourceVersion that it has
   * returned before. Returns the compacted revision, which is higher than these resourceVersions.
   *
   * <p>Compaction alone does not cause 410 responses, because the API server still serves old
   * resourceVersions from memory. This applies to watches, to exact lists and even to continue
   * tokens. There are two ways to cause a 410 response:
   *
   * <ul>
   *   <li>Call {@code compact()}, {@link #killApiServer()} and {@link #startApiServer()}. All three
   *       kinds of request then fail with 410. Watches fail even without the compaction if there
   *       was a write after their resourceVersion. Lists fail only after a compaction.
   *   <li>Call {@code compact()} on a server with the flag {@code --watch-cache=false}. New watches
   *       fail immediately. Existing watches continue.
   * </ul>
   */
  public long compact() {
    return etcd.compact();
  }

  /**
   * Returns the audit events of all users' requests for objects, in the order in which the API
   * server responded. A watch is in the list as soon as it starts. {@link #killApiServer()} does
   * not clear the list.
   *
   * <p>The API server can log a request some milliseconds after the client has received the
   * response. A test that expects a request must therefore poll. A test that expects the absence of
   * a request must first wait until a later request is in the list. The list includes the API
   * server's own requests, from the user {@code system:apiserver}, so filter the list by user.
   *
   * @throws IllegalStateException if the server was built without {@link Builder#audit}
   */
  public List<AuditEvent> auditEvents() {
    if (!options.audit()) {
      throw new IllegalStateException("build the server with audit(true) to read its audit log");
    }
    return auditLog.events();
  }

  /** Returns all live processes of this server. */
  List<ProcessHandle> processes() {
    return controlPlane.processes();
  }

  @Override
  public void close() {
    controlPlane.close();
  }

  private UserAccess access(String user, List<String> groups) {
    if (user.isBlank()) {
      throw new IllegalArgumentException("a user needs a name");
    }
    return new UserAccess(
        ports.apiServerUrl(), authority.self().certificate(), authority.client(user, groups));
  }

  /** Builds a {@link RealApiServer}. This class is not thread-safe. */
  public static final class Builder {

    private @Nullable Path assets;
    private boolean controllerManager;
    private boolean audit;
    private final List<String> apiServerFlags = new ArrayList<>();
    private Duration startTimeout = Duration.ofSeconds(60);

    private Builder() {}

    /**
     * Sets the directory that contains etcd, kube-apiserver and the other programs. The default is
     * {@code KUBEBUILDER_ASSETS}, or the newest version that setup-envtest has installed.
     */
    public Builder assets(Path directory) {
      this.assets = directory;
      return this;
    }

    /**
     * Adds a controller manager. It enables garbage collection and namespace deletion, and adds
     * rules to the roles {@code view}, {@code edit} and {@code admin}. The program {@code
     * kube-controller-manager} must be in the same directory as the other programs. setup-envtest
     * does not install it.
     */
    public Builder withControllerManager() {
      this.controllerManager = true;
      return this;
    }

    /**
     * Sets whether the API server writes an audit log. {@link RealApiServer#auditEvents()} requires
     * an audit log. The default is false.
     */
    public Builder audit(boolean enabled) {
      this.audit = enabled;
      return this;
    }

    /**
     * Adds flags for kube-apiserver, such as {@code --max-requests-inflight=10}. These flags
     * override the default flags.
     */
    public Builder apiServerFlags(String... flags) {
      this.apiServerFlags.addAll(List.of(flags));
      return this;
    }

    /**
     * Sets the maximum time that each start waits for the server to become ready. The default is 60
     * s.
     */
    public Builder startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return this;
    }

    /**
     * Starts the server and returns when it is ready, after a few seconds. The caller must close
     * the server. If the server does not become ready, this method kills the processes that it has
     * started.
     *
     * @throws IllegalStateException if a program is missing, or if the server does not become
     *     ready. The message names the missing program and states how to install it, or contains
     *     the command and the end of the log
     */
    public RealApiServer start() {
      String directory =
          assets == null ? System.getenv(ServerPrograms.VARIABLE) : assets.toString();
      ServerOptions options =
          new ServerOptions(
              ServerPrograms.locate(directory, controllerManager),
              controllerManager,
              audit,
              apiServerFlags,
              startTimeout);
      RealApiServer server = new RealApiServer(options, Clock.systemUTC());
      try {
        server.controlPlane.start();
        return server;
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    }
  }
}
