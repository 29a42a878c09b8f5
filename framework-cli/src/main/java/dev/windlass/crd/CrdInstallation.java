// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import dev.windlass.manager.Manager;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Applies CRDs and waits until the API server serves them.
 *
 * <pre>{@code
 * try (Manager manager = Manager.builder().build()) {
 *   CrdInstallation.of(Website.class).install(manager);
 *   ControllerBuilder.forType(Website.class).objectReconciler(reconciler).register(manager);
 *   manager.run();
 * }
 * }</pre>
 *
 * <p>An installation uses server-side apply. Installing the same CRDs again changes nothing. An
 * installation removes only fields that an earlier installation with the same field manager set. If
 * another field manager has configured a conversion, for example for a running webhook, the
 * installation keeps this conversion and its {@code caBundle}. If another field manager has set any
 * other field to a different value, the installation fails, unless {@link #takeOver} is set.
 *
 * <p>Instances are immutable and thread-safe. Each method that changes a setting returns a copy.
 */
public final class CrdInstallation {

  /** The default time limit: 30 s. The API server usually serves a new CRD within a second. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final List<CrdFile> crds;
  private final String fieldManager;
  private final Duration timeout;
  private final boolean takesOver;

  private CrdInstallation(
      List<CrdFile> crds, String fieldManager, Duration timeout, boolean takesOver) {
    this.crds = crds;
    this.fieldManager = fieldManager;
    this.timeout = timeout;
    this.takesOver = takesOver;
  }

  /**
   * Creates an installation of the CRDs that fabric8's CRD generator has created for the given
   * classes. Reads each CRD from the file {@code META-INF/fabric8/<plural>.<group>-v1.yml} on the
   * class path.
   *
   * @throws IllegalArgumentException if a file does not exist; the message names the file
   */
  @SafeVarargs
  public static CrdInstallation of(Class<? extends HasMetadata>... types) {
    List<CrdFile> found = new ArrayList<>();
    for (Class<? extends HasMetadata> type : types) {
      found.add(CrdFile.of(type));
    }
    return with(List.copyOf(found));
  }

  /** Creates an installation of the given CRDs. */
  public static CrdInstallation of(List<CustomResourceDefinition> definitions) {
    return with(definitions.stream().map(CrdFile::of).toList());
  }

  /**
   * Creates an installation of all CRDs on a class path. The handwritten CRDs come first, followed
   * by the generated CRDs in {@code META-INF/fabric8}. If two CRDs have the same name, the
   * installation uses the first one.
   *
   * @param handwritten the paths of the handwritten files; a file can contain several YAML
   *     documents and lists of the kind {@code List}
   * @throws IllegalArgumentException if a handwritten file does not exist, contains no CRD, or
   *     contains other objects; the message names the file and the document
   */
  public static CrdInstallation onClassPath(ClassLoader classPath, List<String> handwritten) {
    return with(CrdFile.find(classPath, handwritten));
  }

  private static CrdInstallation with(List<CrdFile> crds) {
    return new CrdInstallation(crds, "windlass", TIMEOUT, false);
  }

  /**
   * Sets the name of the field manager. The default is {@code windlass}. If several programs
   * install the same CRD, use a different name for each program, so that the programs detect
   * differences between their CRDs.
   */
  public CrdInstallation fieldManager(String name) {
    return new CrdInstallation(crds, name, timeout, takesOver);
  }

  /** Sets the time limit for the API server to serve all CRDs. The default is 30 s. */
  public CrdInstallation timeout(Duration limit) {
    return new CrdInstallation(crds, fieldManager, limit, takesOver);
  }

  /**
   * Allows the installation to take over fields that another field manager has set to different
   * values, for example in a CRD that was installed by {@code kubectl apply}. Conversions remain
   * unchanged.
   */
  public CrdInstallation takeOver() {
    return new CrdInstallation(crds, fieldManager, timeout, true);
  }

  /**
   * Returns the names of the CRDs, such as {@code websites.example.com}, in the order in which the
   * CRDs are installed.
   */
  public List<String> names() {
    return crds.stream().map(CrdFile::name).toList();
  }

  /** Returns the CRDs, in the order in which they are installed. */
  public List<CustomResourceDefinition> definitions() {
    return crds.stream().map(CrdFile::crd).toList();
  }

  /** Returns the permissions that this installation needs, limited to its CRDs. */
  public Permissions permissions() {
    ResourceType type = ResourceType.of(CustomResourceDefinition.class);
    Set<Permission> permissions =
        crds.stream()
            .flatMap(
                crd ->
                    Stream.of(Verb.GET, Verb.CREATE, Verb.PATCH)
                        .map(verb -> Permission.of(type, "", verb).named(crd.name())))
            .collect(Collectors.toSet());
    return permissions.isEmpty()
        ? Permissions.NONE
        : Permissions.of(
            List.of(new Declaration("CrdInstallation", permissions, Declaration.Need.EACH)));
  }

  /**
   * Installs the CRDs on the manager's API server and declares the required permissions to the
   * manager. Call this method after you have registered the webhooks, and before the manager
   * starts. Every replica can call it.
   *
   * <p>If a webhook of the manager converts the objects of a CRD that does not have a conversion,
   * the installation adds the conversion to the CRD. Without it, the API server would remove fields
   * from the objects until the manager has configured the conversion.
   *
   * @throws IllegalStateException under the same conditions as {@link #install(KubernetesClient)}
   */
  public void install(Manager manager) {
    manager.uses(permissions());
    List<CrdFile> converted =
        crds.stream().map(crd -> crd.convertedBy(manager.manifests())).toList();
    new CrdInstallation(converted, fieldManager, timeout, takesOver)
        .run(
            new HttpCrdServer(manager.replicaKubernetesClient(), fieldManager),
            manager.informerOptions().scheduler());
  }

  /**
   * Installs the CRDs and returns once the API server serves all their versions.
   *
   * @throws IllegalStateException if the API server rejects a CRD or does not serve it within the
   *     time limit, if another field manager has set fields to different values, or if the calling
   *     thread is interrupted; the message states the cause and the remedy
   */
  public void install(KubernetesClient client) {
    run(new HttpCrdServer(client, fieldManager), Scheduler.system());
  }

  /** Installs the CRDs on the given server, and measures time with the given scheduler. */
  void run(CrdServer server, Scheduler scheduler) {
    CrdApply apply = new CrdApply(server, takesOver);
    crds.forEach(apply::run);
    new CrdWait(server, apply, scheduler, timeout).untilServed(crds);
  }
}
