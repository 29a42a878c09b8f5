// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import dev.windlass.testing.junit.RealKubernetes;

@RealKubernetes
final class FaultProxyOnRealIT extends FaultProxyContract {}
