// SPDX-License-Identifier: Apache-2.0
/**
 * The Tenant operator: makes Namespaces for each Tenant, with a ClusterRole and a RoleBinding in
 * each for the Tenant's administrator, and reports in the Tenant's status whether all is there.
 *
 * <p>Read {@code TenantController} first, which says what is watched, then {@code
 * TenantReconciler}, which says what is done.
 */
@NullMarked
package dev.windlass.examples.tenant;

import org.jspecify.annotations.NullMarked;
