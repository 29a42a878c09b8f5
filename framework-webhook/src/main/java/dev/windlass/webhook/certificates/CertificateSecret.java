// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.object.ObjectKey;
import dev.windlass.tls.Pem;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Converts {@link CertificateSet}s to and from the content of a Secret. */
final class CertificateSecret {

  /** The label of a Secret that belongs to Windlass. Its value is the version of the format. */
  static final String LABEL = "webhook.windlass.dev/certificates";

  static final String LABEL_VALUE = "v1";

  static final String CA_CERTIFICATES = "ca.crt";
  static final String CA_KEY = "ca.key";
  static final String CHAIN = "tls.crt";
  static final String KEY = "tls.key";

  private CertificateSecret() {}

  /** Returns the labels of a new Secret. */
  static Map<String, String> labels() {
    return Map.of(LABEL, LABEL_VALUE);
  }

  /**
   * Returns the certificates in a Secret.
   *
   * @throws UnusableSecretException if the Secret does not have the label, or if it contains a
   *     certificate or key that cannot be parsed
   */
  static StoredCertificates read(Secret secret) throws UnusableSecretException {
    Map<String, String> labels = secret.getMetadata().getLabels();
    if (labels == null || !LABEL_VALUE.equals(labels.get(LABEL))) {
      throw unusable(
          secret,
          "does not have the label "
              + LABEL
              + "="
              + LABEL_VALUE
              + ", so it belongs to something else: delete it if it is not needed, or choose another"
              + " name for the Secret of the webhooks");
    }
    List<X509Certificate> bundle = certificates(secret, CA_CERTIFICATES);
    Optional<PrivateKey> authorityKey = key(secret, CA_KEY);
    List<X509Certificate> chain = certificates(secret, CHAIN);
    Optional<PrivateKey> servingKey = key(secret, KEY);
    return new StoredCertificates(
        authorityKey.flatMap(key -> authority(bundle, key)),
        bundle,
        servingKey
            .filter(key -> !chain.isEmpty() && Certificates.match(chain.get(0), key))
            .map(key -> new ServingCertificate(chain, key)));
  }

  private static Optional<CertificateAuthority> authority(
      List<X509Certificate> bundle, PrivateKey key) {
    return bundle.stream()
        .findFirst()
        .filter(ca -> ca.getBasicConstraints() >= 0 && Certificates.match(ca, key))
        .map(ca -> new CertificateAuthority(new SignedKey(ca, key)));
  }

  private static List<X509Certificate> certificates(Secret secret, String field)
      throws UnusableSecretException {
    Optional<String> pem = text(secret, field);
    try {
      return pem.isEmpty() ? List.of() : Pem.certificates(pem.get());
    } catch (GeneralSecurityException e) {
      throw garbage(secret, field);
    }
  }

  private static Optional<PrivateKey> key(Secret secret, String field)
      throws UnusableSecretException {
    Optional<String> pem = text(secret, field);
    try {
      return pem.isEmpty() ? Optional.empty() : Optional.of(Pem.privateKey(pem.get()));
    } catch (GeneralSecurityException e) {
      throw garbage(secret, field);
    }
  }

  private static Optional<String> text(Secret secret, String field) throws UnusableSecretException {
    String encoded = data(secret).getOrDefault(field, "");
    try {
      String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
      return text.isBlank() ? Optional.empty() : Optional.of(text);
    } catch (IllegalArgumentException e) {
      throw garbage(secret, field);
    }
  }

  private static Map<String, String> data(Secret secret) {
    return Objects.requireNonNullElse(secret.getData(), Map.of());
  }

  private static UnusableSecretException garbage(Secret secret, String field) {
    return unusable(
        secret,
        "contains data in "
            + field
            + " that this program did not write: restore it, remove that field, or delete the"
            + " Secret to have new certificates created");
  }

  private static UnusableSecretException unusable(Secret secret, String why) {
    return new UnusableSecretException("the Secret " + ObjectKey.of(secret) + " " + why);
  }

  /** Returns the {@link ServingRecord}s of all replicas from the annotations of a Secret. */
  static ServingRecords records(Secret secret) {
    return ServingRecords.in(
        Objects.requireNonNullElse(secret.getMetadata().getAnnotations(), Map.of()));
  }

  /** Returns a new Secret with the given certificates and annotations. */
  static Secret create(ObjectKey key, CertificateSet set, Map<String, String> annotations) {
    return new SecretBuilder()
        .withMetadata(
            new ObjectMetaBuilder()
                .withNamespace(key.namespace())
                .withName(key.name())
                .withLabels(labels())
                .withAnnotations(annotations.isEmpty() ? null : annotations)
                .build())
        .withType("Opaque")
        .withData(data(set))
        .build();
  }

  /**
   * Returns a copy of a Secret with the given certificates. The copy has the same resourceVersion
   * and all other content. If another replica changes the Secret in the meantime, the update
   * therefore fails.
   *
   * @param obsolete the names of the annotations to remove
   */
  static Secret replace(Secret secret, CertificateSet set, List<String> obsolete) {
    Map<String, String> annotations =
        new TreeMap<>(Objects.requireNonNullElse(secret.getMetadata().getAnnotations(), Map.of()));
    annotations.keySet().removeAll(obsolete);
    Map<String, String> data = new HashMap<>(data(secret));
    data.putAll(data(set));
    return new SecretBuilder(secret)
        .editMetadata()
        .withAnnotations(annotations)
        .endMetadata()
        .withData(data)
        .build();
  }

  private static Map<String, String> data(CertificateSet set) {
    return Map.of(
        CA_CERTIFICATES, set.caBundle(),
        CA_KEY, CertificateSet.encoded(Pem.of(set.authority().self().key())),
        CHAIN, CertificateSet.encoded(set.serving().chainPem()),
        KEY, CertificateSet.encoded(set.serving().keyPem()));
  }

  /**
   * Thrown if the program must not overwrite a Secret. The message states the remedy. It never
   * contains the Secret's data.
   */
  static final class UnusableSecretException extends Exception {

    private static final long serialVersionUID = 1L;

    UnusableSecretException(String message) {
      super(message);
    }
  }
}
