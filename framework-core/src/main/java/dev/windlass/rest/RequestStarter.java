// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts requests one after the other on a separate thread. To start a request can block: the
 * client may first have to run an exec plugin for new credentials, or to read certificates from
 * files. The thread exists only while there are requests to start. This class is thread-safe.
 */
public final class RequestStarter implements Executor {

  private final String name;
  private final ThreadFactory threads;

  @GuardedBy("this")
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean running;

  /**
   * Creates a starter without a thread.
   *
   * @param name the name of its threads
   */
  public RequestStarter(String name, ThreadFactory threads) {
    this.name = name;
    this.threads = threads;
  }

  /**
   * Starts a request by an executor, unless the returned future has been completed before.
   *
   * @param starter usually an instance of this class
   * @param request sends the request; an exception is the outcome of the request
   */
  public static <T> CompletableFuture<T> send(
      Executor starter, Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> sent = new CompletableFuture<>();
    starter.execute(() -> start(request, sent));
    return sent;
  }

  private static <T> void start(Supplier<CompletableFuture<T>> request, CompletableFuture<T> sent) {
    if (sent.isDone()) {
      return;
    }
    try {
      CompletableFuture<T> unused =
          request
              .get()
              .whenComplete(
                  (response, failure) -> {
                    if (failure == null) {
                      sent.complete(response);
                    } else {
                      sent.completeExceptionally(failure);
                    }
                  });
    } catch (RuntimeException | Error e) { // for example, the client is closed
      sent.completeExceptionally(e);
    }
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      waiting.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      Thread thread = threads.newThread(this::drain);
      thread.setName(name);
      thread.setDaemon(true);
      thread.start();
    } catch (RuntimeException | Error e) { // for example, no thread can be started
      drain();
    }
  }

  private void drain() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable task = waiting.poll();
    running = task != null;
    return task;
  }
}
