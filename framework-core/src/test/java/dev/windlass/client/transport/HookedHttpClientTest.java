// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a hook hears of a write whose caller has given up, over a transport that the test plays. */
@Timeout(30)
final class HookedHttpClientTest {

  private final List<String> heard = new ArrayList<>();
  private final List<String> discarded = new ArrayList<>();
  private final CompletableFuture<Object> answer = new CompletableFuture<>();

  private final HookedHttpClient client =
      new HookedHttpClient(
          proxy(HttpClient.class, (proxy, method, arguments) -> answer),
          new RequestHooks(
              write -> (code, body) -> heard.add(code + " " + new String(body, UTF_8)),
              RequestListener.NONE,
              "/"));

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static HttpRequest put() {
    StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
    builder.uri("https://server/api/v1/namespaces/default/configmaps/a");
    builder.method("PUT", "application/json", "{}");
    return builder.build();
  }

  private static Object response(Object body) {
    return proxy(
        HttpResponse.class,
        (proxy, method, arguments) -> method.getName().equals("code") ? (Object) 200 : body);
  }

  /** The request goes on, and a read from a cache must not be older than its result. */
  @Test
  void reportsTheTrueOutcome() {
    var put = client.sendAsync(put(), byte[].class);
    put.cancel(true);
    assertThat(answer).isNotDone();
    assertThat(heard).isEmpty();
    answer.complete(response("{}".getBytes(UTF_8)));
    assertThat(heard).containsExactly("200 {}");
  }

  @Test
  void reportsTheEndOfAStreamedWriteAndReleasesItsConnection() {
    var put = client.consumeBytes(put(), (value, body) -> {});
    put.cancel(true);
    assertThat(heard).isEmpty();
    answer.complete(
        response(proxy(AsyncBody.class, (proxy, method, none) -> discarded.add(method.getName()))));
    assertThat(heard).containsExactly("0 ");
    assertThat(discarded).containsExactly("cancel");
  }
}
