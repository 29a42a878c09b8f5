// SPDX-License-Identifier: Apache-2.0
/**
 * The Tenant operator: creates Namespaces for each Tenant, with a ClusterRole and a RoleBinding for
 * the Tenant's administrator in each, and reports in the Tenant's status whether they all exist.
 *
 * <p>Start with {@code TenantController}, which sets up the watches, then read {@code
 * TenantReconciler}, which does the work.
 */
@NullMarked
package dev.windlass.examples.tenant;

import org.jspecify.annotations.NullMarked;
