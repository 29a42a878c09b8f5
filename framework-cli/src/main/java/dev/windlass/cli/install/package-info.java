// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: generates the files that install an operator's program in a cluster, as a Helm chart or
 * as a kustomize folder. An {@link Installation} states what the program needs; {@link HelmChart}
 * combines the {@code Installation} with the templates in this package's resources, and {@link
 * KustomizeFolder} renders the resulting chart with its default values.
 *
 * <p>Start with {@link Installation}. These classes do not need a cluster.
 */
@NullMarked
package dev.windlass.cli.install;

import org.jspecify.annotations.NullMarked;
