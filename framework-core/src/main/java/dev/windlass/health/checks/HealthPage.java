// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import dev.windlass.health.HealthCheck;
import dev.windlass.httpserver.Page;
import dev.windlass.httpserver.PageReply;
import dev.windlass.httpserver.PageRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Serves the results of the checks of one kind. A request for the page's path runs all checks. If
 * all checks succeed, the response is {@code ok}. Otherwise, the response has the status 500, lists
 * the checks and marks those that failed. With the parameter {@code verbose}, the response always
 * lists the checks, with causes. The parameter {@code exclude=name} omits a check and can be
 * repeated. A request for the page's path followed by {@code /name} runs a single check.
 */
public final class HealthPage implements Page {

  private final Health health;
  private final HealthCheck.Kind kind;
  private final String path;

  /**
   * Creates a page for the checks of the given kind.
   *
   * @param path the path at which the page is served, such as {@code /readyz}
   */
  public HealthPage(Health health, HealthCheck.Kind kind, String path) {
    this.health = health;
    this.kind = kind;
    this.path = path;
  }

  @Override
  public PageReply answer(PageRequest request) throws InterruptedException {
    String below = request.path().substring(path.length());
    return below.isEmpty() || below.equals("/") ? all(request) : one(below.substring(1), request);
  }

  private PageReply one(String name, PageRequest request) throws InterruptedException {
    Optional<String> problem = health.look(kind, name::equals).get(name);
    if (problem == null) {
      return PageReply.text(404, "404 page not found\n");
    } else if (problem.isEmpty()) {
      return PageReply.text(200, "ok\n");
    }
    String cause = request.has("verbose") ? ": " + problem.get() : "";
    return PageReply.text(500, "internal server error" + cause + "\n");
  }

  private PageReply all(PageRequest request) throws InterruptedException {
    Set<String> excluded = new HashSet<>(request.values("exclude"));
    Map<String, Optional<String>> outcome = health.look(kind, name -> !excluded.contains(name));
    StringBuilder text = new StringBuilder();
    boolean verbose = request.has("verbose");
    boolean healthy = outcome.values().stream().allMatch(Optional::isEmpty);
    if (healthy && !verbose) {
      return PageReply.text(200, "ok\n");
    }
    for (String name : health.names(kind)) {
      Optional<String> problem = outcome.get(name);
      if (problem == null) {
        text.append("[+]").append(name).append(" excluded: ok\n");
      } else if (problem.isEmpty()) {
        text.append("[+]").append(name).append(" ok\n");
      } else {
        text.append("[-]").append(name).append(" failed: ");
        text.append(verbose ? problem.get() : "reason withheld").append('\n');
      }
    }
    List<String> unknown = new ArrayList<>(excluded);
    unknown.removeAll(health.names(kind));
    if (!unknown.isEmpty()) {
      text.append("warn: some health checks cannot be excluded: no matches for ");
      text.append(unknown.size()).append(unknown.size() == 1 ? " name\n" : " names\n");
    }
    text.append(path.substring(1)).append(healthy ? " check passed\n" : " check failed\n");
    return PageReply.text(healthy ? 200 : 500, text.toString());
  }
}
