// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.cli.install.Installation;
import dev.windlass.cli.install.Installation.Needs;
import dev.windlass.crd.CrdInstallation;
import dev.windlass.manager.InvalidSettingException;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base class for the main class of an operator. It parses the command-line options, configures
 * logging, installs the CRDs, reports the progress of the caches during startup, and returns the
 * exit code. A subclass registers its controllers. It can define additional options with picocli's
 * {@code @Option} and {@code @Mixin}.
 *
 * <pre>{@code
 * @Command(description = "Serves each Website by a Deployment.")
 * final class WebsiteOperator extends Operator {
 *
 *   WebsiteOperator() {
 *     super(Program.named("website-operator").probes(":8081"));
 *   }
 *
 *   @Override
 *   protected void registerWith(Manager manager) {
 *     ControllerBuilder.forType(Website.class)
 *         .objectReconciler(new WebsiteReconciler())
 *         .maxConcurrentReconciles(workers())
 *         .register(manager);
 *   }
 *
 *   public static void main(String[] args) {
 *     System.exit(new WebsiteOperator().run(args));
 *   }
 * }
 * }</pre>
 *
 * <p>The logger {@code setup} reports startup and shutdown. This class is not thread-safe. Run only
 * one operator per process, because an operator configures the logging of the whole process.
 */
@Command(mixinStandardHelpOptions = true)
public abstract class Operator implements Callable<Integer> {

  private static final Logger log = LoggerFactory.getLogger("setup");

  private static final int FAILED = 1;

  private static final String NO_NAMESPACE =
      "the namespace of the Lease is unknown; pass --leader-election-namespace";

  private final Program program;
  private final BuildVersions versions;

  /** Whether the program has begun to connect to a cluster, instead of only printing something. */
  private boolean connected;

  /** The command of this program. Picocli sets this field before it calls {@link #call()}. */
  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Settings settings = new Settings();

  @Mixin private final InstallationOptions installation = new InstallationOptions();

  /** Creates an operator. Call {@link #run} to start it. */
  protected Operator(Program program) {
    this.program = program;
    this.versions = new BuildVersions(program.versionOf(getClass()));
  }

  /**
   * Registers the operator's controllers and other components. Implementations must not send
   * requests to the API server. Options such as {@code --print-rbac} and {@code --write-helm} call
   * this method without a cluster, to determine the required permissions and the {@linkplain
   * Manager#manifests() manifests}. {@code --write-helm} calls this method more than once.
   */
  protected abstract void registerWith(Manager manager);

  /**
   * Configures the manager. Override this method to set options that are not available on the
   * command line, such as the shutdown time-out. Command-line options take precedence, because the
   * framework applies them after it has called this method. The framework can call this method more
   * than once, each time with a new builder. The default implementation does nothing.
   */
  protected void configure(ManagerBuilder builder) {}

  /** Returns the maximum number of objects to reconcile concurrently. */
  protected final int workers() {
    return settings.workers == null ? program.workers() : settings.workers;
  }

  /**
   * Runs the program and waits until it stops, usually because of SIGTERM or Ctrl-C.
   *
   * @param arguments the command-line arguments
   * @return the exit code: 0 after a normal shutdown, 1 after a failure, or 2 if an argument or
   *     setting is invalid
   */
  public final int run(String... arguments) {
    CommandLine line = commandLine();
    int code = line.execute(arguments);
    return hasLostOutput(line) ? FAILED : code;
  }

  /** Returns whether the program's only result is its output, and the output was not written. */
  private boolean hasLostOutput(CommandLine line) {
    if (connected || !StandardOutput.isIncomplete(line.getOut())) {
      return false;
    }
    line.getErr().println(program.name() + ": failed to write to the standard output");
    return true;
  }

  /**
   * Returns the picocli command that {@link #run} executes. Tests can use it to redirect the
   * program's output.
   */
  public final CommandLine commandLine() {
    CommandLine line = new CommandLine(this);
    line.setCommandName(program.name());
    line.getCommandSpec().versionProvider(versions);
    line.setParameterExceptionHandler(new WrongArguments());
    line.setDefaultValueProvider(
        new Settings.VariableDefaults(System::getenv, line.getDefaultValueProvider()));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setOverwrittenOptionsAllowed(true); // as in kubectl: a Deployment can append options
    if (System.getProperty("picocli.trace") == null) {
      CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF); // suppresses repetition warnings
    }
    HelpPage.of(program).addTo(line);
    return line;
  }

  /** Runs the program with the options that picocli has set. Use {@link #run} instead. */
  @Override
  public final Integer call() {
    new Logs(settings.logLevel, settings.logFormat, program.debug()).apply();
    installation.requireMeaning(command().commandLine());
    if (installation.isWanted()) {
      return install();
    }
    return settings.printRbac != null || settings.printManifests ? print() : connect();
  }

  /** Returns the CRDs to install, if the user has requested their installation. */
  private Optional<CrdInstallation> crds() {
    if (settings.installCrds == Settings.CrdMode.FALSE) {
      return Optional.empty();
    }
    CrdInstallation crds = onClassPath().fieldManager(program.name());
    return Optional.of(settings.installCrds == Settings.CrdMode.FORCE ? crds.takeOver() : crds);
  }

  private CrdInstallation onClassPath() {
    return CrdInstallation.onClassPath(getClass().getClassLoader(), program.crds());
  }

  /**
   * Prints the required permissions and, if requested, the other objects that the program requires.
   */
  private int print() {
    try {
      PrintWriter out = command().commandLine().getOut();
      String account = Objects.requireNonNullElse(settings.printRbac, "");
      int colon = account.indexOf(':');
      if (colon > 0 && settings.leaderElection && settings.leaseNamespace.isEmpty()) {
        settings.leaseNamespace = account.substring(0, colon); // that of the Pod
      }
      Needs needs = declared();
      out.print(
          colon < 0
              ? needs.permissions().yaml(program.role())
              : needs
                  .permissions()
                  .yaml(program.role(), account.substring(0, colon), account.substring(colon + 1)));
      if (settings.printManifests) {
        needs.objects().forEach(object -> out.print(Serialization.asYaml(object)));
      }
      out.flush();
      return 0;
    } catch (InvalidSettingException e) {
      return refused(e);
    } catch (IllegalArgumentException e) {
      boolean nowhere = settings.leaderElection && settings.leaseNamespace.isEmpty();
      return wrong(
          "unable to list the permissions",
          nowhere ? new IllegalArgumentException(NO_NAMESPACE) : e);
    } catch (IllegalStateException e) {
      return failed("unable to list the permissions", e);
    }
  }

  /** Writes the files that install this program. */
  private int install() {
    try {
      InstallationBuilder builder = new InstallationBuilder(program, settings, command());
      Duration stopTimeout = builder().stopTimeout();
      String version = Objects.requireNonNullElse(program.versionOf(getClass()), "");
      Installation built =
          builder.build(
              installation.image,
              version,
              stopTimeout,
              this::declared,
              onClassPath().definitions());
      installation.write(built, command().commandLine().getOut());
      return 0;
    } catch (InvalidSettingException e) {
      return refused(e);
    } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
      return failed("unable to write the installation", e);
    }
  }

  /**
   * Returns the permissions and objects that the program requires. This method does not need a
   * cluster, because the program declares its needs before it connects.
   */
  private Needs declared() {
    try (Manager manager = settings.apply(builder(), program).config(Config.empty()).build()) {
      registerWith(manager);
      crds().ifPresent(crds -> manager.uses(crds.permissions()));
      int shards = Math.max(1, manager.shards().size());
      return new Needs(manager.permissions(), manager.manifests(), shards);
    }
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec, "a command line");
  }

  private ManagerBuilder builder() {
    ManagerBuilder builder = settings.builder();
    configure(builder);
    return builder;
  }

  private int connect() {
    if (!settings.leaderElection && !settings.leaseNamespace.isEmpty()) {
      log.warn("--leader-election-namespace has no effect without --leader-elect");
    }
    if (!settings.leaderElection && settings.shards != null && settings.shards > 1) {
      CommandLine line = command().commandLine();
      if (line.getParseResult().hasMatchedOption("--shards")) {
        throw new ParameterException(
            line, "--shards needs --leader-elect: without it, each replica reconciles all objects");
      }
      log.warn("WINDLASS_SHARDS has no effect without --leader-elect");
    }
    CountedFeeds feeds = new CountedFeeds();
    Manager built;
    connected = true;
    try {
      ManagerBuilder builder = settings.applyAll(builder(), program);
      built = builder.connector(feeds.counting(builder.connector())).build();
    } catch (InvalidSettingException e) {
      return refused(e);
    } catch (IllegalArgumentException e) {
      return wrong(program.wording().connect(), e);
    }
    try (Manager manager = built) {
      return start(manager, feeds);
    }
  }

  private int start(Manager manager, CountedFeeds feeds) {
    try {
      registerWith(manager);
    } catch (InvalidSettingException e) {
      return refused(e);
    } catch (RuntimeException e) {
      return failed("unable to create controller", e);
    }
    StartupSummary.of(versions.line(program.name()), manager).forEach(log::info);
    try {
      crds().ifPresent(crds -> crds.install(manager));
    } catch (IllegalStateException | IllegalArgumentException e) {
      return failed("unable to install CRDs", e);
    }
    manager.add("progress", new CacheProgress(manager, feeds));
    log.info(program.wording().begin());
    try {
      return manager.run() ? 0 : FAILED;
    } catch (IllegalStateException e) {
      boolean ran = manager.failure().isPresent();
      return failed(ran ? program.wording().run() : program.wording().start(), e);
    }
  }

  private int refused(InvalidSettingException why) {
    log.error("{}. See {} --help", why.getMessage(), program.name());
    return CommandLine.ExitCode.USAGE;
  }

  private static int wrong(String what, IllegalArgumentException why) {
    failed(what, why);
    return CommandLine.ExitCode.USAGE;
  }

  private static int failed(String what, Exception why) {
    log.error("{}: {}", what, why.getMessage());
    return FAILED;
  }
}
