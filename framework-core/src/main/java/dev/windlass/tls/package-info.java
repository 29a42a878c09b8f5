// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: certificates and keys in PEM files that can change while the program runs.
 *
 * <p>The package reads the files of a client configuration ({@link dev.windlass.tls.TlsFiles}) or
 * of an HTTPS endpoint ({@link dev.windlass.tls.ServerCertificate}), or receives a server's keys
 * from its caller ({@link dev.windlass.tls.ServerKeys}). It provides key and trust managers for the
 * JDK's TLS. New handshakes use the current content. A handshake never combines a key with a
 * different certificate. Unusable files cause a warning, and the previous content remains in use.
 */
@NullMarked
package dev.windlass.tls;

import org.jspecify.annotations.NullMarked;
