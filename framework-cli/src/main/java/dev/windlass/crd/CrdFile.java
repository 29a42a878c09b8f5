// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A CRD that ships with a program.
 *
 * @param file the path of the file on the class path; empty if the program has built the CRD itself
 * @param crd the CRD
 */
record CrdFile(String file, CustomResourceDefinition crd) {

  /** The folder to which fabric8's CRD generator writes. */
  private static final String GENERATED = "META-INF/fabric8";

  private static final String SUFFIX = "-v1.yml";

  /** The marker that begins a document. In YAML, no other line begins in this way. */
  private static final Pattern DOCUMENT_START = Pattern.compile("(?m)^---(?=\\s|$)");

  /**
   * Removes the priority 0 of columns, which the generator writes and the server omits. Otherwise,
   * the server would report a conflict with whoever has applied the same file before.
   */
  CrdFile {
    crd = new CustomResourceDefinitionBuilder(crd).build();
    for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
      version.getAdditionalPrinterColumns().stream()
          .filter(column -> Objects.equals(column.getPriority(), 0))
          .forEach(column -> column.setPriority(null));
    }
  }

  String name() {
    return crd.getMetadata().getName();
  }

  /**
   * Returns this CRD with the conversion that one of the given objects declares for it. Returns
   * this instance if there is no such declaration, or if a webhook already converts the objects.
   */
  CrdFile convertedBy(List<HasMetadata> manifests) {
    CustomResourceConversion own = crd.getSpec().getConversion();
    if (own != null && "Webhook".equals(own.getStrategy())) {
      return this;
    }
    return manifests.stream()
        .filter(object -> crd.getKind().equals(object.getKind()))
        .filter(object -> name().equals(object.getMetadata().getName()))
        .map(CrdFile::definition)
        .map(definition -> definition.getSpec().getConversion())
        .filter(Objects::nonNull)
        .findFirst()
        .map(this::with)
        .orElse(this);
  }

  private static CustomResourceDefinition definition(HasMetadata object) {
    return Serialization.unmarshal(Serialization.asJson(object), CustomResourceDefinition.class);
  }

  private CrdFile with(CustomResourceConversion conversion) {
    CustomResourceDefinitionBuilder copy = new CustomResourceDefinitionBuilder(crd);
    return new CrdFile(file, copy.editSpec().withConversion(conversion).endSpec().build());
  }

  /** Wraps a CRD that the program has built itself. */
  static CrdFile of(CustomResourceDefinition crd) {
    return new CrdFile("", crd);
  }

  /**
   * Returns the CRD that fabric8's CRD generator has created for a class.
   *
   * @throws IllegalArgumentException if the generator has not created a CRD for the class
   */
  static CrdFile of(Class<? extends HasMetadata> type) {
    String file = GENERATED + "/" + ResourceType.of(type).resource() + SUFFIX;
    ClassLoader classPath = type.getClassLoader();
    if (classPath.getResource(file) == null) {
      throw new IllegalArgumentException(
          "there is no file %s on the class path of %s; add the crd-generator-maven-plugin to the build, or pass the CustomResourceDefinition itself"
              .formatted(file, type.getName()));
    }
    return read(classPath, file).get(0); // the generator writes one CRD to each file
  }

  /**
   * Returns all CRDs on a class path: the handwritten CRDs, followed by the CRDs that the build
   * generated. If two CRDs have the same name, the result contains only the first one.
   *
   * @param handWritten the paths of the handwritten files; a file can contain several documents and
   *     lists
   * @throws IllegalArgumentException if one of the files does not exist, or contains no CRD or
   *     something else
   */
  static List<CrdFile> find(ClassLoader classPath, List<String> handWritten) {
    Map<String, CrdFile> byName = new LinkedHashMap<>();
    Stream.concat(handWritten.stream(), generated(classPath).stream())
        .flatMap(file -> read(classPath, file).stream())
        .forEach(file -> byName.putIfAbsent(file.name(), file));
    return List.copyOf(byName.values());
  }

  /** Returns the CRDs in all documents of a file. */
  private static List<CrdFile> read(ClassLoader classPath, String file) {
    List<CrdFile> found = new ArrayList<>();
    int number = 0;
    for (String document : DOCUMENT_START.split(text(classPath, file), -1)) {
      if (!isEmpty(document)) {
        String place = "document " + ++number + " of the file " + file;
        for (Object object : objects(place, document)) {
          found.add(new CrdFile(file, crd(place, object)));
        }
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("the file " + file + " contains no CRD");
    }
    return found;
  }

  private static boolean isEmpty(String document) {
    return document
        .lines()
        .map(String::strip)
        .allMatch(line -> line.isEmpty() || line.startsWith("#") || line.equals("..."));
  }

  private static String text(ClassLoader classPath, String file) {
    try (InputStream yaml = classPath.getResourceAsStream(file)) {
      if (yaml == null) {
        throw new IllegalArgumentException("there is no file " + file + " on the class path");
      }
      return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the object in a document, or the items of a list such as {@code kind: List}. */
  private static List<?> objects(String place, String document) {
    try {
      KubernetesResource object = Serialization.unmarshal(document, KubernetesResource.class);
      return object instanceof KubernetesResourceList<?> list ? list.getItems() : List.of(object);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(place + " is not a Kubernetes object", e);
    }
  }

  private static CustomResourceDefinition crd(String place, Object object) {
    if (object instanceof CustomResourceDefinition crd
        && crd.getMetadata() != null
        && crd.getSpec() != null) {
      return crd;
    }
    String what =
        object instanceof HasMetadata other
            ? "a %s of %s".formatted(other.getKind(), other.getApiVersion())
            : "another object";
    throw new IllegalArgumentException(
        "%s must contain CustomResourceDefinitions of apiextensions.k8s.io/v1 with metadata and spec, but contains %s; move it to another file"
            .formatted(place, what));
  }

  private static Collection<String> generated(ClassLoader classPath) {
    Collection<String> files = new TreeSet<>();
    try {
      for (URL folder : Collections.list(classPath.getResources(GENERATED))) {
        if (folder.openConnection() instanceof JarURLConnection inJar) {
          addFrom(inJar, files);
        } else {
          addFrom(Path.of(folder.toURI()), files);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a folder of the class path is a URI", e);
    }
    return files;
  }

  private static void addFrom(JarURLConnection folder, Collection<String> files)
      throws IOException {
    folder.setUseCaches(false); // closing a cached file would also close the class loader's file
    try (JarFile jar = folder.getJarFile()) {
      jar.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.startsWith(GENERATED + "/") && name.endsWith(SUFFIX))
          .forEach(files::add);
    }
  }

  private static void addFrom(Path folder, Collection<String> files) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      entries
          .map(entry -> GENERATED + "/" + entry.getFileName())
          .filter(name -> name.endsWith(SUFFIX))
          .forEach(files::add);
    }
  }
}
