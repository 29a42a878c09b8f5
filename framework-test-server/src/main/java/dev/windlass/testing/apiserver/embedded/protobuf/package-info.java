// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: reads request bodies in the protobuf encoding of Kubernetes, which Go clients such as
 * kubectl prefer for built-in kinds.
 *
 * <p>{@link dev.windlass.testing.apiserver.embedded.protobuf.ProtobufBody} converts a body to the
 * JSON that the client would otherwise have sent. The fields of each message are in the resource
 * {@code fields.txt}, which {@code .ci/ProtobufFields.java} derives from the Go types of
 * Kubernetes. The threads of requests run this code.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.protobuf;

import org.jspecify.annotations.NullMarked;
