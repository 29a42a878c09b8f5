// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import java.io.PrintWriter;

/** The output of a program that only prints something. This class is stateless. */
final class StandardOutput {

  private StandardOutput() {}

  /**
   * Returns whether output was not written, for example because a disk is full. A script must not
   * use what is left of it. Writers and {@code System.out} do not throw exceptions.
   *
   * @param writer the writer of the program, which may write to {@code System.out}
   */
  static boolean isIncomplete(PrintWriter writer) {
    boolean lost = writer.checkError(); // also flushes it
    return System.out.checkError() || lost;
  }
}
