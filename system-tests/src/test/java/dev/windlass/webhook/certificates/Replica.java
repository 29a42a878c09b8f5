// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.client.FakeContext;
import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.certificates.CertificateSecret.UnusableSecretException;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One replica of a program with webhooks, whose reconciler the test calls. */
final class Replica {

  static final ObjectKey SECRET = ObjectKey.of("shop", "hooks-webhook-certificates");

  final ServerKeys keys = new ServerKeys();
  final CertificateStatus status;
  final List<String> events = new ArrayList<>();
  private final String name;
  private final Client client;
  private final CertificateReconciler reconciler;

  Replica(String name, Client client, WebhookRegistration registration, Clock clock) {
    this.name = name;
    this.client = client;
    status = new CertificateStatus(keys, clock);
    reconciler =
        new CertificateReconciler(
            SECRET,
            new CertificateRenewal(registration.target().subjects(), CertificateValidity.DEFAULT),
            new BundleInjection(registration),
            keys,
            status,
            (regarding, related, type, reason, action, message) -> events.add(message),
            clock);
  }

  /** Runs the reconciler once. */
  Result runOnce() throws Exception {
    FakeContext context = FakeContext.of(client, new ConfigMap());
    return reconciler.reconcile(new Request(SECRET), context);
  }

  /** Runs the reconciler until it wants to wait, as a controller does. */
  Result settle() throws Exception {
    for (int i = 0; i < 10; i++) {
      Result result;
      try {
        result = runOnce();
      } catch (UnusableSecretException e) {
        return Result.done(); // until the Secret changes
      }
      if (!result.isAtOnce() && !result.requeue()) {
        return result;
      }
    }
    throw new AssertionError(name + " does not come to rest");
  }

  /** The certificates that a client sees. */
  List<X509Certificate> chain() {
    String alias = keys.keyManager().chooseEngineServerAlias("EC", null, null);
    assertThat(alias).as("a certificate of %s", name).isNotNull();
    return Arrays.asList(keys.keyManager().getCertificateChain(alias));
  }

  boolean isServing() {
    return keys.certificate().isPresent();
  }

  Secret secret() {
    return client.get(Secret.class, SECRET).orElseThrow();
  }

  /** Removes a field of the Secret, as a user could. */
  void loseField(String field) {
    var unused =
        client.patch(
            new SecretBuilder(secret()).build(),
            ObjectPatch.merge("{\"data\": {\"" + field + "\": null}}"));
  }
}
