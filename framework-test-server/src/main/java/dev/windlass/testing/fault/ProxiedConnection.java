// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection through the proxy. It has a socket to the client, a socket to the server, and
 * three threads.
 *
 * <p>The first thread forwards requests as it reads them. The second thread reads responses and
 * adds them to a queue, from which the third thread writes them to the client. Because of the
 * queue, latency delays each byte but does not reduce the throughput.
 */
final class ProxiedConnection {

  private static final int BUFFER = 16 * 1024;

  /**
   * The maximum number of chunks that are queued for the client: 64, or 1 MiB of data. The proxy
   * does not read further data from the server until there is space.
   */
  private static final int LINE = 64;

  /** The number of chunks per second that the proxy sends to the client under a rate limit. */
  private static final int PORTIONS = 50;

  /**
   * Data from the server, with the time at which the proxy read it. An empty chunk marks the end of
   * the stream.
   */
  private record Chunk(ByteArrayInputStream bytes, long nanoTime) {
    static Chunk end() {
      return new Chunk(new ByteArrayInputStream(new byte[0]), 0);
    }
  }

  private final Socket client;
  private final Socket server;
  private final Network network;
  private final Consumer<ProxiedConnection> onClose;
  private final BlockingQueue<Chunk> line = new ArrayBlockingQueue<>(LINE);

  private volatile boolean forgotten;
  private volatile long lastTraffic;

  /** The number of bytes that have been sent to the client, including a write in progress. */
  private final AtomicLong delivered = new AtomicLong();

  private final AtomicBoolean closed = new AtomicBoolean();

  private volatile long resetAt = Long.MAX_VALUE;

  /** Whether bytes to the client were discarded. The rest of the stream is then useless. */
  private volatile boolean holed;

  @GuardedBy("this")
  private @Nullable Future<?> idleAlarm;

  ProxiedConnection(
      Socket client, Socket server, Network network, Consumer<ProxiedConnection> onClose) {
    this.client = client;
    this.server = server;
    this.network = network;
    this.onClose = onClose;
    this.lastTraffic = System.nanoTime();
  }

  void start() {
    resetAfter(network.now().resetAfter());
    closeWhenIdle();
    TcpProxy.start("proxy-to-server", this::passRequests);
    TcpProxy.start("proxy-from-server", this::readAnswers);
    TcpProxy.start("proxy-to-client", this::writeAnswers);
  }

  boolean isOpen() {
    return !closed.get();
  }

  boolean isForgotten() {
    return forgotten;
  }

  /** Stops forwarding data in both directions, without closing the connection. */
  void forget() {
    forgotten = true;
  }

  /** Resets the connection after it has delivered the given number of further bytes. */
  void resetAfter(long bytes) {
    resetAt = bytes == Long.MAX_VALUE ? bytes : delivered.get() + bytes;
  }

  /**
   * Cancels the pending reset. If bytes were discarded, resets the connection immediately, because
   * the proxy cannot recover them.
   */
  void heal() {
    resetAt = Long.MAX_VALUE;
    if (holed) {
      reset();
    }
  }

  /**
   * Closes the connection if it has been idle for longer than the limit. Otherwise, schedules the
   * next check.
   */
  void closeWhenIdle() {
    NetworkConditions conditions = network.now();
    if (!conditions.closesIdle()) {
      return;
    }
    long idle = System.nanoTime() - lastTraffic;
    Duration left = conditions.idleLimit().minusNanos(idle);
    if (left.isNegative() || left.isZero()) {
      close();
      return;
    }
    synchronized (this) {
      if (idleAlarm != null) {
        idleAlarm.cancel(false);
      }
      if (isOpen()) {
        idleAlarm = network.schedule(this::closeWhenIdle, left);
      }
    }
  }

  private void passRequests() {
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream()) {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        lastTraffic = System.nanoTime();
        network.awaitThaw(this);
        out.write(buffer, 0, length);
      }
    } catch (IOException e) {
      // One side has closed its connection. The other side is closed below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void readAnswers() {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = server.getInputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        lastTraffic = System.nanoTime();
        network.awaitThaw(this);
        line.put(new Chunk(new ByteArrayInputStream(Arrays.copyOf(buffer, length)), lastTraffic));
      }
      line.put(Chunk.end());
    } catch (IOException e) {
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
  }

  private void writeAnswers() {
    try (OutputStream out = client.getOutputStream()) {
      for (Chunk chunk = line.take(); chunk.bytes().available() > 0; chunk = line.take()) {
        long read = chunk.nanoTime();
        network.awaitTime(this, conditions -> read + conditions.latencyNanos());
        write(chunk.bytes(), out);
      }
    } catch (IOException e) {
      // The client has disconnected, or the connection was reset.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void write(ByteArrayInputStream bytes, OutputStream out)
      throws IOException, InterruptedException {
    while (bytes.available() > 0) {
      network.awaitThaw(this);
      long untilReset = Math.max(0, resetAt - delivered.get());
      int most = Math.max(1, network.now().bytesPerSecond() / PORTIONS);
      int portion = (int) Math.min(Math.min(bytes.available(), most), untilReset);
      if (holed || network.now().answersLost()) {
        holed = true;
        return;
      }
      // The bytes are counted first: if a test has read a byte and then requests a reset, the reset
      // applies to the bytes after it.
      long passed = delivered.addAndGet(portion);
      out.write(bytes.readNBytes(portion));
      if (passed >= resetAt) {
        reset();
        return;
      }
      long since = System.nanoTime();
      network.awaitTime(this, conditions -> since + conditions.nanosFor(portion));
    }
  }

  /** Closes the connection on both sides. The client receives RST instead of FIN. */
  private void reset() {
    try {
      client.setSoLinger(true, 0);
    } catch (SocketException e) {
      // The socket is already closed.
    }
    close();
  }

  /** Closes the connection on both sides. */
  void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    synchronized (this) {
      if (idleAlarm != null) {
        idleAlarm.cancel(false);
      }
    }
    TcpProxy.closeQuietly(client);
    TcpProxy.closeQuietly(server);
    line.clear();
    // This chunk ends the thread that writes to the client, if the thread waits for more data.
    line.offer(Chunk.end());
    network.wake();
    onClose.accept(this);
  }
}
