// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What an HTTP endpoint of this machine answers. */
public record Page(int code, String body) {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Sends a GET request. */
  public static Page get(int port, String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    try {
      HttpResponse<String> answer =
          CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      return new Page(answer.statusCode(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The code and the text behind it. */
  @Override
  public String toString() {
    return code + " " + body;
  }
}
