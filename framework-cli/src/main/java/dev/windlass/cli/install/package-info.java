// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: generates the files that install an operator in a cluster, as a Helm chart or as a
 * kustomize folder. An {@link Installation} describes what the operator needs. {@link HelmChart}
 * generates a chart from this description and the templates in this package's resources. {@link
 * KustomizeFolder} renders the chart with its default values. {@link WrittenFolder} writes the
 * files, and never replaces those of somebody else.
 *
 * <p>Start with {@link Installation}. These classes do not need a cluster.
 */
@NullMarked
package dev.windlass.cli.install;

import org.jspecify.annotations.NullMarked;
