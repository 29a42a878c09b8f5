// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.cli.Operator;
import dev.windlass.cli.Program;
import dev.windlass.controller.Controller;
import dev.windlass.manager.Manager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the Hello operator against a cluster until it is stopped. */
@Command(name = "hello", description = "Runs a Pod for each Hello.")
public final class HelloOperator extends Operator {

  /**
   * The defaults of this program. They enable the controller's DEBUG log lines, because the program
   * on which this example is based also logs "Successfully Reconciled".
   */
  private static final Program PROGRAM =
      Program.named("hello")
          .role("hello-operator")
          .lease("b9d77817.whichxjy.com")
          .metrics(":8080")
          .debug(Controller.class.getName());

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      converter = Variant.Named.class,
      description = {
        "How the end of a Pod is detected: requeue polls, owns watches.",
        "Default: requeue."
      })
  private Variant variant = Variant.REQUEUE;

  /** Creates the program without starting it. */
  public HelloOperator() {
    super(PROGRAM);
  }

  @Override
  protected void registerWith(Manager manager) {
    variant.controller(manager).maxConcurrentReconciles(workers()).register(manager);
  }

  /** Starts the program. */
  public static void main(String[] args) {
    System.exit(new HelloOperator().run(args));
  }
}
