// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.testing.junit.RealKubernetes;

@RealKubernetes(controllerManager = true)
final class TenantWebhooksOnRealIT extends TenantWebhooksContract {}
