// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.scheduling.Scheduler;
import dev.windlass.webhook.server.Endpoint.Answer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
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

  /** The format in which the API server specifies its time-out: a Go duration. */
  private static final Pattern DURATION =
      Pattern.compile("(?:(\\d{1,5})h)?(?:(\\d{1,5})m)?(?:(\\d{1,5}(?:\\.\\d{1,9})?)s)?");

  private static final String JSON = "application/json";

  /** A query and the time-out that it specifies. */
  private record Timeout(String query, Duration duration) {}

  /** The longest time-out that Kubernetes permits for a webhook: 30 s. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int LENGTH_REQUIRED = 411;
  private static final int TOO_LARGE = 413;
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;
  private static final int OVERLOADED = 503;

  private final Map<String, Endpoint> endpoints;
  private final Scheduler scheduler;
  private final ConnectionLimit connections;
  private final BodyReader.Budget bodies = new BodyReader.Budget(BodyReader.BUDGET);
  private final BodyReader.Budget trees;
  private final long largestTree;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean draining;

  /**
   * The time at which the latest request arrived; initially, the time at which this receiver was
   * created.
   */
  private volatile long lastArrival;

  /**
   * The query that was parsed last, with its time-out. It is cached because an API server usually
   * sends the same query repeatedly.
   */
  private volatile @Nullable Timeout lastTimeout;

  /** The action to run each time a response is complete and no other request is in progress. */
  private volatile Runnable idle = () -> {};

  /**
   * Creates a receiver.
   *
   * @param largestTree the maximum total size of all JSON trees in memory, {@linkplain JsonWeight
   *     estimated} in bytes
   */
  RequestReceiver(
      Map<String, Endpoint> endpoints,
      Scheduler scheduler,
      ConnectionLimit connections,
      long largestTree) {
    this.endpoints = endpoints;
    this.scheduler = scheduler;
    this.connections = connections;
    this.largestTree = largestTree;
    this.trees = new BodyReader.Budget(largestTree);
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

  /**
   * Returns the total size in bytes of all request bodies and JSON trees in memory. The size of the
   * trees is estimated.
   */
  long held() {
    return bodies.used() + trees.used();
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
    Duration timeout = timeout(request); // must come first: a later exception would leak the budget
    connections.served(request);
    new BodyReader(
            request,
            request.getLength(),
            bodies,
            scheduler,
            body -> call(endpoint, body, timeout, written, counted),
            status -> counted.accept(Answer.text(status, "the body did not arrive")))
        .run();
    return true;
  }

  private void call(
      Endpoint endpoint, byte[] body, Duration timeout, Written written, Consumer<Answer> counted) {
    written.holdsBody(body.length);
    long weight = JsonWeight.of(body);
    if (weight > largestTree) {
      counted.accept(
          Answer.text(TOO_LARGE, "the body has too many fields for the memory of the webhook"));
    } else if (!trees.take(weight)) {
      counted.accept(Answer.text(OVERLOADED, "the bodies of other requests take all memory"));
    } else {
      written.holdsTree(weight);
      endpoint.call(body, timeout, counted);
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
    if (request.getLength() > BodyReader.LARGEST) {
      return Answer.text(
          TOO_LARGE, "a webhook takes bodies of at most " + BodyReader.LARGEST + " bytes");
    }
    return null;
  }

  private static String media(@Nullable String type) {
    return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  private Duration timeout(Request request) {
    String query = request.getHttpURI().getQuery();
    Timeout recent = lastTimeout;
    if (recent != null && recent.query().equals(query)) {
      return recent.duration();
    }
    Duration duration = parsedTimeout(request);
    if (query != null) {
      lastTimeout = new Timeout(query, duration);
    }
    return duration;
  }

  private static Duration parsedTimeout(Request request) {
    try {
      String value = Request.extractQueryParameters(request).getValue("timeout");
      return duration(value == null ? "" : value);
    } catch (RuntimeException e) { // the query is malformed
      return LONGEST;
    }
  }

  /**
   * Parses the value of the query parameter {@code timeout}. Returns at most {@link #LONGEST},
   * which is also the result if the value is empty, malformed or zero.
   */
  static Duration duration(String value) {
    Matcher matcher = DURATION.matcher(value);
    if (value.isEmpty() || !matcher.matches()) {
      return LONGEST;
    }
    double seconds =
        3_600 * number(matcher.group(1)) + 60 * number(matcher.group(2)) + number(matcher.group(3));
    Duration asked = Duration.ofMillis((long) (seconds * 1_000));
    return asked.isZero() || asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  private static double number(@Nullable String digits) {
    return digits == null ? 0 : Double.parseDouble(digits);
  }

  private void send(Answer answer, Request request, Response response, Callback written) {
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().remaining());
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

    private volatile long body;
    private volatile long tree;

    Written(Callback callback) {
      super(callback);
    }

    /**
     * Sets the size of the body, which is released when the request is complete. Must be called
     * before the response is sent.
     */
    void holdsBody(long bytes) {
      body = bytes;
    }

    void holdsTree(long bytes) {
      tree = bytes;
    }

    @Override
    public void completed() {
      bodies.release(body);
      trees.release(tree);
      if (inFlight.decrementAndGet() == 0) {
        idle.run();
      }
    }
  }
}
