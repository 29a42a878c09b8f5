// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.Manager;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testsupport.Page;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** No failure discloses secrets. */
@Timeout(60)
final class SecretsTest {

  private static final String DATA = "CANARY-IN-DATA";
  private static final String ANNOTATION = "CANARY-IN-ANNOTATION";
  private static final String TOKEN = "CANARY-IN-TOKEN";
  private static final String MANAGER = "CANARY-IN-MANAGED-FIELDS";
  private static final String BASE64 =
      Base64.getEncoder().encodeToString(DATA.getBytes(StandardCharsets.UTF_8));
  private static final List<String> CANARIES = List.of(DATA, BASE64, ANNOTATION, TOKEN, MANAGER);

  /** What a reconciler says of its own accord may come out, escaped. */
  private static final String OWN_WORDS =
      "own words\r\nERROR forged \u001b[31m\u202e${jndi:x} {} %n";

  private static final ObjectKey KEY = ObjectKey.of("default", "a");

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final KubernetesClient kubectl = server.newClient();
  private final Queue<String> pages = new ConcurrentLinkedQueue<>();
  private final Queue<String> spans = new ConcurrentLinkedQueue<>();
  private final Queue<ILoggingEvent> logged = new ConcurrentLinkedQueue<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.windlass");
  private final @Nullable Level before = logger.getLevel();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (!event.getLoggerName().startsWith("dev.windlass.testing.")) {
            event.getMDCPropertyMap(); // taken now: it belongs to the thread
            logged.add(event);
          }
        }
      };

  SecretsTest() {
    appender.start();
    logger.setLevel(Level.TRACE);
    logger.setAdditive(false);
    logger.addAppender(appender);
  }

  @AfterEach
  void stops() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(before);
    kubectl.close();
    server.close();
  }

  private Manager manager() {
    Config config = new ConfigBuilder(server.clientConfig()).withOauthToken(TOKEN).build();
    ObservationRegistry observations = ObservationRegistry.create();
    observations.observationConfig().observationHandler(new SpansShown());
    return Manager.builder()
        .config(config)
        .fieldOwner("windlass-test")
        .healthProbeBindAddress("127.0.0.1:0")
        .metricsBindAddress("127.0.0.1:0")
        .observationRegistry(observations)
        .build();
  }

  /** What becomes a span: its name, its attributes, and the failure that is its event. */
  private final class SpansShown implements ObservationHandler<Observation.Context> {
    @Override
    public void onStop(Observation.Context context) {
      spans.add(context.getName() + " " + context.getContextualName());
      context.getAllKeyValues().forEach(each -> spans.add(each.getKey() + "=" + each.getValue()));
      spans.add(String.valueOf(context.getError()));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }

  /** What the pages show now. */
  private void look(Manager manager) {
    int probes = manager.endpoints().probePort().orElseThrow();
    int metrics = manager.endpoints().metricsPort().orElseThrow();
    pages.add(Page.get(probes, "/readyz?verbose").body());
    pages.add(Page.get(probes, "/livez?verbose").body());
    pages.add(Page.get(metrics, "/metrics").body());
    pages.add(Page.get(metrics, "/debug/windlass").body());
  }

  private Secret create(String name) {
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName(name)
            .addToAnnotations("note", ANNOTATION)
            .endMetadata()
            .addToData("password", BASE64)
            .build();
    return kubectl.resource(secret).fieldManager(MANAGER).forceConflicts().serverSideApply();
  }

  /** Each failure that a reconciler of Secrets can meet, and each that its informer can. */
  private final AtomicInteger runs = new AtomicInteger();

  private Result fail(Manager manager, EventRecorder events, Request request) {
    Client client = manager.client();
    look(manager); // on the failure before this one
    Secret secret = client.get(Secret.class, request.key()).orElseThrow();
    events.warning(secret, "Failed", "an attempt with " + OWN_WORDS);
    switch (runs.getAndIncrement()) {
      case 0 -> throw new IllegalStateException(OWN_WORDS, new IllegalStateException(OWN_WORDS));
      case 1 -> {
        secret.getMetadata().setResourceVersion("1");
        secret.getData().put("more", BASE64);
        client.update(secret); // a conflict
      }
      case 2 ->
          client.patch(
              secret,
              ObjectPatch.json("[{\"op\":\"test\",\"path\":\"/x\",\"value\":\"" + DATA + "\"}]"));
      case 3 -> {
        secret.getMetadata().setResourceVersion(null);
        client.create(secret); // exists
      }
      case 4 -> {
        secret.getMetadata().setName("UPPER_" + "x".repeat(300));
        secret.getMetadata().setResourceVersion(null);
        client.create(secret); // invalid
      }
      case 5 -> {
        server.fail(RequestMatcher.of(Verb.UPDATE, "secrets"), 403, 1);
        secret.getData().put("more", BASE64);
        client.update(secret);
      }
      // The last one: it does not fit its class any more.
      case 6 -> client.patch(secret, ObjectPatch.merge("{\"data\":{\"x\":[\"" + DATA + "\"]}}"));
      default -> {}
    }
    return Result.done();
  }

  @Test
  void saysNothingSecretWhateverFails() {
    Secret secret = create("a");
    assertThat(secret.getMetadata().getManagedFields().toString()).contains(MANAGER);
    List<String> shown = new ArrayList<>();
    try (Manager manager = manager()) {
      EventRecorder events = manager.eventRecorder("secrets");
      ControllerBuilder.forType(Secret.class)
          .named("secrets")
          .reconciler((request, context) -> fail(manager, events, request))
          .register(manager);
      manager.start();
      eventually().untilAsserted(() -> assertThat(runs).hasValueGreaterThan(6));
      server.fail(RequestMatcher.of(Verb.WATCH, "secrets"), 401, 2);
      server.dropWatches();
      create("b");
      eventually()
          .until(() -> lines().stream().anyMatch(line -> line.contains("does not accept the")));
      eventually().untilAsserted(() -> assertThat(spans).anyMatch(s -> s.contains("401")));
      look(manager);
      shown.add(manager.client().toString());
      shown.add(events.toString());
      eventually().until(() -> !events().isEmpty());
    }
    CachedObject<Secret> cached = ObjectCodec.of(Secret.class).encode(secret);
    shown.add(cached.toString());
    shown.add(cached.key().toString());
    shown.add(new Request(KEY).toString());
    shown.add(ObjectPatch.merge(DATA).toString());
    shown.add(InformerSpec.of(Secret.class).toString());
    for (Event event : events()) {
      shown.add(event.toString());
    }
    assertThat(lines()).as("what was to go wrong").anyMatch(line -> line.contains("own words"));
    assertThat(lines()).anyMatch(line -> line.contains("(HTTP 409 Conflict)"));
    assertThat(lines()).anyMatch(line -> line.contains("(HTTP 403"));
    assertThat(pages).as("pages").anyMatch(page -> page.contains("own words"));
    assertThat(pages).anyMatch(page -> page.contains("rest_client_requests_total{code=\"409\""));
    assertThat(pages).anyMatch(page -> page.contains("check passed"));
    assertThat(spans).as("spans").contains("namespace=default", "name=a", "result=error");
    assertThat(spans).anyMatch(span -> span.startsWith("path=/api/v1/"));
    List<String> mdc =
        logged.stream().flatMap(event -> event.getMDCPropertyMap().values().stream()).toList();
    assertThat(mdc).as("MDC").contains("default", "a", "secrets");
    shown.addAll(pages);
    shown.addAll(spans);
    shown.addAll(mdc);
    shown.addAll(lines());
    for (String canary : CANARIES) {
      assertThat(shown).noneMatch(line -> line.contains(canary));
    }
    assertThat(lines()).allMatch(SecretsTest::isOneLine);
    assertThat(events()).allMatch(event -> isOneLine(event.getNote()));
  }

  private List<Event> events() {
    return kubectl.events().v1().events().inNamespace("default").list().getItems();
  }

  /** Each message, and those of what was thrown. */
  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (ILoggingEvent event : logged) {
      lines.add(event.getFormattedMessage());
      @Nullable IThrowableProxy thrown = event.getThrowableProxy();
      while (thrown != null) {
        lines.add(String.valueOf(thrown.getMessage()));
        thrown = thrown.getCause();
      }
    }
    return lines;
  }

  private static boolean isOneLine(String text) {
    return text.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
  }

  /** The messages that a program gets itself. */
  @Test
  void quotesNoDataInExceptions() {
    create("a");
    try (Manager manager = manager()) {
      Client client = manager.client();
      Secret secret = client.get(Secret.class, KEY).orElseThrow();
      server.close();
      try {
        secret.getData().put("more", BASE64);
        client.update(secret);
      } catch (ApiException e) {
        for (String canary : CANARIES) {
          assertThat(e).hasMessageNotContaining(canary);
        }
        return;
      }
    }
    throw new AssertionError("the server is gone");
  }
}
