// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The temporary directory of one server, readable by this user only: etcd's data, keys, logs.
 *
 * @param root the directory; {@link #delete()} deletes it
 */
record ServerFiles(Path root) {

  /** One event per request; a watch gets its event when it starts, or when it is refused. */
  private static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: ["RequestReceived"]
      rules:
      - level: None
        nonResourceURLs: ["/*"]
      - level: Metadata
      """;

  static ServerFiles create() {
    try {
      return new ServerFiles(Files.createTempDirectory("windlass-apiserver-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a directory for the server's data", e);
    }
  }

  Path etcdData() {
    return root.resolve("etcd");
  }

  Path certDirectory() {
    return root.resolve("certificates");
  }

  Path authority() {
    return root.resolve("ca.crt");
  }

  Path serverCertificate() {
    return root.resolve("server.crt");
  }

  Path serverKey() {
    return root.resolve("server.key");
  }

  Path serviceAccountKey() {
    return root.resolve("service-account.key");
  }

  Path serviceAccountPublicKey() {
    return root.resolve("service-account.pub");
  }

  Path controllerManagerKubeconfig() {
    return root.resolve("controller-manager.kubeconfig");
  }

  Path auditPolicy() {
    return root.resolve("audit-policy.yaml");
  }

  Path auditLog() {
    return root.resolve("audit.log");
  }

  Path log(String program) {
    return root.resolve(program + ".log");
  }

  /** Writes what the programs read at start. */
  void write(CertificateAuthority authority, Access controllerManager) {
    Credentials server = authority.server("kube-apiserver");
    KeyPair serviceAccount = CertificateAuthority.newKeys();
    try {
      Files.writeString(authority(), authority.self().certificatePem());
      Files.writeString(serverCertificate(), server.certificatePem());
      Files.writeString(serverKey(), server.keyPem());
      Files.writeString(
          serviceAccountKey(), Credentials.keyPem((ECPrivateKey) serviceAccount.getPrivate()));
      Files.writeString(serviceAccountPublicKey(), Credentials.pem(serviceAccount.getPublic()));
      Files.writeString(controllerManagerKubeconfig(), controllerManager.kubeconfig());
      Files.writeString(auditPolicy(), AUDIT_POLICY);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the server's keys to " + root, e);
    }
  }

  /** Deletes the directory and all in it; what is gone already is no error. */
  void delete() {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      // deleted by someone else: that is what we wanted
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the server's data in " + root, e);
    }
  }
}
