// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.NotControlledException;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Names that objects of others have. A reconciler that gives up is called again when one is free.
 */
abstract class BlockedNameContract {

  /** How a reconcile makes the object that it owns, and finds that another has its name. */
  enum Way {
    APPLY {
      @Override
      void make(Client client, Widget widget, ConfigMap child) {
        Owned.apply(client, widget, child);
      }
    },
    CREATE {
      @Override
      void make(Client client, Widget widget, ConfigMap child) {
        OwnerReferences.setController(child, widget);
        if (client.get(child).filter(c -> OwnerReferences.isControlledBy(c, widget)).isEmpty()) {
          client.create(child);
        }
      }
    },
    CREATE_OR_UPDATE {
      @Override
      void make(Client client, Widget widget, ConfigMap child) {
        CreateOrUpdate.createOrUpdate(client, child, c -> OwnerReferences.setController(c, widget));
      }
    },
    /** The reconciler reports what it found, and is content. */
    REPORT {
      @Override
      void make(Client client, Widget widget, ConfigMap child) {
        try {
          Owned.apply(client, widget, child);
        } catch (NotControlledException e) {
          assertThat(e.object().name()).isEqualTo("part");
        }
      }
    },
    CHECK {
      @Override
      void make(Client client, Widget widget, ConfigMap child) {
        client.get(child).ifPresent(c -> OwnerReferences.requireController(c, widget));
        Owned.apply(client, widget, child);
      }
    };

    abstract void make(Client client, Widget widget, ConfigMap child);
  }

  private OwnedFixture fixture;
  private final AtomicInteger reconciles = new AtomicInteger();

  private TestApiServer server;
  private Manager manager;

  @BeforeEach
  void starts() {
    fixture = new OwnedFixture(server);
    manager = Manager.builder().client(fixture.kubectl).namespace(fixture.namespace).build();
  }

  @AfterEach
  void closes() {
    manager.stop();
    fixture.close();
  }

  private Resource<ConfigMap> part() {
    return fixture.kubectl.resource(fixture.configMap("part"));
  }

  private boolean isOurs() {
    ConfigMap found = part().get();
    return found != null && OwnerReferences.isControlledBy(found, fixture.owner);
  }

  /** Starts a controller that does not retry, and waits until it has found the foreign object. */
  private void findsTheNameTaken(Way way) {
    part().create();
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(
            (widget, context) -> {
              try {
                way.make(context.client(), widget, fixture.configMap("part"));
              } catch (RuntimeException e) {
                throw new TerminalException("the name is taken", e);
              } finally {
                reconciles.incrementAndGet();
              }
              return Result.done();
            })
        .register(manager);
    manager.start();
    eventually().until(() -> reconciles.get() == 1);
    assertThat(isOurs()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void isUsedWhenItsObjectIsDeleted(Way way) {
    findsTheNameTaken(way);
    part().delete();
    eventually().until(this::isOurs);
  }

  /** The object is released, and belongs to nobody or to this owner. */
  @Test
  void isUsedWhenTheOwnersOfItsObjectChange() {
    findsTheNameTaken(Way.APPLY);
    fixture.edit(
        ConfigMap.class,
        "part",
        map -> {
          OwnerReferences.setController(map, fixture.owner);
          map.setData(Map.of("left", "behind"));
        });
    eventually().until(() -> reconciles.get() >= 2);
    assertThat(isOurs()).isTrue();
  }

  /** What says nothing about the name, as often as it may happen. */
  @Test
  void isNotTriedAgainForOtherChangesOfItsObject() {
    findsTheNameTaken(Way.REPORT);
    for (int i = 0; i < 10; i++) {
      String value = "" + i;
      fixture.edit(ConfigMap.class, "part", map -> map.setData(Map.of("value", value)));
    }
    fixture.edit(
        ConfigMap.class, "part", map -> map.getMetadata().setLabels(Map.of("free", "soon")));
    eventually().until(() -> reconciles.get() >= 2);
    assertThat(reconciles).hasValue(2);
  }
}
