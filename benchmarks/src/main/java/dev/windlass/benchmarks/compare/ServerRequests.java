// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers of requests for Bench objects and ConfigMaps that the API server has counted. They
 * are read from {@code apiserver_request_total} in the server's {@code /metrics}. The server counts
 * a watch when the watch ends, and counts a server-side apply under the verb APPLY.
 *
 * @param writes the number of requests with POST, PUT, PATCH, APPLY, DELETE or DELETECOLLECTION
 * @param all the number of all requests
 */
record ServerRequests(double writes, double all) {

  private static final Pattern SAMPLE =
      Pattern.compile("^apiserver_request_total\\{([^}]*)} (\\S+)$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final Set<String> WRITES =
      Set.of("POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION");

  /**
   * Parses the text of {@code /metrics} and adds up the samples for Bench objects and ConfigMaps.
   */
  static ServerRequests parse(String metrics) {
    double writes = 0;
    double all = 0;
    Matcher samples = SAMPLE.matcher(metrics);
    while (samples.find()) {
      String group = "";
      String resource = "";
      String verb = "";
      Matcher labels = LABEL.matcher(samples.group(1));
      while (labels.find()) {
        switch (labels.group(1)) {
          case "group" -> group = labels.group(2);
          case "resource" -> resource = labels.group(2);
          case "verb" -> verb = labels.group(2);
          default -> {}
        }
      }
      boolean counts =
          group.equals(BenchServer.GROUP) || group.isEmpty() && resource.equals("configmaps");
      if (counts) {
        double count = Double.parseDouble(samples.group(2));
        all += count;
        writes += WRITES.contains(verb) ? count : 0;
      }
    }
    return new ServerRequests(writes, all);
  }

  /** Returns the numbers of requests since an earlier count. */
  ServerRequests since(ServerRequests earlier) {
    return new ServerRequests(writes - earlier.writes, all - earlier.all);
  }
}
