// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

/**
 * A request, in a form that can be sent to both servers and written to a file.
 *
 * <p>Path and body can contain {@code $ns}, {@code $latest} (the highest resourceVersion that the
 * server has sent), and {@code $rv(configmaps/a)}, {@code $old(configmaps/a)} and {@code
 * $uid(configmaps/a)} with what the server has sent for an object. A body that begins with {@code
 * ~} is a merge patch for the last state of the object that the server has sent.
 *
 * @param method an HTTP method, or WATCH
 * @param type the content type, such as {@code merge-patch+json}, without {@code application/}
 */
record Operation(String method, String path, String type, String body) {

  static Operation parse(String line) {
    String[] parts = line.split(" ", 4);
    return new Operation(parts[0], parts[1], parts[2], parts.length < 4 ? "" : parts[3]);
  }

  /** Returns the resource, and the name and subresource if the path has them. */
  String object() {
    return path.replaceFirst("\\?.*", "").replaceFirst(".*/\\$ns/", "");
  }

  /** Returns what operations of the same kind have in common. */
  String summary() {
    return method + " " + object().replaceFirst("/[^/]*", "/*") + " " + type;
  }

  @Override
  public String toString() {
    return String.join(" ", method, path, type, body).stripTrailing();
  }
}
