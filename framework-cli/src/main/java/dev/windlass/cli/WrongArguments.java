// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.logging.OneLine;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/**
 * Reports an invalid argument in one line that names the help option, and exits with code 2. This
 * class is stateless.
 */
final class WrongArguments implements IParameterExceptionHandler {

  private static final int EXIT_CODE = CommandLine.ExitCode.USAGE;

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine line = wrong.getCommandLine();
    String name = line.getCommandName();
    String message = OneLine.of(String.valueOf(wrong.getMessage()).replaceAll("\\R\\s*", "; "));
    line.getErr().println(name + ": " + message + ". See " + name + " --help");
    return EXIT_CODE;
  }
}
