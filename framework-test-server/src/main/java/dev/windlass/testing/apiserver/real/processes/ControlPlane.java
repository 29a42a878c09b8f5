// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts, pauses and kills the processes of one server.
 *
 * <p>A thread holds this object's lock while it starts a process or records its exit, but not while
 * it waits until the server is ready. Therefore, {@link #close()} can abort a start in progress.
 * The shutdown hook also calls {@link #close()}.
 */
public final class ControlPlane implements AutoCloseable {

  public static final String ETCD = "etcd";
  public static final String API_SERVER = "kube-apiserver";
  public static final String CONTROLLER_MANAGER = "kube-controller-manager";

  private final ServerOptions options;
  private final ServerCommands commands;
  private final Readiness readiness;
  private final ProcessWatchdog watchdog;
  private final Thread shutdownHook = new Thread(this::close, "windlass-apiserver-shutdown");

  /** The running processes by name, in the order in which they were started. */
  @GuardedBy("this")
  private final Map<String, ServerProcess> running = new LinkedHashMap<>();

  @GuardedBy("this")
  private int replicas;

  @GuardedBy("this")
  private boolean closed;

  /** Creates a control plane. This constructor starts only the watchdog. */
  public ControlPlane(ServerOptions options, ServerCommands commands, Readiness readiness) {
    this.options = options;
    this.commands = commands;
    this.readiness = readiness;
    this.watchdog = ProcessWatchdog.start(commands.files().root());
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /**
   * Starts all processes and waits until the API server is ready. etcd and the API server start at
   * the same time; the API server retries its requests until etcd responds.
   */
  public void start() {
    launch(ETCD, commands.etcd());
    startApiServer();
    startControllerManager();
  }

  /** Starts the API server on its reserved port and waits until it is ready. */
  public void startApiServer() {
    ReservedPorts ports = commands.ports();
    startApiServer(API_SERVER, ports.apiServer(), commands.apiServer(options));
  }

  /** Starts an additional API server under the given process name and waits until it is ready. */
  public void startReplica(String name, int port, String etcdUrl) {
    startApiServer(name, port, commands.replica(options, port, etcdUrl));
  }

  /** Returns a unique process name for an additional API server. */
  public synchronized String nameReplica() {
    replicas++;
    return API_SERVER + "-replica-" + replicas;
  }

  private void startApiServer(String name, int port, List<String> command) {
    ServerProcess started = launch(name, command);
    ServerProcess etcd = find(ETCD);
    readiness.awaitApiServer(
        ReservedPorts.httpsUrl(port), etcd == null ? List.of(started) : List.of(etcd, started));
  }

  /** Restarts etcd on the same port and with its existing data, and waits until it responds. */
  public void startEtcd() {
    ServerProcess etcd = launch(ETCD, commands.etcd());
    readiness.awaitEtcd(commands.ports().etcdUrl(), List.of(etcd));
  }

  /** Starts the controller manager if it is enabled. Does not wait until it is ready. */
  void startControllerManager() {
    if (options.controllerManager()) {
      launch(CONTROLLER_MANAGER, commands.controllerManager());
    }
  }

  /**
   * Sends SIGKILL to the named process and waits for it to exit. Has no effect if the process is
   * not running.
   */
  public synchronized void kill(String name) {
    refuseIfClosed();
    ServerProcess process = running.remove(name);
    if (process != null) {
      process.kill();
      watchdog.guard(handlesOfRunning());
    }
  }

  /**
   * Kills a process as {@link #kill} does. Has no effect after {@link #close()} has been called,
   * whereas {@link #kill} then throws an exception.
   */
  public synchronized void forget(String name) {
    if (!closed) {
      kill(name);
    }
  }

  /**
   * Kills the controller manager, the API server and etcd, in this order. This also discards the
   * data that these processes have cached from etcd. Replicas continue to run.
   */
  public void killAllOnEtcd() {
    kill(CONTROLLER_MANAGER);
    kill(API_SERVER);
    kill(ETCD);
  }

  /** Pauses a process until {@link #resume} is called. */
  public synchronized void pause(String name) {
    alive(name).pause();
  }

  /** Resumes a process. */
  public synchronized void resume(String name) {
    alive(name).resume();
  }

  @GuardedBy("this")
  private ServerProcess alive(String name) {
    refuseIfClosed();
    ServerProcess process = running.get(name);
    if (process == null || !process.isAlive()) {
      throw new IllegalStateException(name + " is not running");
    }
    return process;
  }

  /** Returns all live processes that this object has started. */
  public synchronized List<ProcessHandle> processes() {
    List<ProcessHandle> handles = new ArrayList<>(handlesOfRunning());
    handles.add(watchdog.handle());
    return handles.stream().filter(ProcessHandle::isAlive).toList();
  }

  /**
   * Kills all processes, in the reverse of the order in which they were started, and deletes the
   * data. Uses SIGKILL, because no data needs to be saved. After SIGTERM, the API server and the
   * controller manager would take seconds to exit.
   */
  @Override
  public void close() {
    List<ServerProcess> toStop;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      toStop = new ArrayList<>(running.values());
      running.clear();
    }
    for (int i = toStop.size() - 1; i >= 0; i--) {
      toStop.get(i).kill();
    }
    watchdog.dismiss();
    commands.ports().release();
    commands.files().delete();
    removeShutdownHook();
  }

  private synchronized ServerProcess launch(String name, List<String> command) {
    refuseIfClosed();
    ServerProcess previous = running.remove(name);
    if (previous != null && previous.isAlive()) {
      running.put(name, previous);
      throw new IllegalStateException(name + " is running; kill it first");
    }
    ServerProcess process = ServerProcess.start(name, command, commands.files().log(name));
    running.put(name, process);
    watchdog.guard(handlesOfRunning());
    return process;
  }

  private synchronized @Nullable ServerProcess find(String name) {
    return running.get(name);
  }

  @GuardedBy("this")
  private List<ProcessHandle> handlesOfRunning() {
    return running.values().stream().map(ServerProcess::handle).toList();
  }

  @GuardedBy("this")
  private void refuseIfClosed() {
    if (closed) {
      throw new IllegalStateException("the server is closed");
    }
  }

  private void removeShutdownHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      // the JVM is shutting down, and the caller may be the hook itself
    }
  }
}
