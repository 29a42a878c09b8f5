// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the Hello operator against a cluster until it is told to stop. */
@Command(
    name = "hello",
    mixinStandardHelpOptions = true,
    description = "Runs a Pod for each Hello.")
public final class HelloOperator implements Callable<Integer> {

  @Option(
      names = "--kubeconfig",
      description = "Path to a kubeconfig. Only required if out-of-cluster.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--variant",
      defaultValue = "requeue",
      description =
          "How to learn that a Pod has ended: requeue asks, owns hears of it. Default:"
              + " ${DEFAULT-VALUE}.")
  private Variant variant = Variant.REQUEUE;

  @Option(
      names = "--print-rbac",
      description = "Prints the rights that the operator needs as YAML, and exits.")
  private boolean printRbac;

  /** For picocli. */
  public HelloOperator() {}

  @Override
  public Integer call() {
    if (printRbac) {
      try (Manager manager = Manager.builder().config(Config.empty()).build()) {
        variant.controller(manager).register(manager);
        System.out.print(manager.rbac().yaml("hello-operator"));
        return 0;
      }
    }
    ManagerBuilder builder = Manager.builder();
    if (kubeconfig != null) {
      builder.kubeconfig(kubeconfig);
    }
    try (Manager manager = builder.build()) {
      variant.controller(manager).register(manager);
      return manager.run() ? 0 : 1;
    }
  }

  /** The program. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new HelloOperator())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }
}
