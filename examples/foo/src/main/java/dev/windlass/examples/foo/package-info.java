// SPDX-License-Identifier: Apache-2.0
/**
 * The Foo operator, a port of Kubernetes' sample-controller. It maintains a Deployment with the
 * requested number of replicas for each Foo, and reports the number of available replicas in the
 * Foo's status.
 */
@NullMarked
package dev.windlass.examples.foo;

import org.jspecify.annotations.NullMarked;
