// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
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
 * A real kube-apiserver for one test run: etcd, the API server and, {@linkplain
 * Builder#withControllerManager() on request}, a controller manager that runs the garbage
 * collector, empties deleted namespaces and fills the roles {@code view}, {@code edit} and {@code
 * admin}.
 *
 * <p>The programs come from {@code KUBEBUILDER_ASSETS}, as installed by setup-envtest. They listen
 * only on 127.0.0.1, with RBAC enabled. Each server has its own ports and certificates, so any
 * number of servers may run side by side. There are no nodes, no scheduler and no other
 * controllers: pods stay pending, and the test must write the status of a Deployment. Processes and
 * data end with {@link #close()} or with the JVM, even if the JVM is killed.
 *
 * <p>Properties of the real server that affect tests: the garbage collector discovers a new
 * CustomResourceDefinition up to 30 s after its creation; an API server that was killed and started
 * again with {@link #startApiServer()} has an empty watch cache.
 *
 * <p>Thread safe.
 */
public final class RealApiServer implements TestApiServer {

  /** The user that {@link #clientConfig()} authenticates as; it has all permissions. */
  public static final String ADMINISTRATOR = "windlass-admin";

  private static final List<String> MASTERS = List.of("system:masters");

  private final Options options;
  private final CertificateAuthority authority;
  private final ReservedPorts ports;
  private final UserAccess administrator;
  private final ServerFiles files;
  private final ControlPlane controlPlane;
  private final EtcdGateway etcd;
  private final AuditLog auditLog;

  private RealApiServer(Options options, Clock clock) {
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
            new CommandLines(options.assets(), files, ports),
            new Readiness(http, clock, options.startTimeout()));
    this.etcd = new EtcdGateway(http, ports.etcdUrl());
    this.auditLog = new AuditLog(files.auditLog());
  }

  /**
   * Starts a server with the defaults, without controller manager and audit; returns when it is
   * ready.
   *
   * @throws IllegalStateException as for {@link Builder#start()}
   */
  public static RealApiServer start() {
    return builder().start();
  }

  /** Returns a builder for a server with other settings. */
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
   * Returns a new client configuration for a user who has no permissions until the test binds a
   * role to the user or to one of the groups. The caller may change it.
   *
   * @param user the user's name in RBAC, not empty
   * @param groups the names of groups that the user belongs to, besides {@code
   *     system:authenticated}
   */
  public Config userConfig(String user, String... groups) {
    return access(user, List.of(groups)).config();
  }

  /** Returns the same as {@link #userConfig}, as the text of a kubeconfig file. */
  public String kubeconfigFor(String user, String... groups) {
    return access(user, List.of(groups)).kubeconfig();
  }

  @Override
  public ServerCapabilities capabilities() {
    return new ServerCapabilities(options.controllerManager(), false, true, true, true);
  }

  /**
   * Sends the API server SIGKILL and returns when it has ended; etcd and the controller manager
   * keep running. Its port refuses connections until {@link #startApiServer()}. Does nothing if it
   * is not running.
   *
   * @throws IllegalStateException if this server is closed
   */
  public void killApiServer() {
    controlPlane.kill(ControlPlane.API_SERVER);
  }

  /**
   * Starts the API server again after {@link #killApiServer()}, on the same port, with the same
   * objects and credentials; returns when it is ready.
   *
   * @throws IllegalStateException if it is running, or if it does not become ready; the message
   *     contains the command and the end of the log
   */
  public void startApiServer() {
    controlPlane.startApiServer();
  }

  /**
   * Stops the API server with SIGSTOP until {@link #resumeApiServer()}: connections stay open, the
   * kernel accepts new ones, and no request is answered.
   *
   * @throws IllegalStateException if it is not running
   */
  public void pauseApiServer() {
    controlPlane.pause(ControlPlane.API_SERVER);
  }

  /**
   * Resumes the API server with SIGCONT; it then answers the requests that have accumulated.
   *
   * @throws IllegalStateException if it is not running
   */
  public void resumeApiServer() {
    controlPlane.resume(ControlPlane.API_SERVER);
  }

  /**
   * Stops etcd with SIGSTOP until {@link #resumeEtcd()}: the API server answers only what it can
   * serve from its watch cache.
   *
   * @throws IllegalStateException if it is not running
   */
  public void pauseEtcd() {
    controlPlane.pause(ControlPlane.ETCD);
  }

  /**
   * Resumes etcd with SIGCONT.
   *
   * @throws IllegalStateException if it is not running
   */
  public void resumeEtcd() {
    controlPlane.resume(ControlPlane.ETCD);
  }

  /**
   * Sends etcd SIGKILL and returns when it has ended; the API server keeps running and fails
   * requests for which it needs etcd. Does nothing if etcd is not running.
   *
   * @throws IllegalStateException if this server is closed
   */
  public void killEtcd() {
    controlPlane.kill(ControlPlane.ETCD);
  }

  /**
   * Starts etcd again after {@link #killEtcd()}, with all its data; returns when it responds. The
   * API server reconnects within seconds.
   *
   * @throws IllegalStateException if it is running, or if it does not become ready
   */
  public void startEtcd() {
    controlPlane.startEtcd();
  }

  /**
   * Copies the state of all objects, for {@link #restore}. Kills and restarts etcd, the API server
   * and the controller manager, and returns when they are ready again; replicas continue to run.
   *
   * @throws IllegalStateException if they do not become ready
   */
  public EtcdSnapshot snapshot() {
    controlPlane.killAllOnEtcd();
    EtcdSnapshot snapshot = new EtcdSnapshot(files.snapshot());
    controlPlane.start();
    return snapshot;
  }

  /**
   * Restores the state of a snapshot, as an administrator does after a disaster. Later writes are
   * lost, and resourceVersions return to lower numbers, which are assigned again to other writes.
   * Kills and restarts etcd, the API server and the controller manager, and returns when they are
   * ready. Replicas continue to run and remember the lost writes, so close them first.
   *
   * @param snapshot a snapshot of this server; it can be restored any number of times
   * @throws IllegalStateException if they do not become ready
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
   * returns when it is ready. Each call starts another one. Its requests do not appear in the audit
   * log.
   *
   * @throws IllegalStateException if it does not become ready
   */
  public ApiServerReplica secondServer() {
    return ApiServerReplica.start(controlPlane, administrator, capabilities(), ports.etcdClient());
  }

  /**
   * Compacts etcd's entire history, so that every resourceVersion returned so far is too old to
   * watch from. Returns the compacted revision, which is higher than all of them.
   *
   * <p>This alone does not cause responses with 410, because the API server serves watches from an
   * old resourceVersion, exact lists and even continue tokens from memory. There are two ways to
   * cause a 410:
   *
   * <ul>
   *   <li>{@code compact()}, {@link #killApiServer()}, {@link #startApiServer()}: all three then
   *       fail with 410. For watches, the restart alone is sufficient if there was a write after
   *       their resourceVersion; for lists, it is not.
   *   <li>{@code compact()} on a server with the flag {@code --watch-cache=false}: new watches fail
   *       immediately; existing ones continue.
   * </ul>
   */
  public long compact() {
    return etcd.compact();
  }

  /**
   * Returns the requests of all users for objects that the API server has answered so far, in the
   * order in which they ended; a watch is listed at its start. The list is kept across {@link
   * #killApiServer()}.
   *
   * <p>A request may be missing for some milliseconds after its response arrived, so a test that
   * expects a request must poll. A test that expects none must first wait for a later one to
   * appear. The list includes the server's own requests, from {@code system:apiserver}; filter by
   * user.
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

  /** Collects the settings of a server. For use by one thread. */
  public static final class Builder {

    private @Nullable Path assets;
    private boolean controllerManager;
    private boolean audit;
    private final List<String> apiServerFlags = new ArrayList<>();
    private Duration startTimeout = Duration.ofSeconds(60);

    private Builder() {}

    /**
     * Sets the directory that contains etcd, kube-apiserver and so on. Default: {@code
     * KUBEBUILDER_ASSETS}.
     */
    public Builder assets(Path directory) {
      this.assets = directory;
      return this;
    }

    /**
     * Adds a controller manager, so that garbage collection and the deletion of namespaces work and
     * the roles {@code view}, {@code edit} and {@code admin} have rules. It requires {@code
     * kube-controller-manager} in the same directory as the other programs; setup-envtest does not
     * install it.
     */
    public Builder withControllerManager() {
      this.controllerManager = true;
      return this;
    }

    /** Sets whether {@link RealApiServer#auditEvents()} is available. Default: false. */
    public Builder audit(boolean enabled) {
      this.audit = enabled;
      return this;
    }

    /**
     * Adds flags for kube-apiserver, such as {@code --max-requests-inflight=10}. They come last and
     * therefore override the default flags.
     */
    public Builder apiServerFlags(String... flags) {
      this.apiServerFlags.addAll(List.of(flags));
      return this;
    }

    /** Sets the longest wait for the server to become ready, at each start. Default: 60 s. */
    public Builder startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return this;
    }

    /**
     * Starts the server and returns when it is ready, after a few seconds. The caller closes it.
     *
     * @throws IllegalStateException if a program is missing, in which case the message names the
     *     program, the directory that was searched and the remedy; or if the server does not become
     *     ready, in which case the message contains its command and the end of its log. No process
     *     is left running
     */
    public RealApiServer start() {
      String directory = assets == null ? System.getenv(Assets.VARIABLE) : assets.toString();
      Options options =
          new Options(
              Assets.locate(directory, controllerManager),
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
