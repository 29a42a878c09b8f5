// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: provides certificates and keys that can be replaced while the program runs.
 *
 * <p>The package reads PEM files. {@link dev.windlass.tls.TlsFiles} reads the files of a client
 * configuration. {@link dev.windlass.tls.ServerKeys} receives the certificate and key of a server
 * from its caller. The package provides key managers and trust managers for the JDK's TLS. New
 * handshakes use the current content. A handshake never combines a key with a different
 * certificate. If files are unusable, the package logs a warning, and the previous content remains
 * in use.
 */
@NullMarked
package dev.windlass.tls;

import org.jspecify.annotations.NullMarked;
