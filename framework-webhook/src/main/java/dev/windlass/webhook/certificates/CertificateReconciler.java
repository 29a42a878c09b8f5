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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the webhooks' certificates on each replica. A replica serves under the CA that has
 * signed its certificate, and remembers the certificates that it last read or wrote. Each run
 * performs the following steps. A step has no effect if there is nothing to do.
 *
 * <ol>
 *   <li>Read the webhook configurations, and then the Secret. {@link BundleInjection} describes the
 *       reason for this order.
 *   <li>Create the Secret, renew certificates that are due, or add a missing cross-certificate. The
 *       cross-certificate is missing if the replica that created a new CA did not remember the
 *       former CA. Only one replica succeeds, and the others read the result. If the API server
 *       already trusts a CA, a replica that has just started waits for 10 s before it creates the
 *       Secret. Another replica may remember this CA, and can then certify the new CA with it.
 *   <li>If this replica does not serve yet, record the CA under which it is about to serve, and
 *       begin to serve.
 *   <li>Write the bundle into the webhook configurations.
 *   <li>Serve the new certificate, unless the API server would not accept it.
 *   <li>If the CA has changed, record the CA under which this replica now serves. The records
 *       include every CA under which a replica may serve, because a record is replaced only after
 *       the change.
 *   <li>Remove the former CAs from the bundle, but only when all replicas serve under the new CA
 *       and at least 10 min after its creation. This step changes the Secret, and the change
 *       triggers another run on each replica.
 * </ol>
 *
 * <p>The controller calls this class from one thread at a time.
 */
final class CertificateReconciler implements Reconciler {

  private static final Logger log = LoggerFactory.getLogger(CertificateReconciler.class);

  /** The maximum time between two runs, which limits the delay if an event is lost: 1 h. */
  static final Duration RECHECK = Duration.ofHours(1);

  /**
   * How long a replica that has not read the certificates waits for another replica to recreate a
   * lost Secret: 10 s.
   */
  static final Duration MEMORY_WAIT = Duration.ofSeconds(10);

  private final ObjectKey secret;
  private final String identity;
  private final CertificateRenewal renewal;
  private final BundleInjection injection;
  private final ServerKeys keys;
  private final CertificateStatus status;
  private final EventRecorder events;
  private final Clock clock;

  /** The certificates that this replica last read or wrote; null if there are none. */
  private @Nullable CertificateSet remembered;

  /**
   * The serving records in the Secret when it was last read. If the Secret is deleted, this replica
   * adds them to the new Secret.
   */
  private Map<String, String> records = Map.of();

  /**
   * The time at which this replica began to wait for another replica to recreate a lost Secret;
   * null if it is not waiting. A replica waits only if {@link #remembered} is null.
   */
  private @Nullable Instant lostSince;

  /** The certificate that this replica serves; null if it is not serving yet. */
  private @Nullable ServingCertificate served;

  /**
   * Creates a reconciler.
   *
   * @param secret the Secret's key
   * @param identity the unique name of this replica
   */
  CertificateReconciler(
      ObjectKey secret,
      String identity,
      CertificateRenewal renewal,
      BundleInjection injection,
      ServerKeys keys,
      CertificateStatus status,
      EventRecorder events,
      Clock clock) {
    this.secret = secret;
    this.identity = identity;
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
      Result result = reconcile(context.client().uncached());
      status.problem(Optional.empty());
      return result;
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
    List<X509Certificate> trusted = trusted(objects);
    if (found.isEmpty()) {
      Duration wait = untilCreation(trusted, now);
      if (wait.compareTo(Duration.ZERO) > 0) {
        return Result.requeueAfter(wait); // or when the Secret is created
      }
      create(client, trusted, now);
      return Result.requeueAfter(Duration.ZERO);
    }
    lostSince = null;
    Secret current = found.get();
    StoredCertificates stored = usable(current, now);
    CertificateSet set = renewed(stored, CertificateSecret.records(current), trusted, now);
    if (!StoredCertificates.of(set).equals(stored)) {
      current = update(client, current, set, now);
    }
    remember(set, current);
    if (served == null && !isRecorded(current, set)) {
      record(client, current, set, now);
      return Result.requeueAfter(Duration.ZERO); // the Secret can have changed before the record
    }
    if (served == null) {
      // This must come before the configurations make the API server call this replica, because
      // every call fails without a certificate.
      serve(set, Map.of(), now);
    }
    Map<RegisteredObject, Outcome> outcomes = injection.inject(client, objects, set.caBundle());
    serve(set, outcomes, now);
    if (isServed(set) && !isRecorded(current, set)) {
      record(client, current, set, now);
    }
    status.untrusted(untrusted(outcomes));
    rethrow(outcomes);
    Duration untilDue = Duration.between(now, renewal.due(set, now));
    return Result.requeueAfter(untilDue.compareTo(RECHECK) < 0 ? positive(untilDue) : RECHECK);
  }

  /** Returns the certificates in the Secret. If they are not usable, an Event states the remedy. */
  private StoredCertificates usable(Secret current, Instant now) throws UnusableSecretException {
    try {
      StoredCertificates stored = CertificateSecret.read(current);
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
  private void requireSameTime(StoredCertificates stored, Instant now)
      throws UnusableSecretException {
    Optional<Instant> start =
        Stream.concat(
                stored.authority().stream().map(authority -> authority.self().certificate()),
                stored.serving().stream().map(ServingCertificate::leaf))
            .map(certificate -> certificate.getNotBefore().toInstant())
            .filter(now::isBefore)
            .findFirst();
    if (start.isPresent()
        && served != null
        && CertificateValidity.isValid(served.leaf(), now)
        && now.isBefore(CertificateValidity.creation(served.leaf()).plus(RECHECK))) {
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

  /**
   * Returns the remaining time to wait before this replica may create the Secret. The result is
   * zero or negative if it may create the Secret now. During the wait, another replica that
   * remembers a trusted CA can create the Secret.
   */
  private Duration untilCreation(List<X509Certificate> trusted, Instant now) {
    if (remembered != null
        || trusted.stream().noneMatch(ca -> CertificateValidity.isValid(ca, now))) {
      return Duration.ZERO;
    }
    if (lostSince == null) {
      lostSince = now;
      log.info(
          "The Secret {} does not exist, but the API server trusts a CA of it: waiting for {} s for"
              + " a replica that remembers the CA to create the Secret",
          secret,
          MEMORY_WAIT.toSeconds());
    }
    return Duration.between(now, lostSince.plus(MEMORY_WAIT));
  }

  /** Creates the Secret. Has no effect if another replica has already created it. */
  private void create(Client client, List<X509Certificate> trusted, Instant now) {
    CertificateSet set = renewal.renewed(StoredCertificates.NONE, remembered, trusted, now);
    Map<String, String> annotations = new HashMap<>(records);
    if (served == null) {
      annotations.put(ServingRecords.annotation(identity), ServingRecord.of(set).toString());
    }
    try {
      var unused = client.create(CertificateSecret.create(secret, set, annotations));
      log.info("Created the Secret {} with new certificates for the webhooks: {}", secret, set);
    } catch (AlreadyExistsException e) {
      log.debug("Another replica has created the Secret {}", secret);
    }
  }

  /** Returns the CAs that the API server trusts for this program's webhooks. */
  private List<X509Certificate> trusted(
      Map<RegisteredObject, Optional<GenericKubernetesResource>> objects) {
    return injection.caBundles(objects).stream()
        .flatMap(bundle -> CertificateChain.roots(bundle).stream())
        .distinct()
        .toList();
  }

  private CertificateSet renewed(
      StoredCertificates stored,
      ServingRecords records,
      List<X509Certificate> trusted,
      Instant now) {
    CertificateSet set = renewal.renewed(stored, remembered, trusted, now);
    boolean isOver =
        set.isTurning()
            && !now.isBefore(renewal.overlapEnd(set))
            && records.of(identity).isPresent()
            && records.agreeOn(set.authorityId(), now);
    return isOver ? set.trimmed() : set;
  }

  private Secret update(Client client, Secret current, CertificateSet set, Instant now) {
    List<String> obsolete = CertificateSecret.records(current).obsolete(now);
    Secret updated = client.update(CertificateSecret.replace(current, set, obsolete));
    log.info("Updated the certificates of the webhooks in the Secret {}: {}", secret, set);
    return updated;
  }

  private void remember(CertificateSet set, Secret current) {
    remembered = set;
    records = CertificateSecret.records(current).annotations();
  }

  private boolean isRecorded(Secret current, CertificateSet set) {
    return CertificateSecret.records(current)
        .of(identity)
        .equals(Optional.of(ServingRecord.of(set)));
  }

  /** Records that this replica serves, or will serve, under the CA of the given certificates. */
  private void record(Client client, Secret current, CertificateSet set, Instant now) {
    var unused =
        client.patch(
            current,
            ServingRecords.patch(
                identity,
                Optional.of(ServingRecord.of(set)),
                CertificateSecret.records(current).obsolete(now)));
  }

  private boolean isServed(CertificateSet set) {
    return set.serving().equals(served);
  }

  private void serve(CertificateSet set, Map<RegisteredObject, Outcome> outcomes, Instant now)
      throws GeneralSecurityException {
    ServingCertificate before = served;
    if (isServed(set)) {
      return;
    }
    boolean isBetterThanBefore =
        before == null
            || !CertificateValidity.isValid(before.leaf(), now)
            || outcomes.values().stream()
                .flatMap(outcome -> outcome.caBundles().stream())
                .allMatch(bundle -> CertificateChain.isTrusted(set.serving().chain(), bundle));
    if (!isBetterThanBefore) {
      log.warn("Keeping the previous certificate, because the API server would not accept {}", set);
      return;
    }
    keys.replace(set.serving().chainPem(), set.serving().keyPem());
    served = set.serving();
    status.replaced();
    log.info("Serving the webhooks with the certificate {}", set);
  }

  /**
   * Returns the reasons why the API server does not accept the certificate that this replica
   * serves.
   */
  private List<String> untrusted(Map<RegisteredObject, Outcome> outcomes) {
    List<String> reasons = new ArrayList<>();
    outcomes.forEach(
        (object, outcome) -> {
          ServingCertificate current = Objects.requireNonNull(served);
          boolean isTrusted =
              !outcome.caBundles().isEmpty()
                  && outcome.caBundles().stream()
                      .allMatch(bundle -> CertificateChain.isTrusted(current.chain(), bundle));
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
