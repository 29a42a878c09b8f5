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
 * Builder#withControllerManager() if asked for}, a controller manager that collects garbage,
 * empties deleted namespaces and fills the roles {@code view}, {@code edit} and {@code admin}.
 *
 * <p>The programs come from {@code KUBEBUILDER_ASSETS}, as setup-envtest installs them. Everything
 * listens on 127.0.0.1, on ports of its own, with certificates of its own and RBAC on; any number
 * of servers may run side by side. There are no nodes, no scheduler and no other controllers: pods
 * stay pending, and a Deployment's status is the test's to write. Processes and data end with
 * {@link #close()} or with the JVM, even where that gets killed.
 *
 * <p>Traits of the real thing that tests run into: the garbage collector learns of a new
 * CustomResourceDefinition up to 30 s after it was made; an API server that was killed is another
 * one after {@link #startApiServer()}, with an empty watch cache.
 *
 * <p>Safe for use by several threads.
 */
public final class RealApiServer implements TestApiServer {

  /** The user that {@link #clientConfig()} authenticates as; it may do everything. */
  public static final String ADMINISTRATOR = "windlass-admin";

  private static final List<String> MASTERS = List.of("system:masters");

  private final Options options;
  private final CertificateAuthority authority;
  private final Ports ports;
  private final Access administrator;
  private final ServerFiles files;
  private final ControlPlane controlPlane;
  private final EtcdGateway etcd;
  private final AuditLog auditLog;

  private RealApiServer(Options options, Clock clock) {
    this.options = options;
    this.authority = CertificateAuthority.create(clock);
    this.ports = Ports.take(new SecureRandom());
    this.administrator = access(ADMINISTRATOR, MASTERS);
    this.files = ServerFiles.create();
    files.write(authority, access("system:kube-controller-manager", MASTERS));
    HttpClient http = HttpClient.newBuilder().sslContext(administrator.sslContext()).build();
    this.controlPlane =
        new ControlPlane(
            options,
            new Commands(options.assets(), files, ports),
            new Readiness(http, clock, options.startTimeout()));
    this.etcd = new EtcdGateway(http, ports.etcdUrl());
    this.auditLog = new AuditLog(files.auditLog());
  }

  /**
   * A server with the defaults, ready for use: without controller manager and audit.
   *
   * @throws IllegalStateException as {@link Builder#start()}
   */
  public static RealApiServer start() {
    return builder().start();
  }

  /** For a server that is not quite the default. */
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
   * A new client configuration for a user who may do nothing until the test binds a role to the
   * user or to one of the groups. The caller may change it.
   *
   * @param user the name that RBAC knows the user by, not empty
   * @param groups the names of groups that the user belongs to, besides {@code
   *     system:authenticated}
   */
  public Config userConfig(String user, String... groups) {
    return access(user, List.of(groups)).config();
  }

  /** As {@link #userConfig}, as the text of a kubeconfig file. */
  public String kubeconfigFor(String user, String... groups) {
    return access(user, List.of(groups)).kubeconfig();
  }

  @Override
  public ServerCapabilities capabilities() {
    return new ServerCapabilities(options.controllerManager(), false, true, true, true);
  }

  /**
   * Sends the API server SIGKILL and returns when it is gone; etcd and the controller manager live
   * on. Its port refuses connections until {@link #startApiServer()}. Does nothing if it is dead.
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
   * @throws IllegalStateException if it is running, or if it does not get ready; the message holds
   *     the command and the end of the log
   */
  public void startApiServer() {
    controlPlane.startApiServer();
  }

  /**
   * Stops the API server with SIGSTOP until {@link #resumeApiServer()}: connections stay open, new
   * ones are taken by the kernel, and nothing is answered.
   *
   * @throws IllegalStateException if it is not running
   */
  public void pauseApiServer() {
    controlPlane.pause(ControlPlane.API_SERVER);
  }

  /**
   * Lets the API server go on with SIGCONT; it answers what has piled up.
   *
   * @throws IllegalStateException if it is not running
   */
  public void resumeApiServer() {
    controlPlane.resume(ControlPlane.API_SERVER);
  }

  /**
   * Stops etcd with SIGSTOP until {@link #resumeEtcd()}: the API server answers what its watch
   * cache holds, and nothing else.
   *
   * @throws IllegalStateException if it is not running
   */
  public void pauseEtcd() {
    controlPlane.pause(ControlPlane.ETCD);
  }

  /**
   * Lets etcd go on with SIGCONT.
   *
   * @throws IllegalStateException if it is not running
   */
  public void resumeEtcd() {
    controlPlane.resume(ControlPlane.ETCD);
  }

  /**
   * Sends etcd SIGKILL and returns when it is gone; the API server lives on and fails what it has
   * to ask etcd for. Does nothing if it is dead.
   *
   * @throws IllegalStateException if this server is closed
   */
  public void killEtcd() {
    controlPlane.kill(ControlPlane.ETCD);
  }

  /**
   * Starts etcd again after {@link #killEtcd()}, with all its data; returns when it answers. The
   * API server finds it within seconds.
   *
   * @throws IllegalStateException if it is running, or if it does not get ready
   */
  public void startEtcd() {
    controlPlane.startEtcd();
  }

  /**
   * Copies the state of all objects, for {@link #restore}. Kills etcd, the API server and the
   * controller manager for that, and returns when they are ready again; replicas live on.
   *
   * @throws IllegalStateException if they do not get ready
   */
  public EtcdSnapshot snapshot() {
    controlPlane.killAllOnEtcd();
    EtcdSnapshot snapshot = new EtcdSnapshot(files.snapshot());
    controlPlane.start();
    return snapshot;
  }

  /**
   * Puts back the state of a snapshot, as an administrator does after a disaster: what was written
   * since is gone, and resourceVersions go back in time, to be given a second time to other writes.
   * Kills and starts etcd, the API server and the controller manager, and returns when they are
   * ready. Replicas live on with a memory of the future: close them before.
   *
   * @param snapshot one of this server, which can be restored any number of times
   * @throws IllegalStateException if they do not get ready
   */
  public void restore(EtcdSnapshot snapshot) {
    if (!snapshot.directory().startsWith(files.root())) {
      throw new IllegalArgumentException("a snapshot of another server");
    }
    controlPlane.killAllOnEtcd();
    files.restore(snapshot.directory());
    controlPlane.start();
  }

  /**
   * Starts a second API server on the same etcd, with the same flags, users and credentials, and
   * returns when it is ready. Each call starts another one. Its requests are not in the audit log.
   *
   * @throws IllegalStateException if it does not get ready
   */
  public ApiServerReplica secondServer() {
    return ApiServerReplica.start(controlPlane, administrator, capabilities(), ports.etcdClient());
  }

  /**
   * Makes etcd forget all history, so that every resourceVersion handed out until now is too old to
   * watch from. Returns the compacted revision, which is higher than all of them.
   *
   * <p>By itself this does not make the API server answer with 410: watches from an old
   * resourceVersion, exact lists and even continue tokens are served from its memory. There are two
   * ways to provoke a 410:
   *
   * <ul>
   *   <li>{@code compact()}, {@link #killApiServer()}, {@link #startApiServer()}: all three get it.
   *       The restart alone does it for watches, if anything was written since their
   *       resourceVersion, and not for lists.
   *   <li>{@code compact()} on a server with the flag {@code --watch-cache=false}: new watches get
   *       it at once; those under way go on.
   * </ul>
   */
  public long compact() {
    return etcd.compact();
  }

  /**
   * The requests for objects that the API server answered so far, of all users, in the order of
   * their ends; a watch stands where it began. Kept across {@link #killApiServer()}.
   *
   * <p>A request may be missing for some milliseconds after its answer arrived, so a test that
   * expects one polls. A test that expects none first waits for a later one to appear. The server's
   * own requests are among them, as of {@code system:apiserver}; filter by user.
   *
   * @throws IllegalStateException if the server was built without {@link Builder#audit}
   */
  public List<AuditEvent> auditEvents() {
    if (!options.audit()) {
      throw new IllegalStateException("build the server with audit(true) to read its audit log");
    }
    return auditLog.events();
  }

  /** Every living process of this server. */
  List<ProcessHandle> processes() {
    return controlPlane.processes();
  }

  @Override
  public void close() {
    controlPlane.close();
  }

  private Access access(String user, List<String> groups) {
    if (user.isBlank()) {
      throw new IllegalArgumentException("a user needs a name");
    }
    return new Access(
        ports.apiServerUrl(), authority.self().certificate(), authority.client(user, groups));
  }

  /** Collects what a server shall be like; for one thread. */
  public static final class Builder {

    private @Nullable Path assets;
    private boolean controllerManager;
    private boolean audit;
    private final List<String> apiServerFlags = new ArrayList<>();
    private Duration startTimeout = Duration.ofSeconds(60);

    private Builder() {}

    /** Where etcd, kube-apiserver and so on are. Default: {@code KUBEBUILDER_ASSETS}. */
    public Builder assets(Path directory) {
      this.assets = directory;
      return this;
    }

    /**
     * Adds a controller manager, so that garbage collection and the deletion of namespaces work and
     * the roles {@code view}, {@code edit} and {@code admin} have rules. It needs {@code
     * kube-controller-manager} beside the other programs, which setup-envtest does not install.
     */
    public Builder withControllerManager() {
      this.controllerManager = true;
      return this;
    }

    /** Whether {@link RealApiServer#auditEvents()} can be read. Default: false. */
    public Builder audit(boolean enabled) {
      this.audit = enabled;
      return this;
    }

    /**
     * More flags for kube-apiserver, such as {@code --max-requests-inflight=10}; they come last and
     * so win over ours.
     */
    public Builder apiServerFlags(String... flags) {
      this.apiServerFlags.addAll(List.of(flags));
      return this;
    }

    /** The longest wait for the server to get ready, at each start. Default: 60 s. */
    public Builder startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return this;
    }

    /**
     * Starts the server and returns when it is ready, after some seconds. The caller closes it.
     *
     * @throws IllegalStateException if a program is missing, with a message that says which, where
     *     it was looked for and what to do; or if the server does not get ready, with its command
     *     and the end of its log. Nothing is left running.
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
