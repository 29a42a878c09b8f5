// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

@EmbeddedKubernetes
final class EmbeddedKubernetesTest extends KubernetesContract {}
