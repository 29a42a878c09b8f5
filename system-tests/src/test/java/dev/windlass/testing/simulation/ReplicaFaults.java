// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.testing.apiserver.embedded.TransportHook;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.io.IOException;

/**
 * The network of one replica. It injects the faults of a schedule, lets other steps run while a
 * request is under way, and checks that only the leader writes.
 */
final class ReplicaFaults implements TransportHook {

  private static final int DEEPEST = 3;

  private final ScheduleRun run;
  private final String identity;
  private int depth;
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
    runOthers();
    if (requestsToLose > 0) {
      requestsToLose--;
      throw new IOException("the request was lost");
    }
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
