// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one server, from their start until the last of them has exited.
 *
 * <p>A thread holds the lock while it starts a process or records its exit, but never while it
 * waits for the server to become ready. {@link #close()}, which the shutdown hook also calls, can
 * therefore abort a start in progress.
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

  /** The running processes by their names, in the order of their starts. */
  @GuardedBy("this")
  private final Map<String, ServerProcess> running = new LinkedHashMap<>();

  @GuardedBy("this")
  private int replicas;

  @GuardedBy("this")
  private boolean closed;

  /** Creates a control plane and starts only the watchdog. */
  public ControlPlane(ServerOptions options, ServerCommands commands, Readiness readiness) {
    this.options = options;
    this.commands = commands;
    this.readiness = readiness;
    this.watchdog = ProcessWatchdog.start(commands.files().root());
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /**
   * Starts all processes and returns when the API server is ready. etcd and the API server start at
   * the same time. The API server retries until etcd responds.
   */
  public void start() {
    launch(ETCD, commands.etcd());
    startApiServer();
    startControllerManager();
  }

  /** Starts the API server on its previous port with etcd's data. Returns when it is ready. */
  public void startApiServer() {
    ReservedPorts ports = commands.ports();
    startApiServer(API_SERVER, ports.apiServer(), commands.apiServer(options));
  }

  /** Starts an additional API server under the given process name. Returns when it is ready. */
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

  /** Starts etcd again on its previous port with its data. Returns when it responds. */
  public void startEtcd() {
    ServerProcess etcd = launch(ETCD, commands.etcd());
    readiness.awaitEtcd(commands.ports().etcdUrl(), List.of(etcd));
  }

  /** Starts the controller manager, if this server has one, without waiting for it. */
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
   * Kills a process as {@link #kill} does, but has no effect after {@link #close()}, whereas {@link
   * #kill} then throws an exception.
   */
  public synchronized void forget(String name) {
    if (!closed) {
      kill(name);
    }
  }

  /**
   * Kills the controller manager, the API server and etcd, in this order, so that none of them
   * keeps etcd's data in memory. Replicas continue to run.
   */
  public void killAllOnEtcd() {
    kill(CONTROLLER_MANAGER);
    kill(API_SERVER);
    kill(ETCD);
  }

  /** Suspends a process until {@link #resume}. */
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

  /** Returns all live processes started by this object. */
  public synchronized List<ProcessHandle> processes() {
    List<ProcessHandle> handles = new ArrayList<>(handlesOfRunning());
    handles.add(watchdog.handle());
    return handles.stream().filter(ProcessHandle::isAlive).toList();
  }

  /**
   * Kills all processes, in reverse order of their starts, and deletes the data. Uses SIGKILL,
   * because data does not have to be saved, and because the API server and the controller manager
   * take seconds to exit after SIGTERM.
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
