// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Checks and completes what {@code mvn -Prelease deploy} has put into a staging folder, before
 * anyone uploads it; RELEASING.md has the steps.
 *
 * <ul>
 *   <li>{@code java .ci/Release.java check STAGING VERSION}: each published module has all files
 *       that a public repository asks for, with signatures and checksums that are right, and a POM
 *       that stands alone.
 *   <li>{@code java .ci/Release.java same STAGING CHECKOUT VERSION}: the jars that a second build in
 *       another folder has made are equal to the staged ones, byte for byte.
 *   <li>{@code java .ci/Release.java provenance STAGING VERSION}: writes which commit and which
 *       tools the staged files were built from, as an in-toto statement.
 *   <li>{@code java .ci/Release.java getting-started FOLDER VERSION}: makes the project of {@code
 *       docs/getting-started.md} in an empty folder, as a reader of the page does.
 *   <li>{@code java .ci/Release.java notes VERSION}: prints the changelog's section of a version;
 *       "Unreleased" if it has none yet.
 * </ul>
 *
 * The exit status is 1 if something is missing or wrong; each line of the output names one defect.
 */
public final class Release {

  private static final Path GROUP = Path.of("dev", "windlass");
  private static final String PROVENANCE = "windlass-%s.intoto.json";

  /** What a repository asks a POM for, and what tools show of a library. */
  private static final List<String> METADATA =
      List.of(
          "name",
          "description",
          "url",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  /** A code of a page that is the content of a file. */
  private static final Pattern FILE =
      Pattern.compile("<!-- file: (\\S+) -->\n```\\w+\n(.*?)\n```", Pattern.DOTALL);

  private final List<String> defects = new ArrayList<>();

  private Release() {}

  /** Runs one of the commands. */
  public static void main(String[] args) throws Exception {
    Release release = new Release();
    List<String> words = List.of(args);
    switch (words.isEmpty() ? "" : words.get(0) + " " + words.size()) {
      case "check 3" -> release.check(Path.of(words.get(1)), words.get(2));
      case "same 4" -> release.same(Path.of(words.get(1)), Path.of(words.get(2)), words.get(3));
      case "provenance 3" -> provenance(Path.of(words.get(1)), words.get(2));
      case "getting-started 3" -> gettingStarted(Path.of(words.get(1)), words.get(2));
      case "notes 2" -> notes(words.get(1));
      default -> {
        System.err.println("usage: java .ci/Release.java check|same|provenance|getting-started|notes ...");
        System.exit(2);
      }
    }
    release.defects.forEach(System.out::println);
    System.exit(release.defects.isEmpty() ? 0 : 1);
  }

  // ------------------------------------------------------------------------------------- the check

  /** The modules that this checkout publishes: those whose POMs don't say otherwise. */
  private static Set<String> modules() throws IOException {
    Set<String> modules = new TreeSet<>(Set.of("windlass-parent"));
    try (Stream<Path> folders = Files.list(Path.of(""))) {
      for (Path folder : folders.toList()) {
        Path pom = folder.resolve("pom.xml");
        if (Files.exists(pom) && !folder.toString().equals("examples")) {
          Element project = parse(pom);
          if (!text(project, "properties/maven.deploy.skip").equals("true")) {
            modules.add(text(project, "artifactId"));
          }
        }
      }
    }
    return modules;
  }

  private void check(Path staging, String version) throws Exception {
    Set<String> expected = modules();
    Set<String> staged = new TreeSet<>();
    try (Stream<Path> folders = Files.list(staging.resolve(GROUP))) {
      folders
          .filter(folder -> Files.isDirectory(folder.resolve(version)))
          .forEach(folder -> staged.add(folder.getFileName().toString()));
    }
    if (!staged.equals(expected)) {
      defects.add("staged are " + staged + ", but the modules to publish are " + expected);
    }
    int files = 0;
    for (String module : staged) {
      files += checkModule(staging.resolve(GROUP).resolve(module).resolve(version), module, version);
    }
    checkMaterials(staging.resolve(GROUP).resolve("windlass-parent").resolve(version), version);
    System.out.printf("%d modules, %d files, %d defects%n", staged.size(), files, defects.size());
  }

  /** The bill of all materials names each module that has a jar, and what these bring along. */
  private void checkMaterials(Path folder, String version) throws IOException {
    String bill = Files.readString(folder.resolve("windlass-parent-" + version + "-cyclonedx.json"));
    Set<String> names = modules();
    names.removeAll(Set.of("windlass-parent", "windlass-bom"));
    names.addAll(Set.of("kubernetes-client-api", "slf4j-api", "micrometer-core", "jetty-server"));
    for (String name : names) {
      if (!bill.contains("\"name\" : \"" + name + "\"")) {
        defects.add("the bill of all materials does not name " + name);
      }
    }
  }

  private int checkModule(Path folder, String module, String version) throws Exception {
    Path pom = folder.resolve(module + "-" + version + ".pom");
    if (!Files.exists(pom)) {
      defects.add(pom + " is missing");
      return 0;
    }
    checkPom(pom, module, version);
    List<String> wanted = new ArrayList<>(List.of(".pom", "-cyclonedx.json"));
    if (!text(parse(pom), "packaging").equals("pom")) {
      wanted.addAll(List.of(".jar", "-sources.jar", "-javadoc.jar"));
    }
    for (String end : wanted) {
      Path file = folder.resolve(module + "-" + version + end);
      if (!Files.exists(file)) {
        defects.add(file + " is missing");
      } else if (file.toString().endsWith(".jar")) {
        checkJar(file, text(parse(pom), "packaging"));
      }
    }
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.filter(Release::isContent).sorted().toList();
    }
    for (Path file : files) {
      checkSignature(file);
      checkSum(file, "md5", "MD5");
      checkSum(file, "sha1", "SHA-1");
    }
    return files.size();
  }

  private void checkPom(Path pom, String module, String version) throws IOException {
    Element project = parse(pom);
    for (String path : METADATA) {
      if (text(project, path).isBlank()) {
        defects.add(pom + " has no " + path);
      }
    }
    if (child(project, "parent") != null) {
      defects.add(pom + " has a parent, without which nobody can read it");
    }
    if (!text(project, "artifactId").equals(module) || !text(project, "version").equals(version)) {
      defects.add(pom + " is the POM of another module or version");
    }
    String content = Files.readString(pom);
    if (!version.endsWith("-SNAPSHOT") && content.contains("-SNAPSHOT")) {
      defects.add(pom + " depends on a snapshot");
    }
    if (content.replace("${project.version}", "").contains("${")) {
      defects.add(pom + " has a variable that nobody but our build can resolve");
    }
  }

  private void checkJar(Path jar, String packaging) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      boolean isSources = jar.toString().endsWith("-sources.jar");
      String wanted =
          jar.toString().endsWith("-javadoc.jar")
              ? "index.html"
              : switch (packaging) {
                case "maven-archetype" -> "META-INF/maven/archetype-metadata.xml";
                case "maven-plugin" ->
                    isSources ? "dev/windlass/maven/package-info.java" : "META-INF/maven/plugin.xml";
                default -> isSources ? "module-info.java" : "module-info.class";
              };
      if (zip.getEntry(wanted) == null && !(isSources ? hasPackages(zip) : isAutomatic(zip))) {
        defects.add(jar + " has no " + wanted);
      }
    }
  }

  /** Whether the manifest names the module, as in a jar whose dependencies have no descriptors. */
  private static boolean isAutomatic(ZipFile zip) throws IOException {
    ZipEntry manifest = zip.getEntry("META-INF/MANIFEST.MF");
    return manifest != null
        && new String(zip.getInputStream(manifest).readAllBytes(), StandardCharsets.UTF_8)
            .contains("Automatic-Module-Name: dev.windlass.");
  }

  private static boolean hasPackages(ZipFile zip) {
    return zip.stream().anyMatch(entry -> entry.getName().endsWith("/package-info.java"));
  }

  private void checkSignature(Path file) throws Exception {
    Path signature = Path.of(file + ".asc");
    if (!Files.exists(signature)) {
      defects.add(file + " is not signed");
      return;
    }
    Process gpg =
        new ProcessBuilder("gpg", "--batch", "--verify", signature.toString(), file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(gpg.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (gpg.waitFor() != 0) {
      defects.add(file + " has a wrong signature: " + output.lines().findFirst().orElse(""));
    }
  }

  private void checkSum(Path file, String end, String algorithm) throws Exception {
    Path sum = Path.of(file + "." + end);
    if (!Files.exists(sum)) {
      defects.add(sum + " is missing");
    } else if (!Files.readString(sum).strip().equals(digest(file, algorithm))) {
      defects.add(sum + " is not the sum of its file");
    }
  }

  private static boolean isContent(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith("maven-metadata") && !name.matches(".*\\.(asc|md5|sha1|sha256|sha512)");
  }

  // -------------------------------------------------------------------------------- the comparison

  private void same(Path staging, Path checkout, String version) throws Exception {
    int compared = 0;
    for (String module : modules()) {
      Path folder = staging.resolve(GROUP).resolve(module).resolve(version);
      if (!Files.isDirectory(folder)) {
        continue;
      }
      List<Path> jars;
      try (Stream<Path> found = Files.list(folder)) {
        jars = found.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      }
      for (Path jar : jars) {
        Path again = checkout.resolve(module).resolve("target").resolve(jar.getFileName());
        if (jar.toString().endsWith("-javadoc.jar")) {
          continue;
        }
        compared++;
        if (!Files.exists(again)) {
          defects.add(again + " is missing");
        } else if (Files.mismatch(jar, again) >= 0) {
          defects.add(jar + " differs from " + again + ": " + differences(jar, again));
        }
      }
    }
    if (compared == 0) {
      defects.add("there is no jar to compare in " + staging);
    }
    System.out.printf("%d jars compared, %d differ%n", compared, defects.size());
  }

  private static String differences(Path one, Path other) throws IOException {
    try (ZipFile first = new ZipFile(one.toFile());
        ZipFile second = new ZipFile(other.toFile())) {
      Set<String> differing = new TreeSet<>();
      for (ZipEntry entry : first.stream().toList()) {
        ZipEntry same = second.getEntry(entry.getName());
        if (same == null || same.getCrc() != entry.getCrc() || same.getTime() != entry.getTime()) {
          differing.add(entry.getName());
        }
      }
      second.stream()
          .map(ZipEntry::getName)
          .filter(name -> first.getEntry(name) == null)
          .forEach(differing::add);
      return differing.isEmpty() ? "the order of its entries" : differing.toString();
    }
  }

  // -------------------------------------------------------------------------------- the provenance

  /** An in-toto statement with SLSA's predicate; the subjects are all staged jars and POMs. */
  private static void provenance(Path staging, String version) throws Exception {
    List<Path> files;
    try (Stream<Path> found = Files.walk(staging)) {
      files =
          found
              .filter(file -> file.toString().matches(".*\\.(jar|pom)"))
              .filter(file -> file.getParent().getFileName().toString().equals(version))
              .sorted()
              .toList();
    }
    List<String> subjects = new ArrayList<>();
    for (Path file : files) {
      subjects.add(
          "    {\"name\": \"%s\", \"digest\": {\"sha256\": \"%s\"}}"
              .formatted(file.getFileName(), digest(file, "SHA-256")));
    }
    String origin = text(parse(Path.of("pom.xml")), "scm/url");
    String statement =
        """
        {
          "_type": "https://in-toto.io/Statement/v1",
          "subject": [
        %s
          ],
          "predicateType": "https://slsa.dev/provenance/v1",
          "predicate": {
            "buildDefinition": {
              "buildType": "%s/blob/main/RELEASING.md",
              "externalParameters": {"command": "mvn -Prelease deploy", "version": "%s"},
              "resolvedDependencies": [
                {"uri": "git+%s", "digest": {"gitCommit": "%s"}}
              ],
              "internalParameters": {"java": "%s", "maven": "%s"}
            },
            "runDetails": {
              "builder": {"id": "%s"},
              "metadata": {"finishedOn": "%s"}
            }
          }
        }
        """
            .formatted(
                String.join(",\n", subjects),
                origin,
                version,
                origin,
                output("git", "rev-parse", "HEAD"),
                System.getProperty("java.runtime.version"),
                output("mvn", "-B", "-v").lines().findFirst().orElse("").replaceAll("[^ -~]", ""),
                System.getenv().getOrDefault("GITHUB_WORKFLOW_REF", origin + "/local-build"),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    Path file = staging.resolve(PROVENANCE.formatted(version));
    Files.writeString(file, statement);
    System.out.println(file + ": " + subjects.size() + " subjects");
  }

  private static String output(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(Arrays.toString(command) + " failed");
    }
    return output.strip();
  }

  // ------------------------------------------------------------------------------------- the notes

  private static void notes(String version) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("CHANGELOG.md"));
    int begin = lines.indexOf("## Unreleased");
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).matches("## " + Pattern.quote(version) + "( .*)?")) {
        begin = i;
      }
    }
    if (begin < 0) {
      throw new IOException("CHANGELOG.md has a section neither for " + version + " nor Unreleased");
    }
    System.out.println(
        lines.subList(begin + 1, lines.size()).stream()
            .takeWhile(line -> !line.startsWith("## "))
            .collect(Collectors.joining("\n"))
            .strip());
  }

  // ------------------------------------------------------------------------------ a first project

  /** Each code of the page that is a file, below the folder that the page names. */
  private static void gettingStarted(Path folder, String version) throws IOException {
    String page = Files.readString(Path.of("docs", "getting-started.md"));
    Matcher file = FILE.matcher(page);
    int files = 0;
    while (file.find()) {
      String name =
          file.group(1)
              .replaceFirst("docs/getting-started/|examples/quickstart/", "")
              .replace("dev/windlass/examples/quickstart", "com/example");
      Path to = folder.resolve(name);
      Files.createDirectories(to.toAbsolutePath().getParent());
      Files.writeString(to, file.group(2).replaceAll("[0-9.]+-SNAPSHOT", version));
      files++;
    }
    System.out.println(folder + ": " + files + " files of docs/getting-started.md");
  }

  // ------------------------------------------------------------------------------------------ files

  private static String digest(Path file, String algorithm)
      throws IOException, NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file));
    return String.format("%0" + 2 * digest.length + "x", new BigInteger(1, digest));
  }

  private static Element parse(Path xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(xml.toFile()).getDocumentElement();
    } catch (Exception e) {
      throw new IOException(xml + " can't be read: " + e.getMessage(), e);
    }
  }

  /** The text at a path of names; empty if there is none. */
  private static String text(Element root, String path) {
    Element at = root;
    for (String name : path.split("/")) {
      at = child(at, name);
      if (at == null) {
        return "";
      }
    }
    return at.getTextContent().strip();
  }

  private static Element child(Element parent, String name) {
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i) instanceof Element && nodes.item(i).getNodeName().equals(name)) {
        return (Element) nodes.item(i);
      }
    }
    return null;
  }
}
