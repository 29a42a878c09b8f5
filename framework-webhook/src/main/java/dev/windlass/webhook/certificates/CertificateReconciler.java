// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.object.ObjectKey;
import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.certificates.BundleInjection.Outcome;
import dev.windlass.webhook.certificates.CertificateSecret.UnusableSecretException;
import dev.windlass.webhook.registration.RegisteredObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the webhooks' certificates on each replica. Each run performs the following steps. A
 * step has no effect if there is nothing to do.
 *
 * <ol>
 *   <li>Read the webhook configurations, and then the Secret. {@link BundleInjection} describes the
 *       reason for this order.
 *   <li>Write the certificates that the Secret must contain, as {@link CertificateRenewal}
 *       determines them, and run again. The write contains the resourceVersion, so only one of
 *       several replicas succeeds, and the others read the result.
 *   <li>Begin to serve, if this replica does not serve yet.
 *   <li>Write the bundle into the webhook configurations.
 *   <li>Serve the new certificate, unless the API server would not accept it.
 * </ol>
 *
 * <p>The controller calls this class from one thread at a time.
 */
final class CertificateReconciler implements Reconciler {

  private static final Logger log = LoggerFactory.getLogger(CertificateReconciler.class);

  /** The maximum time between two runs, which limits the delay if an event is lost: 1 h. */
  static final Duration RECHECK = Duration.ofHours(1);

  private final ObjectKey secret;
  private final CertificateRenewal renewal;
  private final BundleInjection injection;
  private final ServerKeys keys;
  private final CertificateStatus status;
  private final EventRecorder events;
  private final Clock clock;

  /** The certificate that this replica serves; null if it is not serving yet. */
  private @Nullable SignedKey served;

  /**
   * Creates a reconciler.
   *
   * @param secret the Secret's key
   */
  CertificateReconciler(
      ObjectKey secret,
      CertificateRenewal renewal,
      BundleInjection injection,
      ServerKeys keys,
      CertificateStatus status,
      EventRecorder events,
      Clock clock) {
    this.secret = secret;
    this.renewal = renewal;
    this.injection = injection;
    this.keys = keys;
    this.status = status;
    this.events = events;
    this.clock = clock;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    status.warnOfExpiry();
    try {
      return reconcile(context.client().uncached());
    } catch (ConflictException e) {
      return Result.requeueWithBackoff(); // another replica was faster
    } catch (ApiException | UnusableSecretException | GeneralSecurityException e) {
      status.problem(Optional.ofNullable(e.getMessage()));
      throw e;
    }
  }

  private Result reconcile(Client client) throws UnusableSecretException, GeneralSecurityException {
    Instant now = clock.instant();
    Map<RegisteredObject, Optional<GenericKubernetesResource>> objects = injection.read(client);
    Optional<Secret> found = client.get(Secret.class, secret);
    CertificateSet stored = found.isPresent() ? usable(found.get(), now) : CertificateSet.NONE;
    List<List<X509Certificate>> trusted =
        injection.caBundles(objects).stream().map(CertificateChain::roots).toList();
    CertificateSet set = renewal.renewed(stored, Optional.ofNullable(served), trusted, now);
    if (!set.equals(stored)) {
      write(client, found, set);
      return Result.requeueAfter(Duration.ZERO);
    }
    if (served == null) {
      // This must come before the configurations make the API server call this replica, because
      // every call fails without a certificate.
      serve(set, Map.of(), now);
    }
    Map<RegisteredObject, Outcome> outcomes = injection.inject(client, objects, set.caBundle());
    serve(set, outcomes, now);
    status.untrusted(untrusted(outcomes));
    rethrow(outcomes);
    Optional<String> waiting = waiting(set, now);
    if (status.problem(waiting)) {
      waiting.ifPresent(reason -> log.warn("The webhooks are not served yet: {}", reason));
    }
    if (set.next().filter(next -> next.published().isEmpty()).isPresent()) {
      return Result.requeueWithBackoff(); // now all objects contain the next CA
    }
    Duration untilDue = Duration.between(now, renewal.due(set, now));
    return Result.requeueAfter(untilDue.compareTo(RECHECK) < 0 ? positive(untilDue) : RECHECK);
  }

  /** Returns why this replica can't serve yet, if the key of the CA in use is lost. */
  private Optional<String> waiting(CertificateSet set, Instant now) {
    return served != null
        ? Optional.empty()
        : set.next()
            .map(
                next ->
                    "the API server trusts a CA whose key is lost, so the new CA is used after "
                        + renewal.use(next, now)
                        + ", when each API server trusts it. To use it at once, stop all replicas,"
                        + " delete the Secret "
                        + secret
                        + " and empty each caBundle");
  }

  /** Returns the certificates in the Secret. If they are not usable, an Event states the remedy. */
  private CertificateSet usable(Secret current, Instant now) throws UnusableSecretException {
    try {
      CertificateSet stored = CertificateSecret.read(current);
      requireSameTime(stored, now);
      return stored;
    } catch (UnusableSecretException e) {
      String problem = String.valueOf(e.getMessage());
      if (status.problem(Optional.of(problem))) {
        events.warning(current, "UnusableCertificates", problem);
      }
      throw e;
    }
  }

  /**
   * Rejects certificates that are not valid yet, if this replica serves a certificate that was
   * created within the last hour. If the clock of one replica is fast, the others replace its
   * certificates at most once per hour, and it replaces theirs. Without this limit, the replicas
   * would write without end.
   */
  private void requireSameTime(CertificateSet stored, Instant now) throws UnusableSecretException {
    Optional<Instant> start =
        Stream.concat(
                stored.bundle().stream(), stored.serving().stream().map(SignedKey::certificate))
            .map(certificate -> certificate.getNotBefore().toInstant())
            .filter(now::isBefore)
            .findFirst();
    if (start.isPresent()
        && served != null
        && CertificateValidity.isValid(served.certificate(), now)
        && now.isBefore(CertificateValidity.creation(served.certificate()).plus(RECHECK))) {
      throw new UnusableSecretException(
          "the Secret "
              + secret
              + " contains a certificate that is not valid before "
              + start.get()
              + ": correct the clock of this node or of the replica that has created it");
    }
  }

  private static Duration positive(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  /** Writes the Secret. A conflict means that another replica has done so. */
  private void write(Client client, Optional<Secret> found, CertificateSet set) {
    try {
      var unused =
          found.isPresent()
              ? client.update(CertificateSecret.replace(found.get(), set))
              : client.create(CertificateSecret.create(secret, set));
      log.info("Wrote the certificates of the webhooks into the Secret {}: {}", secret, set);
    } catch (AlreadyExistsException e) {
      log.debug("Another replica has created the Secret {}", secret);
    }
  }

  private void serve(CertificateSet set, Map<RegisteredObject, Outcome> outcomes, Instant now)
      throws GeneralSecurityException {
    SignedKey before = served;
    if (set.serving().isEmpty() || set.serving().get().equals(before)) {
      return;
    }
    SignedKey serving = set.serving().get();
    boolean isBetterThanBefore =
        before == null
            || !CertificateValidity.isValid(before.certificate(), now)
            || outcomes.values().stream().allMatch(outcome -> isTrusted(serving, outcome));
    if (!isBetterThanBefore) {
      log.warn("Keeping the previous certificate, because the API server would not accept {}", set);
      return;
    }
    keys.replace(serving.certificatePem(), serving.keyPem());
    served = serving;
    status.replaced();
    log.info("Serving the webhooks with the certificate {}", set);
  }

  private static boolean isTrusted(SignedKey serving, Outcome outcome) {
    return outcome.caBundles().stream()
        .allMatch(bundle -> CertificateChain.isTrusted(List.of(serving.certificate()), bundle));
  }

  /**
   * Returns the reasons why the API server does not accept the certificate that this replica
   * serves.
   */
  private List<String> untrusted(Map<RegisteredObject, Outcome> outcomes) {
    List<String> reasons = new ArrayList<>();
    outcomes.forEach(
        (object, outcome) -> {
          boolean isTrusted =
              served != null && !outcome.caBundles().isEmpty() && isTrusted(served, outcome);
          if (!isTrusted) {
            reasons.add(
                outcome.problem().orElse("the CA of the certificate is missing in " + object));
          }
        });
    return reasons;
  }

  private static void rethrow(Map<RegisteredObject, Outcome> outcomes) {
    outcomes.values().stream()
        .flatMap(outcome -> outcome.failure().stream())
        .findFirst()
        .ifPresent(
            failure -> {
              throw failure;
            });
  }
}
