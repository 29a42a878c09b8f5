// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.Conflicts;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An operator of an older release, whose class declares fewer fields than the objects have, writes
 * an object back as a whole; holds on each server.
 */
@Timeout(120)
abstract class UnknownFieldsContract {

  private static final ResourceType SHOPS = ResourceType.of(Shop.class);
  private static final Transform SMALLER = Transform.dropFields("spec.newField");

  private static final String NEWER =
      """
      {"apiVersion": "older.windlass.dev/v1", "kind": "Shop",
       "metadata": {"labels": {"a": "b"}},
       "spec": {"size": 1, "newField": {"a": [1]},
                "doors": [{"name": "front", "colour": "red", "lock": "new"}, {"name": "back"}],
                "rules": [{"path": "/a", "weight": 5}, {"path": "/b"}]},
       "status": {"ready": 1, "endpointId": "e-1",
                  "conditions": [{"type": "Ready", "status": "True", "since": "new"}]}}
      """;

  @Group("older.windlass.dev")
  @Version("v1")
  @Plural("shops")
  @SuppressWarnings("serial") // nobody serializes it
  static final class Shop extends CustomResource<Spec, State> implements Namespaced {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  static final class Spec {
    public int size;
    public List<Door> doors;
    public List<Rule> rules;

    /** A default of the class. */
    public String mode = "open";
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  static final class Door {
    public String name;
    public String colour;
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  static final class Rule {
    public String path;
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  static final class State {
    public int ready;
    public List<Condition> conditions = new ArrayList<>();
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  static final class Condition {
    public String type;
    public String status;
  }

  /** What reads and writes. */
  enum Reader {
    CACHED,
    UNCACHED,
    TRANSFORMED_CACHE,
    CACHE_OF_METADATA,
    FULL_CACHE,
    FAKE
  }

  /** A way to write a typed object as a whole. */
  enum Way {
    UPDATE(true, false) {
      @Override
      void write(Client client, Shop read, Consumer<Shop> change) {
        change.accept(read);
        client.update(read);
      }
    },
    UPDATE_STATUS(false, true) {
      @Override
      void write(Client client, Shop read, Consumer<Shop> change) {
        change.accept(read);
        client.updateStatus(read);
      }
    },
    CREATE_OR_UPDATE(true, true) {
      @Override
      void write(Client client, Shop read, Consumer<Shop> change) {
        CreateOrUpdate.createOrUpdate(client, read, change);
      }
    },
    RETRY(true, false) {
      @Override
      void write(Client client, Shop read, Consumer<Shop> change) {
        Conflicts.retry(client, Shop.class, ObjectKey.of(read), change);
      }
    };

    private final boolean content;
    private final boolean status;

    Way(boolean content, boolean status) {
      this.content = content;
      this.status = status;
    }

    abstract void write(Client client, Shop read, Consumer<Shop> change);
  }

  private final String namespace = "older-" + UUID.randomUUID().toString().substring(0, 8);
  private final ObjectKey key = ObjectKey.of(namespace, "a");

  private final List<AutoCloseable> opened = new ArrayList<>();

  abstract TestApiServer server();

  /** Returns a client of a {@link Reader}, which already has the object of the newer release. */
  private Client client(Reader reader) {
    Client client = reader == Reader.FAKE ? fake() : managed(reader);
    GenericKubernetesResource newer =
        Serialization.unmarshal(NEWER, GenericKubernetesResource.class);
    newer.getMetadata().setNamespace(namespace);
    newer.getMetadata().setName(key.name());
    Object status = newer.getAdditionalProperties().get("status");
    GenericKubernetesResource created = client.create(newer);
    created.setAdditionalProperty("status", status);
    client.updateStatus(created);
    return client;
  }

  private Client fake() {
    EmbeddedApiServer own = EmbeddedApiServer.builder().withoutThreads().start();
    own.install(Samples.crd("older.windlass.dev", "Shop"));
    return FakeClient.of(own, Samples.namespace(namespace));
  }

  private Client managed(Reader reader) {
    server().install(Samples.crd("older.windlass.dev", "Shop"));
    var kubectl = server().newClient();
    opened.add(kubectl);
    kubectl.resource(Samples.namespace(namespace)).create();
    Manager manager =
        Manager.builder().config(server().clientConfig()).checkPermissions(false).build();
    opened.add(0, manager);
    InformerSpec<Shop> spec = InformerSpec.of(Shop.class);
    switch (reader) {
      case CACHED -> manager.informers().informer(spec);
      case TRANSFORMED_CACHE -> manager.informers().informer(spec.with(SMALLER));
      case CACHE_OF_METADATA -> manager.informers().informer(spec.with(Projection.METADATA));
      case FULL_CACHE -> manager.informers().informer(spec.with(Projection.FULL));
      default -> {}
    }
    manager.start();
    eventually()
        .until(() -> manager.informers().informers().stream().allMatch(cache -> cache.hasSynced()));
    return manager.client();
  }

  @AfterEach
  void closes() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  static Stream<Arguments> waysOfEachReader() {
    return Stream.of(Reader.values())
        .flatMap(reader -> Stream.of(Way.values()).map(way -> Arguments.of(reader, way)));
  }

  private static GenericKubernetesResource stored(Client client, ObjectKey key) {
    return client.uncached().get(SHOPS, key).orElseThrow();
  }

  private static void change(Shop shop) {
    shop.getMetadata().setLabels(Map.of("c", "d"));
    shop.getSpec().size = 2;
    shop.getSpec().doors.get(0).colour = "blue";
    shop.getSpec().doors.remove(1);
    shop.getSpec().rules.remove(1);
    shop.getStatus().ready = 2;
    shop.getStatus().conditions.get(0).status = "False";
  }

  private static void assertWritten(Way way, GenericKubernetesResource now) {
    assertThat(now.getMetadata().getLabels())
        .isEqualTo(way.content ? Map.of("c", "d") : Map.of("a", "b"));
    assertThat(now.<Map<?, ?>>get("spec"))
        .isEqualTo(
            json(
                way.content
                    ? """
                    {"size": 2, "newField": {"a": [1]},
                     "doors": [{"name": "front", "colour": "blue", "lock": "new"}],
                     "rules": [{"path": "/a", "weight": 5}]}
                    """
                    : """
                    {"size": 1, "newField": {"a": [1]},
                     "doors": [{"name": "front", "colour": "red", "lock": "new"}, {"name": "back"}],
                     "rules": [{"path": "/a", "weight": 5}, {"path": "/b"}]}
                    """));
    assertThat(now.<Map<?, ?>>get("status"))
        .isEqualTo(
            json(
                """
                {"ready": %d, "endpointId": "e-1",
                 "conditions": [{"type": "Ready", "status": "%s", "since": "new"}]}
                """
                    .formatted(way.status ? 2 : 1, way.status ? "False" : "True")));
  }

  private static Map<?, ?> json(String text) {
    return Serialization.unmarshal(text, Map.class);
  }

  @ParameterizedTest
  @MethodSource("waysOfEachReader")
  void areKept(Reader reader, Way way) {
    Client client = client(reader);
    Shop read = client.uncached().get(Shop.class, key).orElseThrow();
    way.write(client, read, UnknownFieldsContract::change);
    assertWritten(way, stored(client, key));
  }

  @ParameterizedTest
  @MethodSource("waysOfEachReader")
  void areKeptWithoutAResourceVersion(Reader reader, Way way) {
    Client client = client(reader);
    Shop read = client.uncached().get(Shop.class, key).orElseThrow();
    way.write(
        client,
        read,
        shop -> {
          change(shop);
          shop.getMetadata().setResourceVersion(null);
        });
    assertWritten(way, stored(client, key));
  }

  @ParameterizedTest
  @MethodSource("waysOfEachReader")
  void areNotMixedWithThoseOfAnotherVersion(Reader reader, Way way) {
    Client client = client(reader);
    Shop read = client.uncached().get(Shop.class, key).orElseThrow();
    Consumer<Shop> late =
        shop -> {
          change(shop);
          GenericKubernetesResource other = stored(client, key);
          if (other.getMetadata().getAnnotations().isEmpty()) {
            other.getMetadata().setAnnotations(Map.of("an", "edit"));
            client.uncached().update(other);
          }
        };
    if (way == Way.RETRY) {
      way.write(client, read, late);
      assertWritten(way, stored(client, key));
      return;
    }
    assertThatThrownBy(() -> way.write(client, read, late)).isInstanceOf(ConflictException.class);
    assertThat(stored(client, key).<Map<?, ?>>get("spec").get("size")).isEqualTo(1);
    assertThat(stored(client, key).<Map<?, ?>>get("status").get("ready")).isEqualTo(1);
  }

  /**
   * The program alone writes the status, so a value that equals the default of its class is one of
   * its values, too. The specification has another author.
   */
  @ParameterizedTest
  @EnumSource
  void areKeptBesideTheDefaultsOfTheStatus(Reader reader) {
    Client client = client(reader);
    GenericKubernetesResource newer = stored(client, key);
    newer.setAdditionalProperty("status", json("{\"endpointId\": \"e-1\"}"));
    client.uncached().updateStatus(newer);
    Shop read = client.uncached().get(Shop.class, key).orElseThrow();
    assertThat(client.updateStatus(read).getMetadata().getResourceVersion())
        .isNotEqualTo(read.getMetadata().getResourceVersion());
    GenericKubernetesResource now = stored(client, key);
    assertThat(now.<Map<?, ?>>get("status"))
        .isEqualTo(json("{\"endpointId\": \"e-1\", \"ready\": 0, \"conditions\": []}"));
    assertThat(now.<Map<?, ?>>get("spec").get("mode")).isNull();
    Shop again = client.uncached().get(Shop.class, key).orElseThrow();
    assertThat(client.updateStatus(again).getMetadata().getResourceVersion())
        .isEqualTo(now.getMetadata().getResourceVersion());
  }

  /** A rule has nothing that identifies it, so the changed one may be a new one. */
  @ParameterizedTest
  @EnumSource
  void refuseAWriteThatCouldLoseThem(Reader reader) {
    Client client = client(reader);
    Shop read = client.uncached().get(Shop.class, key).orElseThrow();
    String version = read.getMetadata().getResourceVersion();
    read.getSpec().rules.get(0).path = "/c";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.update(read))
        .withMessageContaining("Shop " + key)
        .withMessageContaining("spec.rules[0].weight")
        .withMessageContaining("createOrPatch");
    assertThat(stored(client, key).getMetadata().getResourceVersion()).isEqualTo(version);
  }

  /** An object that a user made by hand, with the metadata that he knows. */
  @ParameterizedTest
  @EnumSource
  void areKeptByAnObjectMadeByHand(Reader reader) {
    Client client = client(reader);
    Shop hand = new Shop();
    hand.setMetadata(
        new ObjectMetaBuilder().withNamespace(key.namespace()).withName(key.name()).build());
    hand.setSpec(new Spec());
    hand.getSpec().size = 7;
    client.update(hand);
    assertThat(stored(client, key).<Map<?, ?>>get("spec"))
        .isEqualTo(json("{\"size\": 7, \"newField\": {\"a\": [1]}}"));
    assertThat(stored(client, key).getMetadata().getLabels()).isNullOrEmpty();
  }
}
