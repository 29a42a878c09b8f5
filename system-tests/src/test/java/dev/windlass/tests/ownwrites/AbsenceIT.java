// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import dev.windlass.testing.junit.RealKubernetes;

@RealKubernetes
final class AbsenceIT extends AbsenceContract {}
