// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: certificates and keys in PEM files that change while the program runs.
 *
 * <p>In: the files of a client configuration ({@link dev.windlass.tls.TlsFiles}) or of an HTTPS
 * endpoint ({@link dev.windlass.tls.ServerCertificate}). Out: key and trust managers for the JDK's
 * TLS. Invariants: new handshakes use the current content, a handshake never combines a key with
 * another certificate, and unusable files change nothing except that they cause a warning.
 */
@NullMarked
package dev.windlass.tls;

import org.jspecify.annotations.NullMarked;
