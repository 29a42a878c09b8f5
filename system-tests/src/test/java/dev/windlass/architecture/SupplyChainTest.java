// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What users get with us: few libraries, each in one version, and the same jars from the same
 * sources. {@code .ci/run} looks into the bill of materials.
 */
final class SupplyChainTest {

  private static final String OURS = "dev.windlass";

  /** A version that a property has; in the templates of windlass-archetype, between at signs. */
  private static final Pattern VARIABLE = Pattern.compile("[$@]\\{?([-.\\w]+)[@}]");

  private static Document pom(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  private static List<Path> poms() {
    return Checkout.filesBelow(Checkout.root()).stream()
        .filter(file -> file.endsWith("pom.xml"))
        .toList();
  }

  private static Stream<Element> elements(Document pom, String name) {
    NodeList found = pom.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
  }

  /** The text of a child; empty if there is none. */
  private static String text(Element parent, String name) {
    NodeList children = parent.getChildNodes();
    return IntStream.range(0, children.getLength())
        .mapToObj(children::item)
        .filter(child -> child.getNodeName().equals(name))
        .map(child -> child.getTextContent().strip())
        .findFirst()
        .orElse("");
  }

  private static Map<String, String> properties() throws Exception {
    return properties(Checkout.root().resolve("pom.xml"));
  }

  private static Map<String, String> properties(Path file) throws Exception {
    Map<String, String> properties = new TreeMap<>();
    elements(pom(file), "properties")
        .forEach(
            block -> {
              NodeList all = block.getChildNodes();
              for (int i = 0; i < all.getLength(); i++) {
                properties.put(all.item(i).getNodeName(), all.item(i).getTextContent());
              }
            });
    return properties;
  }

  /**
   * No range, no "latest", no snapshot, so that a build of tomorrow uses what one of today does.
   */
  @Test
  void useEachLibraryInOneExactVersion() throws Exception {
    Map<String, String> properties = properties();
    Set<String> versions = new TreeSet<>();
    for (Path file : poms()) {
      Document pom = pom(file);
      Stream.of("dependency", "plugin")
          .flatMap(kind -> elements(pom, kind))
          .filter(artifact -> !text(artifact, "groupId").equals(OURS))
          .map(artifact -> text(artifact, "version"))
          .filter(version -> !version.isEmpty())
          .map(version -> VARIABLE.matcher(version))
          .map(v -> v.replaceFirst(name -> properties.get(name.group(1))))
          .forEach(versions::add);
    }
    assertThat(versions)
        .hasSizeGreaterThan(20)
        .allMatch(version -> version.matches("[0-9]+(\\.[0-9]+)+(\\.Final)?"));
  }

  @Test
  void bringFewLibrariesToAnOperator() throws Exception {
    Map<String, Set<String>> brought = new TreeMap<>();
    for (String module : Checkout.FRAMEWORK.subList(0, 5)) {
      Set<String> libraries = new TreeSet<>();
      elements(pom(Checkout.root().resolve(module).resolve("pom.xml")), "dependency")
          .filter(artifact -> !text(artifact, "groupId").equals(OURS))
          .filter(artifact -> text(artifact, "scope").isEmpty())
          .filter(artifact -> !text(artifact, "optional").equals("true"))
          .forEach(artifact -> libraries.add(text(artifact, "artifactId")));
      brought.put(module, libraries);
    }
    assertThat(brought)
        .containsExactly(
            Map.entry("framework-cli", Set.of("logback-classic", "picocli")),
            Map.entry("framework-core", Set.of("micrometer-core")),
            Map.entry("framework-informer", Set.of("kubernetes-client", "slf4j-api")),
            Map.entry(
                "framework-webhook",
                Set.of(
                    "bcpkix-jdk18on",
                    "jetty-alpn-java-server",
                    "jetty-http2-server",
                    "jetty-server")),
            Map.entry("framework-workqueue", Set.of("slf4j-api")));
  }

  /** Jars carry a time; a fixed one makes two builds of one commit equal. */
  @Test
  void buildTheSameJarsFromTheSameSources() throws Exception {
    assertThat(properties().get("project.build.outputTimestamp"))
        .matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");
  }

  /** An IDE shows the documentation of each method only with the sources. */
  @Test
  void frameworkModulesComeWithTheirSources() throws Exception {
    assertThat(elements(pom(Checkout.root().resolve("pom.xml")), "goal"))
        .extracting(goal -> goal.getTextContent().strip())
        .contains("jar-no-fork");
    Set<String> without = new TreeSet<>();
    for (Path file : poms()) {
      if ("true".equals(properties(file).get("maven.source.skip"))) {
        without.add(Checkout.root().relativize(file).toString());
      }
    }
    assertThat(without)
        .containsExactly(
            "benchmarks/pom.xml",
            "examples/pom.xml",
            "system-tests/operators/pom.xml",
            "system-tests/pom.xml");
  }
}
