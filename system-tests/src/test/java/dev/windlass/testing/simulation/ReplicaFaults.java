// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.testing.apiserver.embedded.TransportHook;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.io.IOException;
import java.time.Duration;

/**
 * The network of one replica. It injects the faults of a schedule, lets other steps run while a
 * request is under way, and reports the accepted writes.
 */
final class ReplicaFaults implements TransportHook {

  private static final int DEEPEST = 3;

  /**
   * The time after which a client gives up a request: 14 ms, less than the time between the renew
   * deadline and the lease duration.
   */
  private static final Duration LONGEST = Duration.ofMillis(14);

  private final ScheduleRun run;
  private final String identity;
  private int depth;
  private Duration isolatedUntil = Duration.ZERO;
  int requestsToLose;
  int responsesToLose;

  /** The number of writes until the process dies; 0 for never. */
  int writesToLive;

  ReplicaFaults(ScheduleRun run, String identity) {
    this.run = run;
    this.identity = identity;
  }

  @Override
  public void sending(RecordedRequest request) throws IOException {
    Duration begun = run.elapsed();
    runOthers();
    Duration now = run.elapsed();
    if (isolatedUntil.compareTo(now) > 0 || now.minus(begun).compareTo(LONGEST) > 0) {
      throw new IOException("the request has timed out");
    }
    if (requestsToLose > 0) {
      requestsToLose--;
      throw new IOException("the request was lost");
    }
  }

  /** Loses all requests for the given time. */
  void isolate(Duration time) {
    isolatedUntil = run.elapsed().plus(time);
  }

  /** Injects no further faults. */
  void heal() {
    requestsToLose = 0;
    responsesToLose = 0;
    writesToLive = 0;
    isolatedUntil = Duration.ZERO;
  }

  /** Returns whether a request is on its way to the server. */
  boolean isSending() {
    return depth > 0;
  }

  /** Runs some other steps, as if other threads ran before the server receives the request. */
  private void runOthers() {
    if (depth < DEEPEST && run.random().nextInt(4) == 0) {
      depth++;
      for (int i = run.random().nextInt(4); i > 0; i--) {
        run.step();
      }
      depth--;
    }
  }

  @Override
  public void answered(RecordedRequest request, Answer answer) throws IOException {
    boolean write = request.verb().isWrite() && answer.isSuccess();
    if (write && request.resource().startsWith("leases")) {
      run.leased();
    }
    if (write
        && !request.resource().startsWith("leases")
        && !request.resource().contains("event")) {
      run.wrote(identity, request, answer);
      if (writesToLive > 0 && --writesToLive == 0) {
        run.kill(identity);
      }
    }
    if (write && responsesToLose > 0) {
      responsesToLose--;
      throw new IOException("the response was lost");
    }
  }
}
