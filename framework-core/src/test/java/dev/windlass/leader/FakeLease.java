// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.leader.LeaseLock.LeaseChangedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A Lease in memory, with versions, and connections to it that fail on order. */
public final class FakeLease {

  /** What becomes of a request. */
  public enum Fault {
    NONE,
    /** It does not reach the server, and nobody says so. */
    SWALLOWED,
    /** The server does as it is asked, and the answer gets lost. */
    ANSWER_LOST,
    /** The server refuses. */
    REFUSED,
    /** The server refuses writes, as without the right to them. */
    READ_ONLY,
    /** It is under way until {@link Connection#deliver()}. */
    HELD
  }

  private LeaseRecord record = LeaseRecord.NONE;
  private long versions;

  /** The holders that were written, in order; empty for a lease given back. */
  public final List<String> written = new CopyOnWriteArrayList<>();

  synchronized LeaseRecord record() {
    return record;
  }

  /** Who holds it; empty for nobody. */
  public synchronized String holder() {
    return record.holder();
  }

  /** A way to it that nobody uses yet. */
  public Connection connect() {
    return new Connection();
  }

  /** Somebody edits it by hand. */
  synchronized void edit(UnaryOperator<LeaseRecord> change) {
    LeaseRecord edited = change.apply(record);
    record =
        new LeaseRecord(
            edited.holder(),
            edited.duration(),
            edited.acquired(),
            edited.renewed(),
            edited.transitions(),
            Long.toString(++versions));
  }

  /** It is written by somebody who is no part of the test. */
  public void heldBy(String holder, Duration lease) {
    edit(r -> new LeaseRecord(holder, lease, null, null, r.transitions() + 1, ""));
  }

  synchronized void delete() {
    record = LeaseRecord.NONE;
  }

  private synchronized Optional<LeaseRecord> read() {
    return record.version().isEmpty() ? Optional.empty() : Optional.of(record);
  }

  private synchronized LeaseRecord write(LeaseRecord next) throws LeaseChangedException {
    if (!next.version().equals(record.version())) {
      throw new LeaseChangedException("409 it is " + record + " and not " + next);
    }
    edit(r -> next);
    written.add(next.holder());
    return record;
  }

  /** One replica's way to it. */
  public final class Connection implements LeaseLock {

    private final List<Runnable> held = new ArrayList<>();

    /** An elector over it. */
    public LeaderElector elector(
        LeaderElectionOptions options,
        LeaderElector.Environment surroundings,
        LeaderListener listener) {
      return new LeaderElector(options, this, surroundings, listener);
    }

    public volatile Fault fault = Fault.NONE;
    int requests;

    /** Runs once, when the elector finds an answer. */
    Runnable whenAnswered = () -> {};

    @Override
    public CompletableFuture<Optional<LeaseRecord>> read() {
      return ask(FakeLease.this::read);
    }

    @Override
    public CompletableFuture<LeaseRecord> write(LeaseRecord next) {
      if (fault == Fault.READ_ONLY) {
        requests++;
        return CompletableFuture.failedFuture(new IOException("403 no"));
      }
      return ask(() -> FakeLease.this.write(next));
    }

    /** What was held arrives, in order, and is answered. */
    void deliver() {
      List<Runnable> all = List.copyOf(held);
      held.clear();
      all.forEach(Runnable::run);
    }

    private <T> CompletableFuture<T> ask(Request<T> request) {
      requests++;
      CompletableFuture<T> answer =
          new CompletableFuture<>() {
            @Override
            public boolean isDone() {
              boolean done = super.isDone();
              if (done) {
                Runnable once = whenAnswered;
                whenAnswered = () -> {};
                once.run();
              }
              return done;
            }
          };
      switch (fault) {
        case NONE, READ_ONLY -> run(request, answer);
        case ANSWER_LOST -> run(request, new CompletableFuture<>());
        case REFUSED -> answer.completeExceptionally(new IOException("503 no"));
        case HELD -> held.add(() -> run(request, answer));
        case SWALLOWED -> {}
      }
      return answer;
    }

    private static <T> void run(Request<T> request, CompletableFuture<T> answer) {
      try {
        answer.complete(request.run());
      } catch (LeaseChangedException e) {
        answer.completeExceptionally(e);
      }
    }
  }

  private interface Request<T> {
    T run() throws LeaseChangedException;
  }
}
