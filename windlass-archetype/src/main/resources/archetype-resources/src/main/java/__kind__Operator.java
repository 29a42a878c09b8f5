package ${package};

import dev.windlass.cli.Operator;
import dev.windlass.cli.Program;
import dev.windlass.manager.Manager;
import picocli.CommandLine.Command;

/** The main class of the program. The option `--help` lists all options. */
@Command(description = "Keeps a Deployment for each ${kind}.")
public final class ${kind}Operator extends Operator {

  ${kind}Operator() {
    super(Program.named("${artifactId}").metrics("127.0.0.1:8080").probes(":8081"));
  }

  @Override
  protected void registerWith(Manager manager) {
    ${kind}Reconciler.register(manager, workers());
  }

  public static void main(String[] args) {
    System.exit(new ${kind}Operator().run(args));
  }
}
