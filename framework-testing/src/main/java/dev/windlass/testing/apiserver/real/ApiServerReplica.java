// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.client.Config;
import java.security.SecureRandom;

/**
 * A further kube-apiserver on the etcd of a {@link RealApiServer}, as in a cluster with several
 * control plane nodes: the same objects on another port, from a watch cache of its own.
 *
 * <p>It reaches etcd through {@link #etcdNetwork()}. Freeze that, and the replica stays in the
 * past: lists and watches from its cache show what was, while the first server goes on. etcd's
 * client notices after some 30 s to 40 s, so a test takes less.
 *
 * <p>Safe for use by several threads. Close it before its server; its process ends with either.
 */
public final class ApiServerReplica implements TestApiServer {

  private final ControlPlane controlPlane;
  private final String name;
  private final int port;
  private final Access administrator;
  private final ServerCapabilities capabilities;
  private final TcpProxy etcdNetwork;

  private ApiServerReplica(
      ControlPlane controlPlane,
      int port,
      Access administrator,
      ServerCapabilities capabilities,
      int etcd) {
    this.controlPlane = controlPlane;
    this.name = controlPlane.nameReplica();
    this.port = port;
    this.administrator = administrator.at(Ports.httpsUrl(port));
    this.capabilities = capabilities;
    this.etcdNetwork = TcpProxy.to(etcd);
  }

  /** A replica that is ready; nothing is left running if it does not get so. */
  static ApiServerReplica start(
      ControlPlane controlPlane, Access administrator, ServerCapabilities capabilities, int etcd) {
    int port = Ports.takeOne(new SecureRandom());
    ApiServerReplica replica =
        new ApiServerReplica(controlPlane, port, administrator, capabilities, etcd);
    try {
      replica.startAgain();
      return replica;
    } catch (RuntimeException e) {
      replica.close();
      throw e;
    }
  }

  @Override
  public Config clientConfig() {
    return administrator.config();
  }

  @Override
  public String kubeconfig() {
    return administrator.kubeconfig();
  }

  @Override
  public ServerCapabilities capabilities() {
    return capabilities;
  }

  /** The port that it listens on, on 127.0.0.1; always the same. */
  public int port() {
    return port;
  }

  /** What lies between this replica and etcd, whole at the start. */
  public TcpProxy etcdNetwork() {
    return etcdNetwork;
  }

  /** Sends SIGKILL and returns when it is gone; does nothing if it is. */
  public void kill() {
    controlPlane.kill(name);
  }

  /**
   * Starts it after {@link #kill()}, on the same port with an empty watch cache; returns when it is
   * ready.
   *
   * @throws IllegalStateException if it is running, or if it does not get ready
   */
  public void startAgain() {
    controlPlane.startReplica(name, port, "http://127.0.0.1:" + etcdNetwork.port());
  }

  /**
   * Stops it with SIGSTOP until {@link #resume()}: its connections stay open and nothing comes.
   *
   * @throws IllegalStateException if it is not running
   */
  public void pause() {
    controlPlane.pause(name);
  }

  /**
   * Lets it go on with SIGCONT.
   *
   * @throws IllegalStateException if it is not running
   */
  public void resume() {
    controlPlane.resume(name);
  }

  @Override
  public void close() {
    controlPlane.forget(name);
    etcdNetwork.close();
    Ports.release(port);
  }
}
