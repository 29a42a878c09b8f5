// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the Tenant operator against a cluster until it is told to stop. */
@Command(
    name = "tenant",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = "Keeps Namespaces, and the rights of their administrator, for each Tenant.")
public final class TenantOperator implements Callable<Integer> {

  private static final Logger log = LoggerFactory.getLogger(TenantOperator.class);

  /** The Lease for which the replicas compete. */
  private static final String LEASE = "27475f02.example.com";

  @Option(
      names = "--kubeconfig",
      description = "Path to a kubeconfig. Only required if out-of-cluster.")
  private @Nullable Path kubeconfig;

  @Option(
      names = {"--enable-leader-election", "--leader-elect"},
      description = "Lets one of several replicas work, and the others stand by.")
  private boolean leaderElection;

  @Option(
      names = "--leader-election-namespace",
      defaultValue = "",
      description = "Where the Lease is; that of the Pod or of the kubeconfig if empty.")
  private String leaseNamespace = "";

  @Option(
      names = "--metrics-bind-address",
      defaultValue = ":8080",
      description = "Where /metrics is served; 0 for nowhere.")
  private String metricsAddress = "";

  @Option(
      names = "--health-probe-bind-address",
      defaultValue = ":9090",
      description = "Where /healthz and /readyz are served; 0 for nowhere.")
  private String probeAddress = "";

  @Option(
      names = "--print-rbac",
      description = "Prints the rights that the operator needs as YAML, and exits.")
  private boolean printRbac;

  @Override
  public Integer call() {
    try {
      return printRbac ? print() : run();
    } catch (IllegalArgumentException | IllegalStateException e) {
      log.error("The operator can't run: {}", e.getMessage());
      return 1;
    }
  }

  private int run() {
    ManagerBuilder builder =
        builder().metricsBindAddress(metricsAddress).healthProbeBindAddress(probeAddress);
    if (kubeconfig != null) {
      builder.kubeconfig(kubeconfig);
    }
    try (Manager manager = builder.build()) {
      TenantController.register(manager);
      return manager.run() ? 0 : 1;
    }
  }

  /** Needs no cluster: what is declared is known before anything is connected. */
  private int print() {
    try (Manager manager = builder().config(Config.empty()).build()) {
      TenantController.register(manager);
      System.out.print(manager.rbac().yaml("tenant-operator"));
      return 0;
    }
  }

  private ManagerBuilder builder() {
    ManagerBuilder builder = Manager.builder();
    if (leaderElection) {
      builder.leaderElection(LeaderElectionOptions.of(LEASE).withNamespace(leaseNamespace));
    }
    return builder;
  }

  /** The program. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new TenantOperator()).execute(args));
  }
}
