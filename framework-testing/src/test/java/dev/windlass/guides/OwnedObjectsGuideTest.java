// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.WriteScope;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.OperationResult;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.leader.Fence;
import dev.windlass.testing.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/owned-objects.md}. */
@Timeout(60)
final class OwnedObjectsGuideTest {

  private final GuideServer server = new GuideServer();
  private final Client client = server.client;

  @AfterEach
  void stops() {
    server.close();
  }

  // sample: apply
  Operation<ConfigMap> apply(Widget widget, String part) {
    ConfigMap wanted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(widget.getMetadata().getNamespace())
            .withName(widget.getMetadata().getName() + "-" + part)
            .endMetadata()
            .addToData("size", Integer.toString(widget.getSpec().getSize()))
            .build();
    return Owned.apply(client, widget, wanted);
  }

  // end

  @Test
  void appliesAPart() {
    server.create("w");
    new WriteScope("widget", Fence.OPEN)
        .run(
            () -> {
              assertThat(apply(server.get("w"), "a").result()).isEqualTo(OperationResult.CREATED);
              assertThat(apply(server.get("w"), "a").object().getData()).containsKey("size");
            });
  }

  // sample: create-or-update
  Operation<ConfigMap> part(Widget widget, String part) {
    ConfigMap skeleton =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(widget.getMetadata().getNamespace())
            .withName(widget.getMetadata().getName() + "-" + part)
            .endMetadata()
            .build();
    return CreateOrUpdate.createOrUpdate(
        client,
        skeleton,
        map -> {
          map.setData(Map.of("size", Integer.toString(widget.getSpec().getSize())));
          OwnerReferences.setController(map, widget);
        });
  }

  // end

  // sample: prune
  void reconcileParts(Widget widget) {
    List<ConfigMap> wanted = new ArrayList<>();
    for (String part : widget.getSpec().getParts()) {
      wanted.add(part(widget, part).object());
    }
    Prune.prune(client, widget, ConfigMap.class, wanted);
  }

  // end

  @Test
  void makesThePartsThatAreWantedAndNoOthers() {
    server.create("w");
    Widget widget = server.get("w");
    widget.getSpec().setParts(List.of("a", "b"));
    reconcileParts(widget);
    assertThat(names()).containsExactlyInAnyOrder("w-a", "w-b");
    assertThat(part(widget, "a").result()).isEqualTo(OperationResult.NONE);
    widget.getSpec().setParts(List.of("b", "c"));
    reconcileParts(widget);
    assertThat(names()).containsExactlyInAnyOrder("w-b", "w-c");
  }

  private List<String> names() {
    return client.list(ConfigMap.class, "default").stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }
}
