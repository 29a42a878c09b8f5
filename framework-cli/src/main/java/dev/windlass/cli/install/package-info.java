// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: generates the files that install an operator in a cluster, as a Helm chart or as one
 * {@code install.yaml}. An {@link Installation} describes what the operator needs. {@link
 * HelmChart} and {@link InstallYaml} generate the files from this description and the resources of
 * this package, which {@link ManifestSource} reads. {@link WrittenFolder} and {@link WrittenFile}
 * write the files, and never replace those of somebody else.
 *
 * <p>Start with {@link Installation}. These classes do not need a cluster.
 */
@NullMarked
package dev.windlass.cli.install;

import org.jspecify.annotations.NullMarked;
