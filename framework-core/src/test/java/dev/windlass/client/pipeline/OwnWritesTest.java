// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the server's answers say about what a cache should show. */
@Timeout(60)
final class OwnWritesTest {

  private static final ObjectKey KEY = ObjectKey.of("here", "a");

  private final FakeListerWatcher watched = new FakeListerWatcher();
  private final SharedInformerFactory informers =
      new SharedInformerFactory(
          (type, where) -> watched,
          WatchScope.ALL,
          InformerOptions.defaults().withScheduler(new ManualScheduler()));
  private final OwnWrites writes = new OwnWrites();

  OwnWritesTest() {
    writes.watch(informers);
  }

  @AfterEach
  void closes() throws InterruptedException {
    assertThat(informers.shutDown(Duration.ofSeconds(20))).isTrue();
    watched.assertNothingOpen();
  }

  /** What an informer shows that the server's objects have come to; the fake numbers from 1. */
  private <T extends HasMetadata> Overlay<T> cache(Class<T> type) {
    SharedIndexInformer<T> informer = informers.informer(type);
    informers.start();
    Eventually.that(() -> assertThat(informer.hasSynced()).isTrue());
    watched.hold();
    return informer.overlay();
  }

  private static WriteRequest write(String method, String plural, String name, String subresource) {
    String group = plural.equals("deployments") ? "apps" : "";
    String namespace = plural.equals("namespaces") ? "" : "here";
    return new WriteRequest(
        method,
        group,
        "v1",
        plural,
        namespace,
        name,
        subresource,
        false,
        () -> null,
        Optional.empty());
  }

  private static byte[] bytes(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private void done(WriteRequest write, int code, String answer) {
    writes.before(write).ended(new WriteResponse(code, bytes(answer)));
  }

  private static String object(String kind, String metadata, String rest) {
    return "{'kind':'%s','metadata':{'namespace':'here','name':'a','uid':'u1','resourceVersion':'900'%s}%s}"
        .formatted(kind, metadata, rest);
  }

  private enum Shown {
    BEFORE,
    AFTER,
    GONE,
    UNCLEAR
  }

  private static final String TERMINATING = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
  private static final String HELD = TERMINATING + ",'finalizers':['x.dev/f']";

  /** What the table below abbreviates. */
  private static final Map<String, String> ANSWERS =
      Map.of(
          "POD", object("Pod", "", ""),
          "HELD", object("Pod", HELD, ""),
          "TERMINATING", object("Pod", TERMINATING, ""),
          "IN 30 S", object("Pod", TERMINATING + ",'deletionGracePeriodSeconds':30", ""),
          "AT ONCE", object("Pod", TERMINATING + ",'deletionGracePeriodSeconds':0", ""),
          "LIST", "{'kind':'PodList','items':[" + object("Pod", "", "") + "]}",
          "SUCCESS", "{'kind':'Status','status':'Success'}",
          "FAILURE", "{'kind':'Status','status':'Failure'}",
          "NONE", "");

  /** As in {@code PUT pods/a/status}, perhaps with another version, or as a dry run. */
  private static WriteRequest parsed(String request) {
    String[] words = request.split(" ", -1);
    String[] path = words[1].split("/", -1);
    WriteRequest plain =
        write(words[0], path[0], path.length > 1 ? path[1] : "", path.length > 2 ? path[2] : "");
    if (words.length == 2) {
      return plain;
    }
    boolean dryRun = words[2].equals("dryRun");
    String version = dryRun ? "v1" : words[2];
    return new WriteRequest(
        words[0], "", version, "pods", "here", "a", "", dryRun, () -> null, Optional.empty());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          an update shows its answer                        | PUT pods/a             | 200 | POD     | AFTER
          a status update, too                              | PUT pods/a/status      | 200 | POD     | AFTER
          a patch, too                                      | PATCH pods/a           | 200 | POD     | AFTER
          a refusal means nothing                           | PUT pods/a             | 409 | FAILURE | BEFORE
          a failing server may have done it                 | PUT pods/a             | 500 | FAILURE | UNCLEAR
          no answer may mean that it was done               | PUT pods/a             | 0   | NONE    | UNCLEAR
          an answer that is no JSON is not believed         | PUT pods/a             | 200 | <html>  | UNCLEAR
          another subresource tells the version only        | PUT pods/a/resize      | 200 | {'kind':'Scale','metadata':{'name':'a','resourceVersion':'900'}} | UNCLEAR
          a binding changes the Pod and does not show it    | POST pods/a/binding    | 201 | SUCCESS | UNCLEAR
          so does the creation of a Binding object          | POST bindings          | 201 | SUCCESS | UNCLEAR
          unless it is refused                              | POST bindings          | 409 | FAILURE | BEFORE
          an eviction, too                                  | POST pods/a/eviction   | 201 | {'kind':'Eviction','metadata':{'name':'a'}} | UNCLEAR
          an eviction that was not granted changes nothing  | POST pods/a/eviction   | 429 | FAILURE | BEFORE
          a token changes nothing                           | POST pods/a/token      | 201 | {'kind':'TokenRequest','metadata':{'name':'a'}} | BEFORE
          an object in another version is not decoded       | PUT pods/a v2          | 200 | POD     | UNCLEAR
          a dry run changes nothing                         | PUT pods/a dryRun      | 200 | POD     | BEFORE
          a deletion answered with a Status is done         | DELETE pods/a          | 200 | {'kind':'Status','status':'Success','details':{'name':'a','uid':'u1'}} | GONE
          also without a uid                                | DELETE pods/a          | 200 | {'kind':'Status','status':'Success','details':{'name':'a'}} | GONE
          finalizers hold it up: the object is terminating  | DELETE pods/a          | 200 | HELD    | AFTER
          so it is in its grace period                      | DELETE pods/a          | 200 | IN 30 S | AFTER
          an answer with the last state means done          | DELETE pods/a          | 200 | AT ONCE | GONE
          the last finalizer of a terminating object goes   | PATCH pods/a           | 200 | TERMINATING | GONE
          one of two finalizers goes                        | PATCH pods/a           | 200 | HELD    | AFTER
          a deletion of many may have added a finalizer     | DELETE pods            | 200 | LIST    | UNCLEAR
          a deletion of many does not say of which ones     | DELETE pods            | 200 | SUCCESS | UNCLEAR
          a deletion of many without an answer              | DELETE pods            | 0   | NONE    | UNCLEAR
          a refused deletion of many                        | DELETE pods            | 403 | NONE    | BEFORE
          another type is of no concern                     | PUT deployments/a      | 200 | POD     | BEFORE
          """)
  void showsWhatAnAnswerSays(String what, String request, int code, String answer, Shown shown) {
    watched.put(new String(bytes(object("Pod", "", "")), StandardCharsets.UTF_8));
    Overlay<Pod> pods = cache(Pod.class);
    String before = pods.get(KEY).orElseThrow().resourceVersion();
    done(parsed(request), code, ANSWERS.getOrDefault(answer, answer));
    assertThat(pods.isUnclear(KEY)).isEqualTo(shown == Shown.UNCLEAR);
    if (shown != Shown.UNCLEAR) {
      String after = pods.get(KEY).map(pod -> pod.resourceVersion()).orElse("gone");
      assertThat(after)
          .isEqualTo(
              switch (shown) {
                case BEFORE -> before;
                case AFTER -> "900";
                default -> "gone";
              });
    }
    watched.release();
  }

  /** What the generated name is, only the answer tells. */
  @Test
  void showsWhatWasCreatedUnderTheNameThatTheServerChose() {
    Overlay<Pod> pods = cache(Pod.class);
    done(write("POST", "pods", "", ""), 201, object("Pod", "", ""));
    assertThat(pods.get(KEY)).isPresent();
    assertThat(pods.list()).hasSize(1);
    watched.release();
  }

  /** Its end is held up by spec.finalizers, which are no metadata. */
  @Test
  void doesNotTakeATerminatingNamespaceForGone() {
    Overlay<Namespace> namespaces = cache(Namespace.class);
    done(
        write("DELETE", "namespaces", "here", ""),
        200,
        "{'kind':'Namespace','metadata':{'name':'here','uid':'u','resourceVersion':'900'%s}}"
            .formatted(TERMINATING));
    assertThat(namespaces.get(ObjectKey.of("here"))).isPresent();
    watched.release();
  }

  /** A cache of another namespace would show what its watch will never bring. */
  @Test
  void tellsOnlyCachesThatWouldHoldTheObject() {
    SharedIndexInformer<Pod> elsewhere =
        informers.informer(Pod.class, WatchScope.namespace("there"));
    SharedIndexInformer<Pod> chosen =
        informers.informer(Pod.class, WatchScope.ALL.withLabels("app=web"));
    SharedIndexInformer<Deployment> other = informers.informer(Deployment.class);
    SharedIndexInformer<Pod> inside = informers.informer(Pod.class, WatchScope.namespace("here"));
    done(write("PUT", "pods", "a", ""), 200, object("Pod", "", ""));
    List<Integer> waiting = new ArrayList<>();
    for (SharedIndexInformer<?> each : List.of(elsewhere, chosen, other, inside)) {
      waiting.add(each.overlay().waiting());
    }
    assertThat(waiting).containsExactly(0, 1, 0, 1);
    assertThat(chosen.overlay().isUnclear(KEY)).as("its labels do not match").isFalse();
    assertThat(chosen.overlay().get(KEY)).isEmpty();
    done(
        write("PUT", "pods", "b", ""),
        200,
        object("Pod", ",'labels':{'app':'web'}", "").replace("'name':'a'", "'name':'b'"));
    assertThat(chosen.overlay().get(ObjectKey.of("here", "b"))).isPresent();
    done(write("DELETE", "pods", "b", ""), 200, "{'kind':'Status','details':{'uid':'u1'}}");
    assertThat(chosen.overlay().get(ObjectKey.of("here", "b"))).isEmpty();
  }

  /** What a fence kept from being sent was not done. */
  @Test
  void marksNothingThatWasNeverSent() {
    watched.put(new String(bytes(object("Pod", "", "")), StandardCharsets.UTF_8));
    Overlay<Pod> pods = cache(Pod.class);
    writes.before(write("PUT", "pods", "a", "")).refused();
    writes.before(write("DELETE", "pods", "", "")).refused();
    assertThat(pods.isUnclear(KEY)).isFalse();
    assertThat(pods.waiting()).isZero();
    watched.release();
  }

  /** A refusal by a hook must not leave the outer one waiting for an end. */
  @Test
  void endsTheOuterHookIfTheInnerOneRefuses() {
    List<Integer> ended = new ArrayList<>();
    WriteHook outer =
        write ->
            new WriteHook.Sent() {
              @Override
              public void ended(WriteResponse response) {
                ended.add(response.code());
              }

              @Override
              public void refused() {
                ended.add(-1);
              }
            };
    WriteHook refusing =
        outer.around(write -> raise(new IllegalStateException("no longer the leader")));
    assertThatThrownBy(() -> refusing.before(write("PUT", "pods", "a", "")))
        .hasMessage("no longer the leader");
    assertThat(ended).containsExactly(-1);
  }
}
