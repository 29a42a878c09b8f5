// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.tls.Pem;
import dev.windlass.webhook.certificates.BundleInjection.Outcome;
import dev.windlass.webhook.registration.RegisteredObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the CA certificates from a mounted file into the webhook configurations. Reads the file
 * whenever a configuration changes, and once per minute. More frequent reads are not useful,
 * because the kubelet takes about one minute to update the file.
 */
final class MountedAuthorityReconciler implements Reconciler {

  static final Duration PERIOD = Duration.ofMinutes(1);

  private final Path file;
  private final Path chainFile;
  private final BundleInjection injection;
  private final CertificateStatus status;
  private final Clock clock;

  /**
   * Creates a reconciler.
   *
   * @param directory the directory that contains the CA certificates and the server's certificate
   */
  MountedAuthorityReconciler(
      Path directory, BundleInjection injection, CertificateStatus status, Clock clock) {
    this.file = directory.resolve(CertificateSecret.CA_CERTIFICATES);
    this.chainFile = directory.resolve(CertificateSecret.CERTIFICATE);
    this.injection = injection;
    this.status = status;
    this.clock = clock;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context)
      throws IOException, CertificateException {
    try {
      return reconcile(context.client().uncached());
    } catch (ConflictException e) {
      return Result.requeueWithBackoff(); // another replica was faster
    } catch (ApiException | IOException | CertificateException e) {
      status.problem(Optional.ofNullable(e.getMessage()));
      throw e;
    }
  }

  private Result reconcile(Client client) throws IOException, CertificateException {
    Map<RegisteredObject, Optional<GenericKubernetesResource>> objects = injection.read(client);
    String bundle = Bundle.of(read(file), injection.caBundles(objects), clock.instant());
    boolean isTrusted = CertificateChain.isTrusted(Pem.certificates(read(chainFile)), bundle);
    status.problem(Optional.empty());
    Map<RegisteredObject, Outcome> outcomes = injection.inject(client, objects, bundle);
    List<ApiException> failures =
        outcomes.values().stream().flatMap(outcome -> outcome.failure().stream()).toList();
    for (ApiException failure : failures) {
      if (failure instanceof ConflictException) {
        throw failure; // the next run determines whether the API server trusts the certificate
      }
    }
    List<String> untrusted = new ArrayList<>();
    if (!isTrusted) {
      untrusted.add("no CA in " + file + " has signed the certificate in " + chainFile);
    }
    outcomes.values().forEach(outcome -> outcome.problem().ifPresent(untrusted::add));
    status.untrusted(untrusted);
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
    return Result.requeueAfter(PERIOD);
  }

  private static String read(Path pem) throws IOException {
    try {
      String text = Files.readString(pem, StandardCharsets.ISO_8859_1);
      var unused = Pem.certificates(text);
      return text;
    } catch (IOException | CertificateException e) {
      throw new IOException("the certificates in " + pem + " can't be used: " + e, e);
    }
  }

  /**
   * Computes the bundle of CAs that the API server must trust if another program creates the
   * certificates. The bundle contains the CAs in the mounted file, and the CAs in the current
   * bundles that have not expired. After a change of the CA, the kubelets update the files of the
   * replicas at different times. Until the last file has been updated, some replicas present
   * certificates from the former CA. All replicas compute the same bundle.
   */
  static final class Bundle {

    /**
     * The maximum number of CAs in a bundle: 5. If there are more, the oldest are omitted, but
     * never those in the file.
     */
    private static final int MOST = 5;

    private static final Comparator<X509Certificate> NEWEST_FIRST =
        Comparator.comparing(X509Certificate::getNotBefore)
            .reversed()
            .thenComparing(X509Certificate::getSerialNumber);

    private Bundle() {}

    /**
     * Returns the new value of {@code caBundle}.
     *
     * @param pem the content of the mounted file
     * @param before the current values of {@code caBundle}; values that are not valid are ignored
     */
    static String of(String pem, Collection<String> before, Instant now)
        throws CertificateException {
      List<X509Certificate> mounted = Pem.certificates(pem);
      Set<X509Certificate> all = new LinkedHashSet<>(mounted);
      for (String bundle : before) {
        CertificateChain.roots(bundle).stream()
            .filter(authority -> authority.getNotAfter().toInstant().isAfter(now))
            .forEach(all::add);
      }
      List<X509Certificate> kept =
          all.stream().sorted(NEWEST_FIRST).limit(Math.max(MOST, mounted.size())).toList();
      return CertificateChain.encoded(kept.containsAll(mounted) ? kept : mounted);
    }
  }
}
