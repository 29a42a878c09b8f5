// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.access.UserAccess;
import dev.windlass.testing.apiserver.real.processes.ControlPlane;
import dev.windlass.testing.apiserver.real.processes.ReservedPorts;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.client.Config;
import java.security.SecureRandom;

/**
 * An additional kube-apiserver that uses the etcd of a {@link RealApiServer}, as in a cluster with
 * several control plane nodes. It serves the same objects on a different port, from its own watch
 * cache.
 *
 * <p>The replica connects to etcd through {@link #etcdNetwork()}. While this network is frozen, the
 * replica's watch cache is not updated. Lists and watches that the replica serves from this cache
 * then return stale objects, whereas the first server continues to receive changes. The replica's
 * etcd client detects the failure after 30 s to 40 s, so a test must end before then.
 *
 * <p>This class is thread-safe. Close the replica before its server. Closing either of them kills
 * the process of the replica.
 */
public final class ApiServerReplica implements TestApiServer {

  private final ControlPlane controlPlane;
  private final String name;
  private final int port;
  private final UserAccess administrator;
  private final ServerCapabilities capabilities;
  private final TcpProxy etcdNetwork;

  private ApiServerReplica(
      ControlPlane controlPlane,
      int port,
      UserAccess administrator,
      ServerCapabilities capabilities,
      int etcd) {
    this.controlPlane = controlPlane;
    this.name = controlPlane.nameReplica();
    this.port = port;
    this.administrator = administrator.at(ReservedPorts.httpsUrl(port));
    this.capabilities = capabilities;
    this.etcdNetwork = TcpProxy.to(etcd);
  }

  /**
   * Starts a replica and waits until it is ready. If the replica does not become ready, this method
   * kills its process and throws an exception.
   */
  static ApiServerReplica start(
      ControlPlane controlPlane,
      UserAccess administrator,
      ServerCapabilities capabilities,
      int etcd) {
    int port = ReservedPorts.takeOne(new SecureRandom());
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

  /** Returns the port on 127.0.0.1 on which the replica listens. The port does not change. */
  public int port() {
    return port;
  }

  /** Returns the simulated network between this replica and etcd. Initially, it has no faults. */
  public TcpProxy etcdNetwork() {
    return etcdNetwork;
  }

  /**
   * Sends SIGKILL to the replica and waits for its process to exit. Has no effect if the replica is
   * not running.
   */
  public void kill() {
    controlPlane.kill(name);
  }

  /**
   * Restarts the replica after {@link #kill()}, on the same port but with an empty watch cache.
   * Returns when the replica is ready.
   *
   * @throws IllegalStateException if the replica is running, or if it does not become ready
   */
  public void startAgain() {
    controlPlane.startReplica(name, port, "http://127.0.0.1:" + etcdNetwork.port());
  }

  /**
   * Pauses the replica with SIGSTOP until {@link #resume()} is called. Its connections remain open,
   * but no data arrives.
   *
   * @throws IllegalStateException if the replica is not running
   */
  public void pause() {
    controlPlane.pause(name);
  }

  /**
   * Resumes the replica with SIGCONT.
   *
   * @throws IllegalStateException if the replica is not running
   */
  public void resume() {
    controlPlane.resume(name);
  }

  @Override
  public void close() {
    controlPlane.forget(name);
    etcdNetwork.close();
    ReservedPorts.release(port);
  }
}
