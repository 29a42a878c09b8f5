// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.windlass.client.Client;
import dev.windlass.client.Conflicts;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A program whose classes only its own Jackson module can read and write, as those of Kotlin, gives
 * it to its fabric8 client. Each way to read and write uses it.
 */
@SuppressWarnings("serial") // the classes are not serialised by Java
final class OwnSerializationTest {

  private static final ObjectKey KEY = ObjectKey.of("default", "one");

  /** Written as one text, such as "EUR 5". Without the module, Jackson would write two fields. */
  record Money(String currency, int amount) {}

  /** What is charged, without setters or annotations. */
  static final class Charge {
    public Money price = new Money("EUR", 0);
  }

  /** A custom resource. */
  @Group("money.windlass.dev")
  @Version("v1")
  static final class Invoice extends CustomResource<Charge, Charge> implements Namespaced {}

  private static final class Reader extends StdDeserializer<Money> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(Money.class);
    }

    @Override
    public Money deserialize(JsonParser json, DeserializationContext context) throws IOException {
      String[] words = json.getText().split(" ");
      return new Money(words[0], Integer.parseInt(words[1]));
    }
  }

  private static final class Writer extends StdSerializer<Money> {
    private static final long serialVersionUID = 1L;

    Writer() {
      super(Money.class);
    }

    @Override
    public void serialize(Money money, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(money.currency() + " " + money.amount());
    }
  }

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient kubernetes = client(server);
  private final Manager manager = Manager.builder().client(kubernetes).fieldOwner("me").build();
  private final List<Integer> seen = new CopyOnWriteArrayList<>();

  private static KubernetesClient client(EmbeddedApiServer server) {
    SimpleModule money = new SimpleModule();
    money.addDeserializer(Money.class, new Reader());
    money.addSerializer(Money.class, new Writer());
    return client(server.clientConfig(), money);
  }

  // sample: client
  static KubernetesClient client(Config config, Module module) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(
            new KubernetesSerialization(new ObjectMapper().registerModule(module), true))
        .build();
  }

  // end

  private static Invoice invoice(int amount) {
    Invoice invoice = new Invoice();
    invoice.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("one").build());
    invoice.setSpec(new Charge());
    invoice.getSpec().price = new Money("EUR", amount);
    return invoice;
  }

  @BeforeEach
  void starts() {
    server.install(Samples.crd("money.windlass.dev", "Invoice"));
    manager.client().create(invoice(1));
    ControllerBuilder.forType(Invoice.class)
        .objectReconciler(
            (invoice, context) -> {
              seen.add(invoice.getSpec().price.amount());
              return Result.done();
            })
        .register(manager);
    manager.start();
    eventually().untilAsserted(() -> assertThat(seen).containsExactly(1));
  }

  @AfterEach
  void stops() {
    assertThat(manager.stop()).isTrue();
  }

  /** What the server has stored. */
  private Object stored(String part) {
    GenericKubernetesResource object =
        kubernetes
            .genericKubernetesResources("money.windlass.dev/v1", "Invoice")
            .inNamespace("default")
            .withName("one")
            .get();
    return ((Map<?, ?>) object.getAdditionalProperties().get(part)).get("price");
  }

  @Test
  void readsInEachWay() {
    for (Client client : List.of(manager.client(), manager.client().uncached())) {
      assertThat(client.get(Invoice.class, KEY).orElseThrow().getSpec().price.amount())
          .isEqualTo(1);
      assertThat(client.list(Invoice.class, "default"))
          .singleElement()
          .returns(1, invoice -> invoice.getSpec().price.amount());
      assertThat(client.listReadable(Invoice.class, ListParams.in("default")).unreadable())
          .isEmpty();
      assertThat(client.reading(Projection.FULL).list(Invoice.class, "default")).hasSize(1);
    }
  }

  @Test
  void writesInEachWay() {
    int amount = 1;
    for (Client client : List.of(manager.client(), manager.client().uncached())) {
      Invoice invoice = client.get(Invoice.class, KEY).orElseThrow();
      invoice.getSpec().price = new Money("EUR", ++amount);
      invoice = client.update(invoice);
      assertThat(stored("spec")).isEqualTo("EUR " + amount);
      Invoice before = client.get(Invoice.class, KEY).orElseThrow();
      invoice.getSpec().price = new Money("EUR", ++amount);
      client.patch(invoice, ObjectPatch.mergeFrom(before));
      assertThat(stored("spec")).isEqualTo("EUR " + amount);
      int third = ++amount;
      CreateOrUpdate.createOrPatch(
          client, invoice(0), it -> it.getSpec().price = new Money("EUR", third));
      assertThat(stored("spec")).isEqualTo("EUR " + amount);
      int fourth = ++amount;
      CreateOrUpdate.createOrUpdate(
          client, invoice(0), it -> it.getSpec().price = new Money("EUR", fourth));
      assertThat(stored("spec")).isEqualTo("EUR " + amount);
      int fifth = ++amount;
      Conflicts.retry(
          client, Invoice.class, KEY, it -> it.getSpec().price = new Money("EUR", fifth));
      assertThat(stored("spec")).isEqualTo("EUR " + amount);
      Invoice current = client.get(Invoice.class, KEY).orElseThrow();
      current.setStatus(new Charge());
      current.getStatus().price = new Money("USD", ++amount);
      client.updateStatus(current);
      assertThat(stored("status")).isEqualTo("USD " + amount);
      client.apply(invoice(++amount));
      assertThat(stored("spec")).isEqualTo("EUR " + amount);
    }
    int last = amount;
    eventually().untilAsserted(() -> assertThat(seen).endsWith(last));
  }

  @Test
  void copiesAndComparesInEachWay() {
    Client client = manager.client();
    Invoice owner = client.get(Invoice.class, KEY).orElseThrow();
    Invoice child = invoice(5);
    child.getMetadata().setName("child");
    Owned.apply(client, owner, child);
    assertThat(Owned.apply(client, owner, child).result()).isEqualTo(Operation.Result.NONE);
    long skipped = server.requests().size();
    client.update(client.get(Invoice.class, KEY).orElseThrow());
    CreateOrUpdate.createOrPatch(client, invoice(0), it -> {});
    assertThat(server.requests()).as("what changes nothing is not sent").hasSize((int) skipped);
  }
}
