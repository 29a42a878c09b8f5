// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.testing.junit.EmbeddedKubernetes;

@EmbeddedKubernetes
final class TenantWebhooksOnEmbeddedTest extends TenantWebhooksContract {}
