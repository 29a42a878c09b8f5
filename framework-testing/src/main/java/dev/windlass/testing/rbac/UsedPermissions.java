// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.rbac;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Declaration.Need;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Records the permissions that a program uses, and compares them with the permissions that the
 * program declares:
 *
 * <pre>{@code
 * UsedPermissions used = new UsedPermissions();
 * try (KubernetesClient client = used.client(server.clientConfig());
 *     Manager manager = Manager.builder().client(client).build()) {
 *   // register, start, and exercise everything that the operator does
 *   used.assertMatch(manager.permissions());
 * }
 * }</pre>
 *
 * <p>The client can use administrator credentials, because the permissions are derived only from
 * the requests. This class does not record upgraded connections (exec, attach, port forwarding). It
 * is thread-safe.
 */
public final class UsedPermissions {

  private static final String FIELDS = "fieldSelector=";
  private static final String REVIEWS = "authorization.k8s.io";

  private final NavigableSet<Permission> used = new ConcurrentSkipListSet<>();

  /** Creates an instance without recorded permissions. */
  public UsedPermissions() {}

  /** Creates a client whose requests are recorded. The caller must close the client. */
  public KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor("used-permissions", new Notes()))
        .build();
  }

  private final class Notes implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      required(request.method(), request.uri()).ifPresent(used::add);
    }

    /** An apply that creates an object requires the permission to create it, too. */
    @Override
    public void after(
        HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> body) {
      if (request.method().equals("PATCH") && response.code() == HttpURLConnection.HTTP_CREATED) {
        required(request.method(), request.uri())
            .ifPresent(
                patch ->
                    used.add(
                        new Permission(
                            patch.namespace(),
                            patch.group(),
                            patch.resource(),
                            patch.name(),
                            Verb.CREATE)));
      }
    }
  }

  /**
   * Returns the permissions that have been used so far, as a sorted, unmodifiable set. Each
   * permission contains the name of the object in the request.
   */
  public NavigableSet<Permission> all() {
    return Collections.unmodifiableNavigableSet(used);
  }

  /** Returns one sentence for each permission that was used but not declared. */
  public List<String> tooShort(Permissions declared) {
    return used.stream()
        .filter(permission -> !declared.cover(permission))
        .map(
            permission ->
                new Permission(
                    permission.namespace(),
                    permission.group(),
                    permission.resource(),
                    "",
                    permission.verb()))
        .distinct()
        .map(
            permission ->
                "not declared, but used: " + permission + "; add .uses(Type.class, Verb...)")
        .toList();
  }

  /**
   * Returns one sentence for each permission that was declared but not used. Permissions whose
   * declaration does not require their use are omitted.
   */
  public List<String> tooWide(Permissions declared) {
    List<String> wide = new ArrayList<>();
    for (Declaration declaration : declared.declarations()) {
      Collection<Permission> unused =
          declaration.permissions().stream().filter(this::isUnused).sorted().toList();
      boolean asked = unused.size() < declaration.permissions().size();
      if (declaration.need() == Need.EACH || (declaration.need() == Need.ANY && !asked)) {
        unused.forEach(
            permission ->
                wide.add(
                    "declared by " + declaration.statement() + ", but not used: " + permission));
      }
    }
    return wide;
  }

  private boolean isUnused(Permission declared) {
    return used.stream().noneMatch(declared::covers);
  }

  /**
   * Asserts that the declared permissions match the permissions that were used.
   *
   * @throws AssertionError if a permission was used but not declared, or declared but not used; the
   *     message lists these permissions
   */
  public void assertMatch(Permissions declared) {
    List<String> wrong = new ArrayList<>(tooShort(declared));
    wrong.addAll(tooWide(declared));
    if (!wrong.isEmpty()) {
      throw new AssertionError(
          "the declared permissions differ from the permissions used:\n  "
              + String.join("\n  ", wrong));
    }
  }

  /**
   * Returns the permission that a request requires.
   *
   * @return the permission, or empty if the request does not refer to API objects or creates a
   *     self-review, which every user may do
   */
  static Optional<Permission> required(String method, URI uri) {
    return RecordedRequest.of(method, uri)
        .flatMap(
            request ->
                required(request, request.name().isEmpty() ? selectedName(uri) : request.name()));
  }

  /**
   * Returns the object name that the field selector of a list or watch specifies, or an empty
   * string if there is none. If there is a name, a permission for this object is sufficient.
   */
  private static String selectedName(URI uri) {
    for (String parameter : Objects.requireNonNullElse(uri.getQuery(), "").split("&", -1)) {
      if (parameter.startsWith(FIELDS)) {
        return WatchScope.ALL
            .withFields(parameter.substring(FIELDS.length()))
            .objectName()
            .orElse("");
      }
    }
    return "";
  }

  private static Optional<Permission> required(RecordedRequest request, String name) {
    int dot = request.resource().indexOf('.');
    String group = dot < 0 ? "" : request.resource().substring(dot + 1);
    String plural = dot < 0 ? request.resource() : request.resource().substring(0, dot);
    if (group.equals(REVIEWS) && plural.startsWith("selfsubject")) {
      return Optional.empty();
    }
    String resource = plural + (request.subresource().isEmpty() ? "" : "/" + request.subresource());
    return Optional.of(
        new Permission(
            request.namespace(), group, resource, name, Verb.valueOf(request.verb().name())));
  }
}
