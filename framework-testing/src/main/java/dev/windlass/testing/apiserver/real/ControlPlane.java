// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one server, from their start to the end of the last.
 *
 * <p>The lock is held to start a process and to note its end, never to wait for the server to get
 * ready: so {@link #close()}, which the shutdown hook calls too, ends a start that is under way.
 */
final class ControlPlane implements AutoCloseable {

  private final Options options;
  private final Commands commands;
  private final Readiness readiness;
  private final Watchdog watchdog;
  private final Thread shutdownHook = new Thread(this::close, "windlass-apiserver-shutdown");

  /** What runs, in the order of the starts. */
  @GuardedBy("this")
  private final List<ServerProcess> running = new ArrayList<>();

  @GuardedBy("this")
  private @Nullable ServerProcess etcd;

  @GuardedBy("this")
  private @Nullable ServerProcess apiServer;

  @GuardedBy("this")
  private boolean closed;

  /** Nothing runs yet but the watchdog. */
  ControlPlane(Options options, Commands commands, Readiness readiness) {
    this.options = options;
    this.commands = commands;
    this.readiness = readiness;
    this.watchdog = Watchdog.start(commands.files().root());
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /**
   * Starts all and returns when the API server is ready. etcd and the API server start at once; the
   * latter tries until the former answers.
   */
  void start() {
    synchronized (this) {
      etcd = launch("etcd", commands.etcd());
    }
    startApiServer();
    if (options.controllerManager()) {
      synchronized (this) {
        launch("kube-controller-manager", commands.controllerManager());
      }
    }
  }

  /** Starts the API server on its old port and etcd's data; returns when it is ready. */
  void startApiServer() {
    List<ServerProcess> needed;
    synchronized (this) {
      if (apiServer != null && apiServer.isAlive()) {
        throw new IllegalStateException("the API server is running; kill it first");
      }
      if (apiServer != null) {
        running.remove(apiServer);
      }
      ServerProcess started = launch("kube-apiserver", commands.apiServer(options));
      apiServer = started;
      needed = etcd == null ? List.of(started) : List.of(etcd, started);
    }
    readiness.await(commands.ports().apiServerUrl(), needed);
  }

  /** Sends SIGKILL to the API server and returns when it is gone; else nothing ends. */
  synchronized void killApiServer() {
    refuseIfClosed();
    if (apiServer != null) {
      apiServer.kill();
      running.remove(apiServer);
      apiServer = null;
      watchdog.guard(handlesOfRunning());
    }
  }

  /** All processes that this object started and that are alive. */
  synchronized List<ProcessHandle> processes() {
    List<ProcessHandle> handles = new ArrayList<>(handlesOfRunning());
    handles.add(watchdog.handle());
    return handles.stream().filter(ProcessHandle::isAlive).toList();
  }

  /**
   * Ends everything, the last started first, and deletes the data. With SIGKILL: there is nothing
   * to save, and after a SIGTERM the API server and the controller manager take seconds to end.
   */
  @Override
  public void close() {
    List<ServerProcess> toStop;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      toStop = new ArrayList<>(running);
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

  @GuardedBy("this")
  private ServerProcess launch(String name, List<String> command) {
    refuseIfClosed();
    ServerProcess process = ServerProcess.start(name, command, commands.files().log(name));
    running.add(process);
    watchdog.guard(handlesOfRunning());
    return process;
  }

  @GuardedBy("this")
  private List<ProcessHandle> handlesOfRunning() {
    return running.stream().map(ServerProcess::handle).toList();
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
      // the JVM is shutting down, and this may well be the hook
    }
  }
}
