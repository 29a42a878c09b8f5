// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import dev.windlass.testing.junit.RealKubernetes;

@RealKubernetes
final class SitesOnRealIT extends SitesContract {}
