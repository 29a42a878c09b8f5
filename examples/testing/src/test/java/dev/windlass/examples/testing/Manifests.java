// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.Operator;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The files that run an operator in a cluster, compared with each other and with what the operator
 * itself says. With {@code -Dmanifests=write}, those that follow from something else are written.
 * Reads files when it is asked.
 */
public final class Manifests {

  private static final boolean WRITE = "write".equals(System.getProperty("manifests"));

  private final Path folder;

  /** Those of the example whose tests run. */
  public Manifests() {
    folder = Path.of("manifests");
  }

  /** The objects in a file, in their order. */
  public List<HasMetadata> read(String file) {
    return Arrays.stream(text(file).split("(?m)^---$", -1))
        .filter(part -> !part.replaceAll("(?m)^#.*$", "").isBlank())
        .map(part -> (HasMetadata) Serialization.unmarshal(part, KubernetesResource.class))
        .toList();
  }

  /** Applies a file, as kubectl does. */
  public void apply(KubernetesClient client, String file) {
    read(file).forEach(object -> client.resource(object).serverSideApply());
  }

  private String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private <T extends HasMetadata> T only(String file, Class<T> type) {
    return only(file, type, read(file));
  }

  private static <T extends HasMetadata> T only(
      String file, Class<T> type, List<HasMetadata> objects) {
    List<T> found = objects.stream().filter(type::isInstance).map(type::cast).toList();
    assertThat(found).as("%s in %s", type.getSimpleName(), file).hasSize(1);
    return found.get(0);
  }

  /** What the container is started with. */
  public List<String> arguments() {
    return container().getArgs();
  }

  private Container container() {
    Deployment deployment = only("deployment.yaml", Deployment.class);
    List<Container> containers = deployment.getSpec().getTemplate().getSpec().getContainers();
    assertThat(containers).hasSize(1);
    return containers.get(0);
  }

  /** {@code crd.yaml} is the CRD that the operator ships. */
  public void assertCrd(CustomResourceDefinition shipped) {
    if (WRITE) {
      write("crd.yaml", Serialization.asYaml(shipped));
    }
    assertThat(Serialization.asJson(only("crd.yaml", CustomResourceDefinition.class)))
        .isEqualTo(Serialization.asJson(shipped));
  }

  /** {@code rbac.yaml} is what the operator prints with the arguments of its Deployment. */
  public void assertRights(Operator operator) {
    assertRights("rbac.yaml", operator, arguments());
  }

  /** The same of another file and other arguments. */
  public void assertRights(String file, Operator operator, List<String> arguments) {
    StringWriter printed = new StringWriter();
    CommandLine line = operator.commandLine().setOut(new PrintWriter(printed));
    List<String> all = Stream.concat(arguments.stream(), Stream.of("--print-rbac")).toList();
    assertThat(line.execute(all.toArray(new String[0]))).isZero();
    if (WRITE) {
      write(file, printed.toString());
    }
    assertThat(withoutHead(text(file))).isEqualTo(printed.toString());
  }

  private static String withoutHead(String text) {
    return text.lines()
        .filter(line -> !line.startsWith("#"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Keeps the comment at the top. */
  private void write(String file, String content) {
    Path path = folder.resolve(file);
    try {
      String head =
          Files.exists(path)
              ? text(file)
                  .lines()
                  .takeWhile(line -> line.startsWith("#"))
                  .map(line -> line + '\n')
                  .collect(Collectors.joining())
              : "";
      Files.writeString(path, head + content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The Deployment runs under the ServiceAccount, to which exactly the roles of {@code rbac.yaml}
   * are bound, and its probes ask where the operator listens.
   *
   * @param probes where that is by its arguments, or by default
   */
  public void assertTheyFit(int probes) {
    List<HasMetadata> identity = read("serviceaccount.yaml");
    String namespace = only("00-namespace.yaml", Namespace.class).getMetadata().getName();
    ServiceAccount account = only("serviceaccount.yaml", ServiceAccount.class, identity);
    Deployment deployment = only("deployment.yaml", Deployment.class);
    assertThat(account.getMetadata().getNamespace()).isEqualTo(namespace);
    assertThat(deployment.getMetadata().getNamespace()).isEqualTo(namespace);
    assertThat(deployment.getSpec().getTemplate().getSpec().getServiceAccountName())
        .isEqualTo(account.getMetadata().getName());
    assertThat(deployment.getSpec().getSelector().getMatchLabels())
        .isEqualTo(deployment.getSpec().getTemplate().getMetadata().getLabels());

    List<String> bound = new ArrayList<>();
    for (HasMetadata object : identity) {
      if (object instanceof ClusterRoleBinding binding) {
        bound.add(bound(binding.getRoleRef(), "", binding.getSubjects(), account));
      } else if (object instanceof RoleBinding binding) {
        String where = binding.getMetadata().getNamespace();
        bound.add(bound(binding.getRoleRef(), where, binding.getSubjects(), account));
      }
    }
    assertThat(bound)
        .containsExactlyElementsOf(
            read("rbac.yaml").stream()
                .map(role -> reference(role.getKind(), role.getMetadata().getName(), where(role)))
                .toList());

    assertThat(container().getPorts())
        .filteredOn(port -> port.getName().equals("probes"))
        .singleElement()
        .satisfies(port -> assertThat(port.getContainerPort()).isEqualTo(probes));
  }

  private static String where(HasMetadata role) {
    String namespace = role.getMetadata().getNamespace();
    return namespace == null ? "" : namespace;
  }

  private static String bound(
      RoleRef role, String where, List<Subject> subjects, ServiceAccount account) {
    assertThat(subjects).hasSize(1);
    assertThat(subjects.get(0).getName()).isEqualTo(account.getMetadata().getName());
    assertThat(subjects.get(0).getNamespace()).isEqualTo(account.getMetadata().getNamespace());
    return reference(role.getKind(), role.getName(), where);
  }

  private static String reference(String kind, String name, String namespace) {
    return kind + " " + name + " in '" + namespace + "'";
  }
}
