// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import dev.windlass.logging.OneLine;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Reports an invalid argument and the help option in one line; exit code 2. Stateless. */
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
