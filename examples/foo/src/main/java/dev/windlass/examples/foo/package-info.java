// SPDX-License-Identifier: Apache-2.0
/**
 * The Foo operator: maintains a Deployment for each Foo with the requested number of replicas, and
 * reports the number of available replicas in the Foo's status. A port of Kubernetes'
 * sample-controller.
 */
@NullMarked
package dev.windlass.examples.foo;

import org.jspecify.annotations.NullMarked;
