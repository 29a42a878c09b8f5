// SPDX-License-Identifier: Apache-2.0
/**
 * The Tenant operator. For each Tenant, it creates Namespaces with a ClusterRole and a RoleBinding
 * for the Tenant's administrator. It reports in the Tenant's status whether all of them exist.
 *
 * <p>Start with {@code TenantController}, which registers the watches, and then read {@code
 * TenantReconciler}, which creates and deletes the objects.
 */
@NullMarked
package dev.windlass.examples.tenant;

import org.jspecify.annotations.NullMarked;
