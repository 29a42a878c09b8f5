// SPDX-License-Identifier: Apache-2.0

/**
 * Scheduling, back-off, rate limiters, and a work queue that removes duplicates and delays keys.
 */
module dev.windlass.workqueue {
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports dev.windlass.scheduling;
  exports dev.windlass.workqueue;
}
