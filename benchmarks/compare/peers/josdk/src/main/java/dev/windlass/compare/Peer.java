// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.javaoperatorsdk.operator.Operator;

/** The program that {@code benchmarks/compare} measures for the Java Operator SDK. */
final class Peer {

  private Peer() {}

  public static void main(String[] args) throws InterruptedException {
    RunRecord run = RunRecord.started(Integer.parseInt(args[1]));
    int workers = Integer.parseInt(args[2]);
    run.answerCommands();
    Operator operator =
        new Operator(overrider -> overrider.withConcurrentReconciliationThreads(workers));
    operator.register(args[0].equals("converge") ? new Converge(run) : new Noop(run));
    operator.start();
    Thread.currentThread().join();
  }
}
