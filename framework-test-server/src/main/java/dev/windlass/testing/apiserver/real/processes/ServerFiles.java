// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.Credentials;
import dev.windlass.testing.apiserver.real.access.UserAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The temporary directory of one server. It contains the server's keys, its logs and the data of
 * etcd, and only the current user can read it.
 *
 * @param root the directory, which {@link #delete()} deletes
 */
public record ServerFiles(Path root) {

  /** The permissions of the directory. etcd rejects a data directory that other users can read. */
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /**
   * The audit policy. The server logs each request when it is complete, and a watch also when it
   * starts.
   */
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

  public static ServerFiles create() {
    try {
      return new ServerFiles(Files.createTempDirectory("windlass-apiserver-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a directory for the server's data", e);
    }
  }

  Path etcdData() {
    return root.resolve("etcd");
  }

  /**
   * Copies etcd's data and returns the directory of the copy, for {@code RealApiServer.restore}.
   * etcd must not be running.
   */
  public Path snapshot() {
    try {
      Path copy = Files.createTempDirectory(root, "snapshot-");
      copyAll(etcdData(), copy);
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy etcd's data", e);
    }
  }

  /** Replaces etcd's data with a copy of a snapshot. The snapshot remains usable. */
  public void restore(Path snapshot) {
    deleteAll(etcdData());
    try {
      Files.createDirectory(etcdData(), OWNER_ONLY);
      copyAll(snapshot, etcdData());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot restore etcd's data from " + snapshot, e);
    }
  }

  private static void copyAll(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path source : all.skip(1).toList()) {
        Files.copy(source, to.resolve(from.relativize(source)), COPY_ATTRIBUTES);
      }
    }
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

  public Path auditLog() {
    return root.resolve("audit.log");
  }

  Path log(String program) {
    return root.resolve(program + ".log");
  }

  /** Writes the files that the programs read when they start. */
  public void write(CertificateAuthority authority, UserAccess controllerManager) {
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

  /** Deletes the directory and its content. Ignores files that have already been deleted. */
  void delete() {
    deleteAll(root);
  }

  private static void deleteAll(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      // Another thread or process has deleted the file, so no action is needed.
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the server's data in " + directory, e);
    }
  }
}
