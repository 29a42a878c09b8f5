// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

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
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  private record Case(String what, WriteRequest write, int code, String answer, Shown shown) {}

  private static final String TERMINATING = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
  private static final String HELD = TERMINATING + ",'finalizers':['x.dev/f']";

  static Stream<Case> answers() {
    String pod = object("Pod", "", "");
    WriteRequest put = write("PUT", "pods", "a", "");
    WriteRequest delete = write("DELETE", "pods", "a", "");
    return Stream.of(
        new Case("an update shows its answer", put, 200, pod, Shown.AFTER),
        new Case(
            "a status update, too", write("PUT", "pods", "a", "status"), 200, pod, Shown.AFTER),
        new Case("a patch, too", write("PATCH", "pods", "a", ""), 200, pod, Shown.AFTER),
        new Case("a refusal means nothing", put, 409, "{'kind':'Status'}", Shown.BEFORE),
        new Case("a failing server may have done it", put, 500, "{'kind':'Status'}", Shown.UNCLEAR),
        new Case("no answer may mean that it was done", put, 0, "", Shown.UNCLEAR),
        new Case("an answer that is no JSON is not believed", put, 200, "<html>", Shown.UNCLEAR),
        new Case(
            "another subresource tells the version only",
            write("PUT", "pods", "a", "resize"),
            200,
            "{'kind':'Scale','metadata':{'name':'a','resourceVersion':'900'}}",
            Shown.UNCLEAR),
        new Case(
            "a binding changes the Pod and does not show it",
            write("POST", "pods", "a", "binding"),
            201,
            "{'kind':'Status','status':'Success'}",
            Shown.UNCLEAR),
        new Case(
            "so does the creation of a Binding object",
            write("POST", "bindings", "", ""),
            201,
            "{'kind':'Status','status':'Success'}",
            Shown.UNCLEAR),
        new Case(
            "unless it is refused",
            write("POST", "bindings", "", ""),
            409,
            "{'kind':'Status'}",
            Shown.BEFORE),
        new Case(
            "an eviction, too",
            write("POST", "pods", "a", "eviction"),
            201,
            "{'kind':'Eviction','metadata':{'name':'a'}}",
            Shown.UNCLEAR),
        new Case(
            "an eviction that was not granted changes nothing",
            write("POST", "pods", "a", "eviction"),
            429,
            "{'kind':'Status','status':'Failure'}",
            Shown.BEFORE),
        new Case(
            "a token changes nothing",
            write("POST", "pods", "a", "token"),
            201,
            "{'kind':'TokenRequest','metadata':{'name':'a'}}",
            Shown.BEFORE),
        new Case(
            "an object in another version of the API is not decoded",
            new WriteRequest(
                "PUT", "", "v2", "pods", "here", "a", "", false, () -> null, Optional.empty()),
            200,
            pod,
            Shown.UNCLEAR),
        new Case(
            "a dry run changes nothing",
            new WriteRequest(
                "PUT", "", "v1", "pods", "here", "a", "", true, () -> null, Optional.empty()),
            200,
            pod,
            Shown.BEFORE),
        new Case(
            "a deletion that is answered with a Status is done",
            delete,
            200,
            "{'kind':'Status','status':'Success','details':{'name':'a','uid':'u1'}}",
            Shown.GONE),
        new Case(
            "also without a uid",
            delete,
            200,
            "{'kind':'Status','status':'Success','details':{'name':'a'}}",
            Shown.GONE),
        new Case(
            "a deletion that finalizers hold up shows the terminating object",
            delete,
            200,
            object("Pod", HELD, ""),
            Shown.AFTER),
        new Case(
            "a deletion with a grace period, too",
            delete,
            200,
            object("Pod", TERMINATING + ",'deletionGracePeriodSeconds':30", ""),
            Shown.AFTER),
        new Case(
            "a deletion that answers with the last state is done",
            delete,
            200,
            object("Pod", TERMINATING + ",'deletionGracePeriodSeconds':0", ""),
            Shown.GONE),
        new Case(
            "to take away the last finalizer of a terminating object ends it",
            write("PATCH", "pods", "a", ""),
            200,
            object("Pod", TERMINATING, ""),
            Shown.GONE),
        new Case(
            "to take away one of two does not",
            write("PATCH", "pods", "a", ""),
            200,
            object("Pod", HELD, ""),
            Shown.AFTER),
        new Case(
            "a deletion of many is answered with the states before: it may have added a finalizer",
            write("DELETE", "pods", "", ""),
            200,
            "{'kind':'PodList','items':[" + object("Pod", "", "") + "]}",
            Shown.UNCLEAR),
        new Case(
            "a deletion of many that does not say which ones",
            write("DELETE", "pods", "", ""),
            200,
            "{'kind':'Status','status':'Success'}",
            Shown.UNCLEAR),
        new Case(
            "a deletion of many without an answer",
            write("DELETE", "pods", "", ""),
            0,
            "",
            Shown.UNCLEAR),
        new Case(
            "a refused deletion of many", write("DELETE", "pods", "", ""), 403, "", Shown.BEFORE),
        new Case(
            "another type is of no concern",
            write("PUT", "deployments", "a", ""),
            200,
            pod,
            Shown.BEFORE));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void showsWhatAnAnswerSays(Case c) {
    watched.put(new String(bytes(object("Pod", "", "")), StandardCharsets.UTF_8));
    Overlay<Pod> pods = cache(Pod.class);
    String before = pods.get(KEY).orElseThrow().resourceVersion();
    done(c.write(), c.code(), c.answer());
    assertThat(pods.isUnclear(KEY)).isEqualTo(c.shown() == Shown.UNCLEAR);
    if (c.shown() != Shown.UNCLEAR) {
      String after = pods.get(KEY).map(pod -> pod.resourceVersion()).orElse("gone");
      assertThat(after)
          .isEqualTo(
              switch (c.shown()) {
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
        outer.around(
            write -> {
              throw new IllegalStateException("no longer the leader");
            });
    assertThatThrownBy(() -> refusing.before(write("PUT", "pods", "a", "")))
        .hasMessage("no longer the leader");
    assertThat(ended).containsExactly(-1);
  }
}
