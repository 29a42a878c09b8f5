// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import dev.windlass.testing.junit.EmbeddedKubernetes;

@EmbeddedKubernetes
final class AbsenceOnEmbeddedTest extends AbsenceContract {}
