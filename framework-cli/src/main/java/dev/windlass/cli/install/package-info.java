// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: writes the files that install an operator's program in a cluster, as a Helm chart or as
 * a kustomize folder. An {@link Installation} states what the program needs; {@link HelmChart}
 * combines it with the templates in this package's resources, and {@link KustomizeFolder} is that
 * chart, rendered with its default values.
 *
 * <p>Start with {@link Installation}. Nothing here needs a cluster.
 */
@NullMarked
package dev.windlass.cli.install;

import org.jspecify.annotations.NullMarked;
