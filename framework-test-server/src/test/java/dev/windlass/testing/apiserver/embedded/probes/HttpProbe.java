// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.probes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;

/** A bare HTTP client on the server; JSON in the arguments may use single quotes. */
public final class HttpProbe {
  public static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  public static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  public static final String FOOS =
      "/apis/samplecontroller.k8s.io/v1alpha1/namespaces/default/foos";
  public static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http;
  private final String url;

  /** The bearer token; empty without one. */
  private final String token;

  public HttpProbe(EmbeddedApiServer server) {
    this(HttpClient.newHttpClient(), server.url(), "");
  }

  private HttpProbe(HttpClient http, String url, String token) {
    this.http = http;
    this.url = url;
    this.token = token;
  }

  /** A client with the administrator's credentials, for the real server too. */
  public static HttpProbe on(TestApiServer server) {
    return on(server.clientConfig());
  }

  /** A client with the credentials in a configuration. */
  public static HttpProbe on(Config config) {
    try {
      HttpClient http =
          HttpClient.newBuilder()
              // The real server ends an HTTP/2 connection after a 401.
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(SSLUtils.sslContext(config))
              .build();
      String token = config.getOauthToken() == null ? "" : config.getOauthToken();
      return new HttpProbe(http, config.getMasterUrl().replaceAll("/$", ""), token);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same client with a bearer token. */
  public HttpProbe withToken(String other) {
    return new HttpProbe(http, url, other);
  }

  /** What the server answered. */
  public record Reply(int code, String text) {
    public JsonNode json() {
      return parse(text);
    }

    public String message() {
      return json().path("message").asText();
    }

    public String reason() {
      return json().path("reason").asText();
    }

    public String version() {
      return json().path("metadata").path("resourceVersion").asText();
    }

    /** The text at a JSON pointer. */
    public String at(String pointer) {
      return json().at(pointer).asText();
    }
  }

  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A GET with one header. */
  public HttpResponse<byte[]> get(String path, String header, String value) {
    return send(request(path).header(header, value).GET(), BodyHandlers.ofByteArray());
  }

  /** A GET of objects in another form. */
  public Reply getAs(String path, String accept) {
    return send(request(path).header("Accept", accept).GET());
  }

  public Reply get(String path) {
    return send(request(path).GET());
  }

  public Reply post(String path, String json) {
    return send(withJson(path).POST(BodyPublishers.ofString(quoted(json))));
  }

  /** A POST whose headers are of interest. */
  public HttpResponse<String> postRaw(String path, String json) {
    return send(
        withJson(path).POST(BodyPublishers.ofString(quoted(json))), BodyHandlers.ofString());
  }

  public Reply put(String path, String json) {
    return send(withJson(path).PUT(BodyPublishers.ofString(quoted(json))));
  }

  /** The format is {@code json}, {@code merge}, {@code strategic-merge} or another. */
  public Reply patch(String path, String format, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/" + format + "-patch+json")
            .method("PATCH", BodyPublishers.ofString(quoted(json))));
  }

  public Reply delete(String path) {
    return send(request(path).DELETE());
  }

  public Reply delete(String path, String options) {
    return send(withJson(path).method("DELETE", BodyPublishers.ofString(quoted(options))));
  }

  /** Creates a ConfigMap in the default namespace. */
  public Reply configMap(String name) {
    return post(CONFIG_MAPS, "{'metadata':{'name':'%s'}}".formatted(name));
  }

  /** Opens a watch; the stream's first line may take its time. */
  public WatchProbe watch(String path) {
    return watchAs(path, "application/json");
  }

  /** Opens a watch for objects in another form. */
  public WatchProbe watchAs(String path, String accept) {
    HttpResponse<InputStream> response =
        send(request(path).header("Accept", accept).GET(), BodyHandlers.ofInputStream());
    return new WatchProbe(response.statusCode(), response.body());
  }

  public HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT);
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private HttpRequest.Builder withJson(String path) {
    return request(path).header("Content-Type", "application/json");
  }

  public Reply send(HttpRequest.Builder request) {
    HttpResponse<String> response = send(request, BodyHandlers.ofString());
    return new Reply(response.statusCode(), response.body());
  }

  private <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> bodies) {
    try {
      return http.send(request.build(), bodies);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public static String quoted(String json) {
    return json.replace('\'', '"');
  }

  /** Defines foos with a status path, a schema with bounds, and a default. */
  public void defineFoos() {
    Reply reply = post(CRDS, FOO_CRD);
    if (reply.code() != 201) {
      throw new IllegalStateException(reply.text());
    }
  }

  public static final String FOO_CRD =
      """
      {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
       'metadata':{'name':'foos.samplecontroller.k8s.io'},
       'spec':{'group':'samplecontroller.k8s.io','scope':'Namespaced',
        'names':{'plural':'foos','kind':'Foo','shortNames':['fo']},
        'versions':[{'name':'v1alpha1','served':true,'storage':true,
         'subresources':{'status':{}},
         'schema':{'openAPIV3Schema':{'type':'object','properties':{
          'spec':{'type':'object','required':['deploymentName'],'properties':{
            'deploymentName':{'type':'string','minLength':1,'maxLength':10,'pattern':'^[a-z-]+$'},
            'mode':{'type':'string','enum':['fast','slow']},
            'colour':{'type':'string','default':'blue'},
            'anything':{'type':'object','x-kubernetes-preserve-unknown-fields':true},
            'replicas':{'type':'integer','minimum':1,'maximum':10}}},
          'status':{'type':'object','properties':{
            'availableReplicas':{'type':'integer'}}}}}}}]}}
      """;

  /** A Foo with this name and these further fields in its spec, such as {@code ,'mode':'fast'}. */
  public static String foo(String name, String more) {
    return """
        {'apiVersion':'samplecontroller.k8s.io/v1alpha1','kind':'Foo',
         'metadata':{'name':'%s'},'spec':{'deploymentName':'web'%s}}
        """
        .formatted(name, more);
  }

  /** A Deployment called web; without replicas if they are negative. */
  public static String deployment(int replicas) {
    return """
        {'metadata':{'name':'web'},'spec':{%s
         'selector':{'matchLabels':{'app':'web'}},
         'template':{'metadata':{'labels':{'app':'web'}},
          'spec':{'containers':[{'name':'web','image':'nginx'}]}}}}
        """
        .formatted(replicas < 0 ? "" : "'replicas':" + replicas + ",");
  }
}
