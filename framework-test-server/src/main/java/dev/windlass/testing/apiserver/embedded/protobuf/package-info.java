// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: reads request bodies in Kubernetes's protobuf encoding, which Go clients such as
 * kubectl prefer for built-in kinds.
 *
 * <p>{@link dev.windlass.testing.apiserver.embedded.protobuf.ProtobufBody} converts a body to the
 * equivalent JSON. The resource {@code fields.txt} lists the fields of each message, from
 * Kubernetes's Go types. Request threads run this code.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.protobuf;

import org.jspecify.annotations.NullMarked;
