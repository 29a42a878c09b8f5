// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Determines who repeats a request that an interceptor wants to repeat, for example with a renewed
 * token after a rejection with 401. By default, fabric8's client sends the request again itself. It
 * does not call {@link io.fabric8.kubernetes.client.http.Interceptor#before} again, and does not
 * check whether the caller still waits, so a write could be sent late. A value of this enum is a
 * {@link HttpClient.DerivedClientBuilder#tag tag} of a derived client that changes this.
 */
public enum Repetition {
  /**
   * The request fails with {@link Wanted}. Its sender can then send it again as a new request,
   * which passes all checks.
   */
  BY_SENDER,
  /** The request is not repeated. The caller receives the response. */
  NEVER;

  /** The server has rejected a request, and an interceptor has prepared a repetition. */
  public static final class Wanted extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the failure. */
    public Wanted() {
      super("the server rejected the credentials, and others are available");
    }

    /** Returns whether a request has failed because an interceptor wants to repeat it. */
    public static boolean isCauseOf(@Nullable Throwable failure) {
      return failure instanceof Wanted
          || (failure instanceof CompletionException && failure.getCause() instanceof Wanted);
    }
  }

  /**
   * Makes all interceptors of a client obey this tag. Call this method before the client is built.
   */
  public static void prepare(HttpClient.DerivedClientBuilder builder) {
    if (builder instanceof StandardHttpClientBuilder<?, ?, ?> standard) {
      standard
          .getInterceptors()
          .replaceAll((name, interceptor) -> RepetitionInterceptor.around(interceptor));
    }
  }
}
