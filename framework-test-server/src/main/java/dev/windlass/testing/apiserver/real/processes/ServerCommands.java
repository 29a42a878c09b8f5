// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import java.util.ArrayList;
import java.util.List;

/**
 * The command lines of etcd, kube-apiserver and kube-controller-manager. Each program listens only
 * on 127.0.0.1.
 */
public record ServerCommands(ServerPrograms programs, ServerFiles files, ReservedPorts ports) {

  private static final List<String> CONTROLLERS =
      List.of(
          "garbage-collector-controller",
          "namespace-controller",
          "clusterrole-aggregation-controller");

  /**
   * Returns the command line of etcd. fsync is disabled to make writes faster. The data does not
   * have to survive a crash of the machine.
   */
  List<String> etcd() {
    return List.of(
        programs.program("etcd"),
        "--name=test",
        "--data-dir=" + files.etcdData(),
        "--listen-client-urls=" + ports.etcdUrl(),
        "--advertise-client-urls=" + ports.etcdUrl(),
        "--listen-peer-urls=" + ports.etcdPeerUrl(),
        "--initial-advertise-peer-urls=" + ports.etcdPeerUrl(),
        "--initial-cluster=test=" + ports.etcdPeerUrl(),
        "--unsafe-no-fsync",
        "--log-level=warn");
  }

  /**
   * Returns the command line of the API server. As in envtest, the admission plugin ServiceAccount
   * is disabled. It would reject Pods, because their service account {@code default} does not exist
   * on this server.
   */
  List<String> apiServer(ServerOptions options) {
    List<String> command = apiServer(ports.apiServer(), ports.etcdUrl());
    if (options.audit()) {
      command.add("--audit-policy-file=" + files.auditPolicy());
      command.add("--audit-log-path=" + files.auditLog());
      command.add("--audit-log-mode=blocking");
      command.add("--audit-log-maxsize=100000");
    }
    command.addAll(options.apiServerFlags());
    return command;
  }

  /**
   * Returns the command line of an additional API server. Its audit log is disabled, because two
   * servers would corrupt the log file.
   */
  List<String> replica(ServerOptions options, int port, String etcdUrl) {
    List<String> command = apiServer(port, etcdUrl);
    command.addAll(options.apiServerFlags());
    return command;
  }

  private List<String> apiServer(int port, String etcdUrl) {
    return new ArrayList<>(
        List.of(
            programs.program("kube-apiserver"),
            "--etcd-servers=" + etcdUrl,
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            "--secure-port=" + port,
            "--cert-dir=" + files.certDirectory(),
            "--tls-cert-file=" + files.serverCertificate(),
            "--tls-private-key-file=" + files.serverKey(),
            "--client-ca-file=" + files.authority(),
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=" + files.serviceAccountPublicKey(),
            "--service-account-signing-key-file=" + files.serviceAccountKey(),
            "--service-cluster-ip-range=10.0.0.0/24",
            "--authorization-mode=RBAC",
            "--disable-admission-plugins=ServiceAccount",
            "--allow-privileged=true"));
  }

  /**
   * Returns the command line of the controller manager. It runs only the controllers whose work a
   * test cannot do itself: the garbage collector, the namespace controller, and the aggregation of
   * cluster roles, without which the roles {@code view}, {@code edit} and {@code admin} would be
   * empty. Tests must write the statuses that other controllers would maintain, such as those of
   * Deployments.
   */
  List<String> controllerManager() {
    return List.of(
        programs.program("kube-controller-manager"),
        "--kubeconfig=" + files.controllerManagerKubeconfig(),
        "--controllers=" + String.join(",", CONTROLLERS),
        "--leader-elect=false",
        "--secure-port=0");
  }
}
