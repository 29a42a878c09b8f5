// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import dev.windlass.testing.junit.EmbeddedKubernetes;

@EmbeddedKubernetes
final class CrdInstallationOnEmbeddedTest extends CrdInstallationContract {}
