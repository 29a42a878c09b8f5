// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.object.ObjectKey;
import dev.windlass.tls.Pem;
import dev.windlass.webhook.certificates.CertificateSet.Next;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
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

  /**
   * The annotation that contains the time since which all webhook configurations and CRDs contain
   * the next CA.
   */
  static final String PUBLISHED = "webhook.windlass.dev/published";

  static final String CA_CERTIFICATES = "ca.crt";
  static final String CA_KEY = "ca.key";
  static final String NEXT_KEY = "next.key";
  static final String CERTIFICATE = "tls.crt";
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
  static CertificateSet read(Secret secret) throws UnusableSecretException {
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
    List<X509Certificate> serving = certificates(secret, CERTIFICATE);
    Optional<Instant> published = published(secret);
    return new CertificateSet(
        signedKey(bundle, key(secret, CA_KEY)).map(CertificateAuthority::new),
        signedKey(bundle, key(secret, NEXT_KEY))
            .map(next -> new Next(new CertificateAuthority(next), published)),
        bundle,
        signedKey(serving, key(secret, KEY)));
  }

  /** Returns the certificate to which a key belongs, with the key. */
  private static Optional<SignedKey> signedKey(
      List<X509Certificate> certificates, Optional<PrivateKey> key) {
    return key.flatMap(
        present ->
            certificates.stream()
                .filter(certificate -> Certificates.match(certificate, present))
                .map(certificate -> new SignedKey(certificate, present))
                .findFirst());
  }

  private static Optional<Instant> published(Secret secret) throws UnusableSecretException {
    String text = annotations(secret).getOrDefault(PUBLISHED, "");
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      throw garbage(secret, "the annotation " + PUBLISHED);
    }
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

  private static Map<String, String> annotations(Secret secret) {
    return Objects.requireNonNullElse(secret.getMetadata().getAnnotations(), Map.of());
  }

  /** Returns a new Secret with the given certificates. */
  static Secret create(ObjectKey key, CertificateSet set) {
    return replace(
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(key.namespace())
            .withName(key.name())
            .withLabels(labels())
            .endMetadata()
            .withType("Opaque")
            .build(),
        set);
  }

  /**
   * Returns a copy of a Secret with the given certificates. The copy has the same resourceVersion
   * and all other content. If another replica changes the Secret in the meantime, the update
   * therefore fails.
   */
  static Secret replace(Secret secret, CertificateSet set) {
    Map<String, String> annotations = new TreeMap<>(annotations(secret));
    annotations.remove(PUBLISHED);
    set.next()
        .flatMap(Next::published)
        .ifPresent(time -> annotations.put(PUBLISHED, time.toString()));
    Map<String, String> data = new TreeMap<>(data(secret));
    data.keySet().removeAll(List.of(CA_KEY, NEXT_KEY, CERTIFICATE, KEY));
    data.put(CA_CERTIFICATES, set.caBundle());
    set.authority().ifPresent(ca -> data.put(CA_KEY, encoded(ca.self().keyPem())));
    set.next().ifPresent(ca -> data.put(NEXT_KEY, encoded(ca.authority().self().keyPem())));
    set.serving()
        .ifPresent(
            serving -> {
              data.put(CERTIFICATE, encoded(serving.certificatePem()));
              data.put(KEY, encoded(serving.keyPem()));
            });
    return new SecretBuilder(secret)
        .editMetadata()
        .withAnnotations(annotations.isEmpty() ? null : annotations)
        .endMetadata()
        .withData(data)
        .build();
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
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
