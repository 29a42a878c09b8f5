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
 * A real kube-apiserver for one test run. It consists of etcd, the API server and, {@linkplain
 * Builder#withControllerManager() on request}, a controller manager. The controller manager runs
 * the garbage collector, empties deleted namespaces and fills the roles {@code view}, {@code edit}
 * and {@code admin}.
 *
 * <p>The programs are those in {@code KUBEBUILDER_ASSETS}, as installed by setup-envtest. They
 * listen only on 127.0.0.1, with RBAC enabled. Each server has its own ports and certificates, so
 * any number of servers can run at the same time. The server does not include nodes, a scheduler or
 * other controllers: Pods remain pending, and the test must write a Deployment's status. {@link
 * #close()} kills the processes and deletes the data. The same happens when the JVM exits, even if
 * the JVM is killed.
 *
 * <p>Two properties of the real server affect tests. The garbage collector discovers a new
 * CustomResourceDefinition up to 30 s after its creation. An API server that was killed and started
 * again with {@link #startApiServer()} has an empty watch cache.
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
   * Starts a server with the default settings, without a controller manager and without auditing.
   * Returns when the server is ready.
   *
   * @throws IllegalStateException as for {@link Builder#start()}
   */
  public static RealApiServer start() {
    return builder().start();
  }

  /** Returns a builder for a server, initially with the default settings. */
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
   * Returns a new client configuration for a user who does not have permissions until the test
   * binds a role to the user or to one of the groups. The caller can modify the configuration.
   *
   * @param user the user's name in RBAC, which must not be empty
   * @param groups the names of groups to which the user belongs, in addition to {@code
   *     system:authenticated}
   */
  public Config userConfig(String user, String... groups) {
    return access(user, List.of(groups)).config();
  }

  /** Returns the content of a kubeconfig file equivalent to {@link #userConfig}. */
  public String kubeconfigFor(String user, String... groups) {
    return access(user, List.of(groups)).kubeconfig();
  }

  @Override
  public ServerCapabilities capabilities() {
    return new ServerCapabilities(options.controllerManager(), false, true, true, true);
  }

  /**
   * Sends SIGKILL to the API server and waits for its process to exit. etcd and the controller
   * manager continue to run. The API server's port refuses connections until {@link
   * #startApiServer()}. Has no effect if the API server is not running.
   *
   * @throws IllegalStateException if this server is closed
   */
  public void killApiServer() {
    controlPlane.kill(ControlPlane.API_SERVER);
  }

  /**
   * Starts the API server again after {@link #killApiServer()}, on the same port, with the same
   * objects and credentials. Returns when it is ready.
   *
   * @throws IllegalStateException if the API server is running, or if it does not become ready; the
   *     message contains the command and the end of the log
   */
  public void startApiServer() {
    controlPlane.startApiServer();
  }

  /**
   * Stops the API server with SIGSTOP until {@link #resumeApiServer()}. Connections remain open and
   * the kernel accepts new connections, but the server does not respond to requests.
   *
   * @throws IllegalStateException if the API server is not running
   */
  public void pauseApiServer() {
    controlPlane.pause(ControlPlane.API_SERVER);
  }

  /**
   * Resumes the API server with SIGCONT. It then responds to the requests that have accumulated.
   *
   * @throws IllegalStateException if the API server is not running
   */
  public void resumeApiServer() {
    controlPlane.resume(ControlPlane.API_SERVER);
  }

  /**
   * Stops etcd with SIGSTOP until {@link #resumeEtcd()}. The API server responds only to requests
   * that it can serve from its watch cache.
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
   * Starts etcd again after {@link #killEtcd()}, with all its data. Returns when etcd responds. The
   * API server reconnects within a few seconds.
   *
   * @throws IllegalStateException if etcd is running, or if it does not become ready
   */
  public void startEtcd() {
    controlPlane.startEtcd();
  }

  /**
   * Copies the state of all objects, for {@link #restore}. Kills and restarts etcd, the API server
   * and the controller manager, and returns when they are ready again. Replicas continue to run.
   *
   * @throws IllegalStateException if the processes do not become ready
   */
  public EtcdSnapshot snapshot() {
    controlPlane.killAllOnEtcd();
    EtcdSnapshot snapshot = new EtcdSnapshot(files.snapshot());
    controlPlane.start();
    return snapshot;
  }

  /**
   * Restores the state of a snapshot, as an administrator does after a disaster. Writes made after
   * the snapshot are lost, and resourceVersions return to lower numbers, which are assigned again
   * to other writes. Kills and restarts etcd, the API server and the controller manager, and
   * returns when they are ready. Replicas continue to run with the lost writes in their caches, so
   * close them first.
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
   * Starts a second API server on the same etcd, with the same flags, users and credentials, and
   * returns when it is ready. Each call starts another API server. Requests to these servers do not
   * appear in the audit log.
   *
   * @throws IllegalStateException if the API server does not become ready
   */
  public ApiServerReplica secondServer() {
    return ApiServerReplica.start(controlPlane, administrator, capabilities(), ports.etcdClient());
  }

  /**
   * Compacts etcd's entire history, so that etcd no longer serves any resourceVersion returned so
   * far. Returns the compacted revision, which is higher than all of these resourceVersions.
   *
   * <p>Compaction alone does not cause 410 responses, because the API server serves watches from an
   * old resourceVersion, exact lists and even continue tokens from memory. There are two ways to
   * cause a 410 response:
   *
   * <ul>
   *   <li>Call {@code compact()}, {@link #killApiServer()} and {@link #startApiServer()}. All three
   *       kinds of request then fail with 410. For watches, the restart alone is sufficient if
   *       there was a write after their resourceVersion. For lists, it is not sufficient.
   *   <li>Call {@code compact()} on a server with the flag {@code --watch-cache=false}. New watches
   *       fail immediately. Existing watches continue.
   * </ul>
   */
  public long compact() {
    return etcd.compact();
  }

  /**
   * Returns the requests for objects to which the API server has responded so far, from all users,
   * in the order of their completion. The result contains a watch as soon as the watch starts.
   * {@link #killApiServer()} does not clear the list.
   *
   * <p>A request can be missing for some milliseconds after its response arrived, so a test that
   * expects a request must poll. A test that expects that a request is not sent must first wait
   * until a later request appears. The list includes the server's own requests, from the user
   * {@code system:apiserver}, so filter the list by user.
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
     * the directory that {@code KUBEBUILDER_ASSETS} specifies.
     */
    public Builder assets(Path directory) {
      this.assets = directory;
      return this;
    }

    /**
     * Adds a controller manager, so that garbage collection and namespace deletion work and the
     * roles {@code view}, {@code edit} and {@code admin} have rules. The controller manager
     * requires {@code kube-controller-manager} in the same directory as the other programs.
     * setup-envtest does not install this program.
     */
    public Builder withControllerManager() {
      this.controllerManager = true;
      return this;
    }

    /**
     * Sets whether the API server writes an audit log, which {@link RealApiServer#auditEvents()}
     * requires. The default is false.
     */
    public Builder audit(boolean enabled) {
      this.audit = enabled;
      return this;
    }

    /**
     * Adds flags for kube-apiserver, such as {@code --max-requests-inflight=10}. These flags follow
     * the default flags and therefore override them.
     */
    public Builder apiServerFlags(String... flags) {
      this.apiServerFlags.addAll(List.of(flags));
      return this;
    }

    /**
     * Sets the maximum time to wait for the server to become ready, at each start. The default is
     * 60 s.
     */
    public Builder startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return this;
    }

    /**
     * Starts the server and returns when it is ready, after a few seconds. The caller must close
     * the server.
     *
     * @throws IllegalStateException if a program is missing or the server does not become ready. In
     *     the first case, the message names the program, the directory that was searched and the
     *     remedy. In the second case, this method kills the processes that it has started, and the
     *     message contains the server's command and the end of its log
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
