// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

@RealKubernetes
final class RealKubernetesIT extends KubernetesContract {}
