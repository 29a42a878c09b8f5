// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.logging.OneLine;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reports an invalid argument in one line that names the help option, and exits with code 2. The
 * line contains the name that the user has written. This class is stateless.
 */
final class WrongArguments implements IParameterExceptionHandler {

  private static final int EXIT_CODE = CommandLine.ExitCode.USAGE;

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine line = wrong.getCommandLine();
    String name = line.getCommandName();
    String message = OneLine.of(String.valueOf(wrong.getMessage()).replaceAll("\\R\\s*", "; "));
    if (wrong.getArgSpec() instanceof OptionSpec option) {
      message = asWritten(message, option, List.of(arguments));
    }
    line.getErr().println(name + ": " + message + ". See " + name + " --help");
    return EXIT_CODE;
  }

  /** Picocli names an option by its longest name, even if its value is from the environment. */
  private static String asWritten(String message, OptionSpec option, List<String> arguments) {
    String picocli = "option '" + option.longestName() + "'";
    String variable = Settings.VariableDefaults.VARIABLES.get(option.names()[0]);
    return Stream.of(option.names())
        .filter(name -> arguments.stream().anyMatch(each -> isNamed(each, name)))
        .findFirst()
        .map(name -> message.replace(picocli, "option '" + name + "'"))
        .orElse(variable == null ? message : message.replace(picocli, "variable " + variable));
  }

  private static boolean isNamed(String argument, String option) {
    return argument.equals(option) || argument.startsWith(option + "=");
  }
}
