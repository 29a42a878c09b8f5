// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.manager.Manager;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.DurationText;
import java.time.Duration;

/** A builder for a {@link StorageMigration}. A builder is not thread-safe. */
public final class StorageMigrationBuilder {

  /** The default maximum number of objects that the migration rewrites per second: 20. */
  private static final int OBJECTS_PER_SECOND = 20;

  private static final int MAX_OBJECTS_PER_SECOND = 1_000;

  final ResourceType type;
  int objectsPerSecond = OBJECTS_PER_SECOND;
  Duration checkPeriod = Duration.ofMinutes(10);
  Duration settleTime = Duration.ofSeconds(10);

  StorageMigrationBuilder(ResourceType type) {
    this.type = type;
  }

  /**
   * Sets the maximum number of objects that the migration rewrites per second. The default is 20.
   * The actual rate is lower if the API server responds slowly or limits the request rate.
   *
   * @throws IllegalArgumentException unless the number is between 1 and 1,000
   */
  public StorageMigrationBuilder objectsPerSecond(int number) {
    if (number < 1 || number > MAX_OBJECTS_PER_SECOND) {
      throw new IllegalArgumentException(
          "a storage migration can rewrite 1 to 1,000 objects per second, not " + number);
    }
    objectsPerSecond = number;
    return this;
  }

  /**
   * Sets the interval at which the migration checks whether the CRD lists old stored versions. The
   * default is 10 min.
   *
   * @throws IllegalArgumentException if the period is less than 1 s
   */
  public StorageMigrationBuilder checkPeriod(Duration period) {
    if (period.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "the check period must be at least 1 s, not " + DurationText.of(period));
    }
    checkPeriod = period;
    return this;
  }

  /**
   * Sets how long the migration waits after it has detected an old stored version. The default is
   * 10 s. An API server that has not yet received a change of the storage version still stores
   * objects in the old version. The time must be sufficient for all API servers to receive the
   * change.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public StorageMigrationBuilder settleTime(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("the settle time can't be " + DurationText.of(time));
    }
    settleTime = time;
    return this;
  }

  /**
   * Adds the migration to a manager. The migration runs while this replica is the leader.
   *
   * @throws IllegalStateException if the manager already has a migration of this type
   */
  public StorageMigration register(Manager manager) {
    StorageMigration migration = new StorageMigration(this, manager);
    manager.add(migration.toString(), migration);
    return migration;
  }
}
