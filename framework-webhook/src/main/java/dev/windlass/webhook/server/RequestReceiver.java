// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.scheduling.Scheduler;
import dev.windlass.webhook.server.Endpoint.Answer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Receives the requests to the webhook server. Rejects requests that an API server would not send,
 * and passes all other requests to the {@link Endpoint} of their path. No thread blocks while it
 * waits for a client. This class is thread-safe.
 */
final class RequestReceiver extends Handler.Abstract.NonBlocking {

  private static final String JSON = "application/json";

  /** The longest time-out that Kubernetes permits for a webhook: 30 s. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /**
   * The maximum size of a body: 7 MiB, as in controller-runtime. A request can contain an old and a
   * new object. The API server accepts 3 MiB from a client, and etcd 1.5 MiB.
   */
  static final long LARGEST = 7 * 1024 * 1024;

  /**
   * The part of the heap that all bodies in memory can have together: 1/64. The JSON tree of an
   * ordinary object takes up to 15 times its size, that of a hostile one up to 40 times, and the
   * typed objects take about the same as the trees.
   */
  private static final long PART = 64;

  /** The time within which a body must arrive: 10 s. */
  private static final Duration ARRIVAL = Duration.ofSeconds(10);

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int TIMEOUT = 408;
  private static final int LENGTH_REQUIRED = 411;
  private static final int TOO_LARGE = 413;
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;
  private static final int TOO_MANY_REQUESTS = 429;

  private final Map<String, Endpoint> endpoints;
  private final Scheduler scheduler;

  /** The maximum total size of the bodies in memory, in bytes. */
  private final long budget;

  /** The declared sizes of all bodies that are arriving or whose requests are not answered yet. */
  private final AtomicLong held = new AtomicLong();

  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean draining;

  /**
   * The time at which the latest request arrived; initially, the time at which this receiver was
   * created.
   */
  private volatile long lastArrival;

  /** The action to run each time a response is complete and no other request is in progress. */
  private volatile Runnable idle = () -> {};

  /**
   * Creates a receiver.
   *
   * @param heap the maximum size of the heap in bytes
   */
  RequestReceiver(Map<String, Endpoint> endpoints, Scheduler scheduler, long heap) {
    this.endpoints = endpoints;
    this.scheduler = scheduler;
    this.budget = heap / PART;
    this.lastArrival = scheduler.nanoTime();
  }

  /**
   * From now on, closes each HTTP/1.1 connection after its next response, so that clients connect
   * to another replica.
   */
  void drain() {
    draining = true;
  }

  /** Returns the number of requests that have not been answered. */
  int inFlight() {
    return inFlight.get();
  }

  /** Returns the total size in bytes of all request bodies in memory. */
  long held() {
    return held.get();
  }

  /**
   * Runs a task as soon as no request is in progress and no request has arrived for the given time.
   * The task can run more than once.
   */
  void whenQuiet(Duration time, Runnable task) {
    idle =
        () -> {
          Duration left = time.minusNanos(scheduler.nanoTime() - lastArrival);
          if (inFlight.get() > 0) {
            return;
          }
          if (left.isNegative() || left.isZero()) {
            task.run();
          } else {
            var unused = scheduler.schedule(() -> idle.run(), left);
          }
        };
    idle.run();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    lastArrival = scheduler.nanoTime();
    inFlight.incrementAndGet();
    Written written = new Written(callback);
    Consumer<Answer> send = answer -> send(answer, request, response, written);
    Endpoint endpoint = endpoints.get(Request.getPathInContext(request));
    if (endpoint == null) {
      send.accept(Answer.text(NOT_FOUND, "there is no webhook at this path"));
      return true;
    }
    Answer refusal = refusal(request);
    Consumer<Answer> counted = endpoint.begin(send);
    if (refusal != null) {
      counted.accept(refusal);
      return true;
    }
    long length = request.getLength();
    if (length > budget) {
      String problem = "with its heap, this webhook takes bodies of at most " + budget + " bytes";
      discard(request, Answer.text(TOO_LARGE, problem), counted);
    } else if (held.addAndGet(length) > budget) {
      held.addAndGet(-length);
      String problem = "the bodies of other requests take all memory";
      discard(request, Answer.text(TOO_MANY_REQUESTS, problem), counted);
    } else {
      written.body = length;
      receive(endpoint, request, counted);
    }
    return true;
  }

  private void receive(Endpoint endpoint, Request request, Consumer<Answer> send) {
    Duration timeout = timeout(request);
    Body body = new Body(request);
    body.run();
    limitTime(body);
    var unused =
        body.whenComplete(
            (bytes, failure) -> {
              if (failure == null) {
                endpoint.call(bytes, timeout, send);
              } else {
                int status = failure instanceof TimeoutException ? TIMEOUT : BAD_REQUEST;
                send.accept(Answer.text(status, "the body did not arrive"));
              }
            });
  }

  /**
   * The body of a request. Jetty's own futures keep the network buffers until the whole body has
   * arrived: 16 KiB for each byte that a client sends by itself.
   */
  private static final class Body extends CompletableFuture<byte[]> implements Runnable {

    private final Content.Source source;
    private final ByteBuffer bytes;

    Body(Request request) {
      this.source = request;
      this.bytes = ByteBuffer.allocate((int) request.getLength());
    }

    /** Copies the bytes that have arrived, and runs again when there are more. */
    @Override
    public void run() {
      Content.Chunk chunk = source.read();
      while (chunk != null) {
        if (Content.Chunk.isFailure(chunk)) {
          completeExceptionally(chunk.getFailure());
          return;
        }
        bytes.put(chunk.getByteBuffer());
        chunk.release();
        if (chunk.isLast()) {
          complete(bytes.array());
          return;
        }
        chunk = source.read();
      }
      source.demand(this);
    }
  }

  /**
   * Receives a body without keeping it, and sends the answer after that. Not all clients can handle
   * a response that arrives before they have sent their request.
   */
  private void discard(Request request, Answer answer, Consumer<Answer> send) {
    Callback.Completable discarded = new Callback.Completable();
    Content.Source.consumeAll(request, discarded);
    limitTime(discarded);
    var unused = discarded.whenComplete((none, failure) -> send.accept(answer));
  }

  private void limitTime(CompletableFuture<?> arrival) {
    if (!arrival.isDone()) { // most bodies arrive together with their headers
      TimeoutException late = new TimeoutException("the body did not arrive in time");
      Scheduler.Alarm alarm =
          scheduler.schedule(() -> arrival.completeExceptionally(late), ARRIVAL);
      var unused = arrival.whenComplete((content, failure) -> alarm.cancel());
    }
  }

  private static @Nullable Answer refusal(Request request) {
    if (!HttpMethod.POST.is(request.getMethod())) {
      return Answer.text(METHOD_NOT_ALLOWED, "a webhook takes only POST");
    }
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    if (!JSON.equals(type) && !JSON.equals(media(type))) {
      return Answer.text(UNSUPPORTED_MEDIA_TYPE, "a webhook takes only application/json");
    }
    if (request.getLength() < 0) {
      return Answer.text(LENGTH_REQUIRED, "a webhook takes only bodies of a declared length");
    }
    if (request.getLength() > LARGEST) {
      return Answer.text(TOO_LARGE, "a webhook takes bodies of at most " + LARGEST + " bytes");
    }
    return null;
  }

  private static String media(@Nullable String type) {
    return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  private static Duration timeout(Request request) {
    try {
      String value = Request.extractQueryParameters(request).getValue("timeout");
      return duration(value == null ? "" : value);
    } catch (RuntimeException e) { // the query is malformed
      return LONGEST;
    }
  }

  /**
   * Parses the value of the query parameter {@code timeout}: a Go duration in hours, minutes and
   * seconds, such as {@code 1m0s}. Returns at most {@link #LONGEST}, which is also the result if
   * the value is empty, malformed or not positive.
   */
  static Duration duration(String value) {
    try {
      Duration asked = Duration.parse("PT" + value);
      boolean valid = asked.compareTo(Duration.ZERO) > 0 && asked.compareTo(LONGEST) < 0;
      return valid ? asked : LONGEST;
    } catch (DateTimeParseException e) {
      return LONGEST;
    }
  }

  private void send(Answer answer, Request request, Response response, Callback written) {
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().remaining());
    if (answer.status() == TOO_MANY_REQUESTS) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, 1); // the API server repeats the request
    }
    boolean http1 =
        request.getConnectionMetaData().getHttpVersion().getVersion()
            < HttpVersion.HTTP_2.getVersion();
    if (http1 && (draining || answer.status() != OK)) {
      response.getHeaders().put(new HttpField(HttpHeader.CONNECTION, "close"));
    }
    response.write(true, answer.body(), written);
  }

  /**
   * Releases the memory of a request after its response has been written, or after the write has
   * failed.
   */
  private final class Written extends Callback.Nested {

    /** The size that this request has added to {@link #held}. */
    private volatile long body;

    Written(Callback callback) {
      super(callback);
    }

    @Override
    public void completed() {
      held.addAndGet(-body);
      if (inFlight.decrementAndGet() == 0) {
        idle.run();
      }
    }
  }
}
