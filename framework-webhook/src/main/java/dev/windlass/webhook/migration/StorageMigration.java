// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.diagnosis.DiagnosisSource;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Manager;
import dev.windlass.metrics.Meters;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Declaration.Need;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.PermissionSource;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.Loop;
import dev.windlass.webhook.migration.MigrationStep.Outcome;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites all objects of a custom resource in the storage version, so that older versions can be
 * removed from the CustomResourceDefinition (CRD).
 *
 * <pre>{@code
 * StorageMigration.of(ToolV2.class).register(manager);
 * }</pre>
 *
 * <p>After the storage version has changed, existing objects remain stored in the old version until
 * a client writes them. The API server keeps the old version in {@code status.storedVersions} of
 * the CRD. It rejects the removal of a version that is listed there. The migration reads the CRD
 * when this replica becomes the leader, and every 10 minutes by default. If {@code
 * status.storedVersions} contains an old version, the migration sends a patch without changes for
 * each object. The API server then stores the object in the storage version. Finally, the migration
 * removes the old versions from {@code status.storedVersions}. If there is no old version, the
 * migration sends no further requests.
 *
 * <p><b>Safety.</b> Each patch contains the listed resource version of the object, so the migration
 * never overwrites concurrent changes. If another client has changed the object in the meantime,
 * the API server has already stored it in the storage version. The migration can be interrupted at
 * any time, and then starts again from the beginning. It also starts again if the storage version
 * changes. The API server skips the write if an object is already stored in the storage version.
 * The migration changes {@code status.storedVersions} only after a pass without failed objects. An
 * object counts as failed if the API server rejects its patch, for example because the object
 * violates a new validation rule. The migration logs and counts failed objects, and starts again
 * after 10 minutes.
 *
 * <p><b>Load.</b> The migration sends one request at a time, and by default at most 20 patches per
 * second. The pause after each patch is at least as long as the request took, but at most 10 s. The
 * migration lists only the objects' metadata. The API server runs admission control for each patch,
 * as for any update.
 *
 * <p>This class is thread-safe.
 */
public final class StorageMigration implements ManagedComponent, PermissionSource, DiagnosisSource {

  private static final ResourceType DEFINITIONS = ResourceType.of(CustomResourceDefinition.class);

  private final ResourceType type;
  private final StorageMigrationBuilder settings;
  private final MigrationRequests requests;
  private final InformerOptions options;
  private final MeterRegistry registry;

  /** What runs while this replica is the leader. */
  private record Term(MigrationStep step, Loop loop, Meters meters) {}

  /** The current term; null while this replica is not the leader. */
  private volatile @Nullable Term term;

  StorageMigration(StorageMigrationBuilder settings, Manager manager) {
    this.type = settings.type;
    this.settings = settings;
    this.options = manager.informerOptions();
    this.requests =
        new ClientMigrationRequests(manager.client().uncached(), manager.kubernetesClient(), type);
    this.registry = manager.meterRegistry();
  }

  /**
   * Returns a builder for a migration of all objects of a type, regardless of the version in which
   * they are stored.
   *
   * @param type a class that represents any version of the type
   */
  public static StorageMigrationBuilder of(Class<? extends HasMetadata> type) {
    return of(ResourceType.of(type));
  }

  /**
   * Returns a builder for a migration of all objects of a type, regardless of the version in which
   * they are stored.
   *
   * @param type any version of the type
   */
  public static StorageMigrationBuilder of(ResourceType type) {
    return new StorageMigrationBuilder(type);
  }

  private Meters measure(MigrationStep step) {
    Meters measured = new Meters(registry);
    for (Outcome outcome : Outcome.values()) {
      measured.count(
          "windlass_storage_migration_objects_total",
          "Objects that a storage migration has processed",
          () -> step.total(outcome),
          "resource",
          type.resource(),
          "result",
          outcome.name().toLowerCase(Locale.ROOT));
    }
    measured.gauge(
        "windlass_storage_migration_pending",
        "1 if objects may be stored in an old version",
        () -> step.isPending() ? 1 : 0,
        "resource",
        type.resource());
    return measured;
  }

  /** Returns whether a migration has started on this replica and has not yet completed. */
  public boolean isPending() {
    Term current = term;
    return current != null && current.step.isPending();
  }

  @Override
  public void start() {
    MigrationStep step =
        new MigrationStep(type.resource(), requests, settings, options.scheduler());
    Loop loop = new Loop(name(), step, options.scheduler(), options.threads());
    term = new Term(step, loop, measure(step));
    loop.start();
  }

  @Override
  public void cancel(Duration limit) {
    Term current = term;
    if (current != null) {
      current.loop.interrupt();
    }
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    Term current = term;
    if (current == null) {
      return true;
    }
    current.loop.interrupt();
    boolean inTime = current.loop.join(limit);
    term = null;
    current.meters.close();
    return inTime;
  }

  /**
   * Returns the permissions that the migration requires: {@code get} on the CRD, {@code patch} on
   * its status, and {@code list} and {@code patch} on the objects in all namespaces.
   */
  @Override
  public Permissions permissions() {
    Permission definition = Permission.of(DEFINITIONS, "", Verb.GET).named(type.resource());
    Permission status =
        Permission.of(DEFINITIONS, "", Verb.PATCH).named(type.resource()).subresource("status");
    return Permissions.of(
        List.of(
            new Declaration(
                "StorageMigration.of(" + type.kind() + ")",
                Set.of(
                    definition,
                    status,
                    Permission.of(type, "", Verb.LIST),
                    Permission.of(type, "", Verb.PATCH)),
                Need.NONE)));
  }

  private String name() {
    return "storage-migration-" + type.resource();
  }

  /** Returns the state of the migration, in the same format as the state of a controller. */
  @Override
  public ControllerDiagnosis diagnosis() {
    Term current = term;
    return new ControllerDiagnosis(
        name(),
        current != null && current.loop.isRunning(),
        true,
        current == null ? Optional.empty() : current.step.problem(),
        1,
        Map.of(),
        0,
        Duration.ZERO,
        List.of(),
        List.of());
  }

  @Override
  public List<String> watched() {
    return List.of();
  }

  @Override
  public String toString() {
    return "the storage migration of " + type.resource();
  }
}
