// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.diagnosis.DiagnosisSource;
import dev.windlass.health.HealthSource;
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
import dev.windlass.webhook.migration.MigrationProgress.Outcome;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites all objects of a custom resource in its storage version, so that older versions can be
 * removed from the CustomResourceDefinition.
 *
 * <pre>{@code
 * StorageMigration.of(ToolV2.class).register(manager);
 * }</pre>
 *
 * <p>After a definition's storage version has changed, existing objects remain stored in the old
 * version until a client writes them. The API server lists the old version in {@code
 * status.storedVersions}, and rejects the removal of the old version from the definition while this
 * version is listed. The migration reads the definition when this replica becomes the leader, and
 * every 10 minutes. If it finds an old version, it sends one patch without changes for each object,
 * so that the API server stores the object in the storage version, and finally removes the old
 * versions from {@code status.storedVersions}. If there is no old version, it sends no further
 * requests.
 *
 * <p><b>Safety.</b> Each patch requires the object to be in the listed state, so the migration
 * never overwrites concurrent changes. If another client has changed an object since it was listed,
 * that change has already stored the object in the storage version. The migration can be
 * interrupted at any time, and then starts again. The API server does not rewrite objects that are
 * already stored in the storage version. The migration changes {@code storedVersions} only after a
 * pass in which every object was rewritten. If the API server rejects an object, for example
 * because it violates a newer rule, the migration logs and counts the object, and tries again after
 * 10 minutes. If the storage version changes during a migration, the migration starts again.
 *
 * <p><b>Load.</b> The migration sends one request at a time, followed by a pause that is at least
 * as long as the request (but at most 10 s), and by default at most 20 requests per second. It
 * lists only the objects' metadata. The API server runs admission for each patch, as for any
 * update.
 *
 * <p>This class is thread-safe.
 */
public final class StorageMigration
    implements ManagedComponent, PermissionSource, HealthSource, DiagnosisSource {

  private final ResourceType type;
  private final StorageMigrationBuilder settings;
  private final MigrationRequests requests;
  private final MigrationProgress progress;
  private final InformerOptions options;
  private final MeterRegistry registry;

  /**
   * The loop of this replica's current term as the leader; null if the replica is not the leader.
   */
  private volatile @Nullable Loop loop;

  /** The meters of the current term. Only methods that the manager calls use them. */
  private @Nullable Meters meters;

  StorageMigration(StorageMigrationBuilder settings, Manager manager) {
    this.type = settings.type;
    this.settings = settings;
    this.options = manager.informerOptions();
    this.requests = new HttpMigrationRequests(manager.kubernetesClient(), type);
    this.progress = new MigrationProgress(options.scheduler());
    this.registry = manager.meterRegistry();
  }

  /**
   * Returns a builder for a migration of the objects that a class represents, in whatever version
   * they are stored.
   */
  public static StorageMigrationBuilder of(Class<? extends HasMetadata> type) {
    return of(ResourceType.of(type));
  }

  /**
   * Returns a builder for a migration of the objects of a type, in whatever version they are
   * stored.
   */
  public static StorageMigrationBuilder of(ResourceType type) {
    return new StorageMigrationBuilder(type);
  }

  private Meters measure() {
    Meters measured = new Meters(registry);
    for (Outcome outcome : Outcome.values()) {
      measured.count(
          "windlass_storage_migration_objects_total",
          "Objects that a storage migration has processed",
          () -> progress.total(outcome),
          "resource",
          type.resource(),
          "result",
          outcome.name().toLowerCase(Locale.ROOT));
    }
    measured.gauge(
        "windlass_storage_migration_pending",
        "1 if objects may be stored in an old version",
        () -> progress.isActive() ? 1 : 0,
        "resource",
        type.resource());
    return measured;
  }

  /** Returns whether objects may be stored in an old version, as far as this replica knows. */
  public boolean isPending() {
    return progress.isActive();
  }

  @Override
  public void start() {
    MigrationStep step =
        new MigrationStep(
            type.resource(),
            requests,
            new MigrationPace(settings.objectsPerSecond),
            progress,
            options.scheduler(),
            settings.checkPeriod,
            settings.settleTime);
    Loop started = new Loop(checkName(), step, options.scheduler(), options.threads());
    loop = started;
    meters = measure();
    started.start();
  }

  @Override
  public void cancel(Duration limit) {
    Loop running = loop;
    if (running != null) {
      running.interrupt();
    }
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    Loop running = loop;
    if (running == null) {
      return true;
    }
    running.interrupt();
    boolean inTime = running.join(limit);
    loop = null;
    Meters measured = meters;
    if (measured != null) {
      measured.close();
    }
    return inTime;
  }

  /**
   * Returns the minimum permissions: to read the definition and patch its status, and to list and
   * patch the objects in all namespaces.
   */
  @Override
  public Permissions rights() {
    Permission definition =
        Permission.of(HttpMigrationRequests.DEFINITIONS, "", Verb.GET).named(type.resource());
    Permission status =
        Permission.of(HttpMigrationRequests.DEFINITIONS, "", Verb.PATCH)
            .named(type.resource())
            .subresource("status");
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

  @Override
  public String checkName() {
    return "storage-migration-" + type.resource();
  }

  /** Returns empty, because a restart cannot solve a migration problem. */
  @Override
  public Optional<String> liveness(Duration wedgedAfter) {
    return Optional.empty();
  }

  /**
   * Returns empty, because the replica can do all other work while a migration has a problem. The
   * diagnosis and the log report the problem.
   */
  @Override
  public Optional<String> readiness() {
    return Optional.empty();
  }

  /** Returns the migration's state in the same form as a controller's state. */
  @Override
  public ControllerDiagnosis diagnosis() {
    Loop running = loop;
    return new ControllerDiagnosis(
        checkName(),
        running != null && running.isRunning(),
        true,
        progress.problem(),
        1,
        Map.of(),
        0,
        Duration.ZERO,
        List.of(),
        progress.failing());
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
