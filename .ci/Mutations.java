// SPDX-License-Identifier: Apache-2.0

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Breaks the code in one place at a time, as {@code docs/mutations.tsv} describes, and checks that
 * the named tests fail: {@code java .ci/Mutations.java [filter ...]}. Changes a copy of the tracked
 * files in {@code target/mutations}; the checkout stays as it is.
 *
 * <p>{@code java .ci/Mutations.java --sample N [--seed S] [filter ...]} carries out a random sample
 * of {@code N} selected rows on the class files of the last {@code mvn verify}, and prints the seed
 * that draws the same sample again. Rows that need Maven or an API server are not in the sample.
 * In a sample, a test that passes on the unchanged code fails if its row takes more than 15 s.
 *
 * <p>A filter selects the rows that contain it in {@code what}, {@code file} or {@code how}. Rows
 * with {@code *IT} tests are skipped unless {@code KUBEBUILDER_ASSETS} is set. Rows whose {@code
 * what} contains {@code planted N} plant a known bug of another system; a bug is caught if all its
 * selected rows are. The exit status is 0 if no selected row survived or could not be carried out,
 * and 1 otherwise.
 */
public final class Mutations {

  private static final Path TABLE = Path.of("docs", "mutations.tsv");
  private static final Path WORK = Path.of("target", "mutations").toAbsolutePath();
  private static final Path COPY = WORK.resolve("checkout");
  private static final Path SAVED = WORK.resolve("saved"); // is there only if it is complete
  private static final Path PARTIAL = WORK.resolve("partial");
  private static final Path REPORTS = WORK.resolve("reports");
  private static final String CLASS_PATH = "target/mutations.classpath";
  private static final boolean HAS_SERVER = System.getenv("KUBEBUILDER_ASSETS") != null;

  /** A jar of ours in the local repository, which Maven takes if it tests one module only. */
  private static final Pattern INSTALLED =
      Pattern.compile("[^:]*/dev/windlass/(framework-[\\w-]+)/[^/:]+/([^/:]+\\.jar)");

  private static final Pattern PLANTED = Pattern.compile("planted ([0-9]+)");
  private static final int KNOWN_BUGS = 35; // see docs/reliability.md

  private static final Duration BUILD_LIMIT = Duration.ofMinutes(30);
  private static final Duration TEST_LIMIT = Duration.ofMinutes(2); // a test that hangs fails
  private static final Duration SERVER_TEST_LIMIT = Duration.ofMinutes(5);
  private static final Duration SAMPLE_LIMIT = Duration.ofSeconds(15); // for all tests of a row

  /** How a row ended. */
  private enum Outcome {
    CAUGHT,
    SURVIVED,
    ERROR,
    SKIPPED
  }

  /** A line of the table. */
  private record Row(
      String what, String file, String how, String was, String becomes, List<String> tests) {

    static Row parse(String line) {
      String[] cells = line.split("\t", -1);
      String was = cells[3].translateEscapes();
      String becomes = cells[4].translateEscapes();
      return new Row(cells[0], cells[1], cells[2], was, becomes, List.of(cells[5].split(" ")));
    }

    boolean matches(String filter) {
      return Stream.of(what, file, how).anyMatch(cell -> cell.contains(filter));
    }

    boolean needsServer() {
      return tests.stream().anyMatch(test -> className(test).endsWith("IT"));
    }

    /** Whether the changed file can be compiled by itself. Maven generates CRDs from others. */
    boolean needsMaven() throws IOException {
      return !file.endsWith(".java") || generatesCrd(Files.readString(Path.of(file)));
    }

    @Override
    public String toString() {
      return what + ": " + how + " (" + Path.of(file).getFileName() + ")";
    }
  }

  /** What the command line asks for. Without a sample, its size is empty. */
  private record Arguments(OptionalInt sample, long seed, List<String> filters) {

    static Arguments parse(String[] arguments) {
      OptionalInt sample = OptionalInt.empty();
      long seed = new SecureRandom().nextInt(Integer.MAX_VALUE);
      List<String> filters = new ArrayList<>();
      for (int i = 0; i < arguments.length; i++) {
        switch (arguments[i]) {
          case "--sample" -> sample = OptionalInt.of(Integer.parseInt(arguments[++i]));
          case "--seed" -> seed = Long.parseLong(arguments[++i]);
          default -> filters.add(arguments[i]);
        }
      }
      return new Arguments(sample, seed, filters);
    }

    boolean select(Row row) {
      return filters.isEmpty() || filters.stream().anyMatch(row::matches);
    }

    /** Draws the sample, or returns all rows if none was asked for. */
    List<Row> draw(List<Row> rows) throws IOException {
      if (sample.isEmpty()) {
        return rows;
      }
      List<Row> drawn = new ArrayList<>();
      for (Row row : rows) {
        if (!row.needsMaven() && !row.needsServer()) {
          drawn.add(row);
        }
      }
      Collections.shuffle(drawn, new Random(seed));
      int size = Math.min(sample.getAsInt(), drawn.size());
      System.out.printf("A sample of %d of %d rows: --seed %d%n", size, drawn.size(), seed);
      return drawn.subList(0, size);
    }
  }

  /** Where a test class is, and the simple name of the class that it extends; empty for none. */
  private record TestClass(Path module, String name, String parent) {}

  /** By simple names. */
  private final Map<String, TestClass> testClasses = new TreeMap<>();

  private final Arguments arguments;
  private final Path console;

  /** Whether the code is changed at the moment. */
  private boolean mutated;

  /** Whether each planted bug was caught by all its rows so far. */
  private final Map<Integer, Boolean> planted = new TreeMap<>();

  private Mutations(Arguments arguments) throws IOException, InterruptedException {
    this.arguments = arguments;
    copyTrackedFiles();
    if (arguments.sample().isPresent()) {
      copyClasses();
    } else {
      System.out.println("Compiling a copy of the checkout in " + COPY);
      maven("package", "dependency:build-classpath", "-Dmdep.outputFile=" + CLASS_PATH);
    }
    console = testRunner();
    Pattern source = Pattern.compile("(.*)/src/test/java/(.*?)(\\w+)\\.java");
    for (Path file : files(COPY)) {
      Matcher path = source.matcher(file.toString());
      if (path.matches()) {
        String name = (path.group(2) + path.group(3)).replace('/', '.');
        Matcher parent =
            Pattern.compile("\nfinal class \\w+ extends (\\w+)").matcher(Files.readString(file));
        testClasses.put(
            path.group(3),
            new TestClass(Path.of(path.group(1)), name, parent.find() ? parent.group(1) : ""));
      }
    }
  }

  /** Runs the rows that the filters select, or a sample of them. */
  public static void main(String[] words) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Arguments arguments = Arguments.parse(words);
    List<Row> rows = new ArrayList<>();
    int skipped = 0;
    for (String line : Files.readAllLines(TABLE).stream().skip(1).toList()) {
      Row row = Row.parse(line);
      if (arguments.select(row)) {
        if (HAS_SERVER || !row.needsServer() || arguments.sample().isPresent()) {
          rows.add(row);
        } else {
          System.out.printf("%-8s        %s%n", Outcome.SKIPPED, row);
          skipped++;
        }
      }
    }
    rows = arguments.draw(rows);
    Mutations mutations = new Mutations(arguments);
    Map<Outcome, Integer> count = mutations.run(rows);
    System.out.printf(
        "%d mutations, %d caught, %d survived, %d errors; %d s%n",
        rows.size() + skipped,
        count.getOrDefault(Outcome.CAUGHT, 0),
        count.getOrDefault(Outcome.SURVIVED, 0),
        count.getOrDefault(Outcome.ERROR, 0),
        (System.nanoTime() - start) / 1_000_000_000);
    if (arguments.sample().isEmpty() && !mutations.planted.isEmpty()) {
      mutations.planted.values().removeIf(caught -> !caught);
      Set<Integer> bugs = mutations.planted.keySet();
      System.out.printf("planted bugs: %d of %d caught: %s%n", bugs.size(), KNOWN_BUGS, bugs);
    }
    if (skipped > 0) {
      System.out.printf("SKIPPED %d: set KUBEBUILDER_ASSETS to run their *IT tests%n", skipped);
    }
    boolean allCaught = count.getOrDefault(Outcome.CAUGHT, 0) == rows.size();
    System.exit(allCaught && rows.size() + skipped > 0 ? 0 : 1);
  }

  private Map<Outcome, Integer> run(List<Row> rows) throws IOException, InterruptedException {
    Set<String> tests = new LinkedHashSet<>();
    rows.forEach(row -> tests.addAll(row.tests()));
    Map<String, Boolean> unchanged = test(tests);
    unchanged.values().removeIf(passed -> !passed);
    System.out.printf("%d of %d tests pass unchanged%n", unchanged.size(), tests.size());
    Map<Outcome, Integer> count = new EnumMap<>(Outcome.class);
    for (Row row : rows) {
      long start = System.nanoTime();
      Outcome outcome;
      String detail = "";
      try {
        for (String test : row.tests()) {
          require(unchanged.containsKey(test), test + " does not pass unchanged");
        }
        List<String> passed = survivors(row);
        outcome = passed.isEmpty() ? Outcome.CAUGHT : Outcome.SURVIVED;
        detail = passed.isEmpty() ? "" : "; passed: " + String.join(" ", passed);
      } catch (IllegalStateException e) {
        outcome = Outcome.ERROR;
        detail = "; " + e.getMessage();
      }
      count.merge(outcome, 1, Integer::sum);
      boolean caught = outcome == Outcome.CAUGHT;
      Matcher bug = PLANTED.matcher(row.what());
      while (bug.find()) {
        planted.merge(Integer.valueOf(bug.group(1)), caught, Boolean::logicalAnd);
      }
      long seconds = (System.nanoTime() - start) / 1_000_000_000;
      System.out.printf("%-8s %3d s  %s%s%n", outcome, seconds, row, detail);
    }
    return count;
  }

  /** Carries out one mutation, and returns the tests that pass nevertheless. */
  private List<String> survivors(Row row) throws IOException, InterruptedException {
    Path file = COPY.resolve(row.file());
    String text = Files.readString(file);
    FileTime written = Files.getLastModifiedTime(file);
    int at = text.indexOf(row.was());
    boolean once = at >= 0 && text.indexOf(row.was(), at + 1) < 0;
    require(once, "'was' must occur exactly once in " + row.file());
    String rest = text.substring(at + row.was().length());
    boolean java = row.file().endsWith(".java");
    try {
      if (java) {
        saveClasses(moduleOf(file));
      }
      Files.writeString(file, text.substring(0, at) + row.becomes() + rest);
      if (java) {
        compile(file, generatesCrd(text));
      }
      mutated = true;
      Map<String, Boolean> results = test(row.tests());
      for (String test : row.tests()) {
        require(results.containsKey(test), test + " was not found, or skipped itself");
      }
      return row.tests().stream().filter(results::get).toList();
    } finally {
      mutated = false;
      Files.writeString(file, text);
      Files.setLastModifiedTime(file, written); // so that the next run need not compile it
      restoreClasses();
    }
  }

  private static boolean generatesCrd(String source) {
    return source.contains("generator.annotation.");
  }

  private static void require(boolean condition, String problem) {
    if (!condition) {
      throw new IllegalStateException(problem);
    }
  }

  /** Copies what git tracks, as it is in the working tree. Does not touch files that are equal. */
  private static void copyTrackedFiles() throws IOException, InterruptedException {
    Files.createDirectories(COPY);
    restoreClasses(); // an earlier run may have been interrupted
    Path list = WORK.resolve("tracked");
    int status = run(Path.of(""), list, BUILD_LIMIT, List.of("git", "ls-files", "-z"));
    require(status == 0, "git ls-files failed, see " + list);
    Set<Path> tracked = new LinkedHashSet<>();
    for (String name : Files.readString(list).split("\0")) {
      Path from = Path.of(name);
      Path to = COPY.resolve(name);
      if (Files.isRegularFile(from)) {
        tracked.add(to);
        if (!Files.exists(to) || Files.mismatch(from, to) >= 0) {
          Files.createDirectories(to.getParent());
          Files.copy(from, to, REPLACE_EXISTING);
        }
      }
    }
    for (Path file : files(COPY)) {
      if (!tracked.contains(file) && !COPY.relativize(file).toString().matches("(.*/)?target/.*")) {
        Files.delete(file);
      }
    }
  }

  /**
   * Copies the class files of the last {@code mvn verify}, and the class path of each module's
   * tests, which the reports of surefire contain. Compiles nothing.
   */
  private static void copyClasses() throws IOException {
    Pattern property = Pattern.compile("name=\"surefire.test.class.path\" value=\"([^\"]*)\"");
    String checkout = Path.of("").toAbsolutePath().toString();
    for (Path pom : files(COPY).stream().filter(file -> file.endsWith("pom.xml")).toList()) {
      Path module = pom.getParent();
      Path compiled = Path.of(checkout).resolve(COPY.relativize(module)).resolve("target");
      List<Path> reports = files(compiled.resolve("surefire-reports"));
      Optional<Path> report =
          reports.stream().filter(file -> file.toString().endsWith(".xml")).findFirst();
      for (String classes : List.of("classes", "test-classes")) {
        delete(module.resolve("target").resolve(classes));
        copy(compiled.resolve(classes), module.resolve("target").resolve(classes));
      }
      if (report.isPresent()) {
        Matcher path = property.matcher(Files.readString(report.get()));
        require(path.find(), report.get() + " has no class path");
        String own = INSTALLED.matcher(path.group(1)).replaceAll(checkout + "/$1/target/$2");
        require(!own.contains("/dev/windlass/"), own + " has installed jars: mvn verify first");
        Files.writeString(module.resolve(CLASS_PATH), own.replace(checkout, COPY.toString()));
      }
    }
  }

  private static Path testRunner() throws IOException, InterruptedException {
    Matcher version =
        Pattern.compile("<junit.version>5(.*?)<")
            .matcher(Files.readString(COPY.resolve("pom.xml")));
    require(version.find(), "pom.xml has no junit.version");
    String artifact = "junit-platform-console-standalone";
    String platform = "1" + version.group(1);
    Path jar = WORK.resolve(artifact + "-" + platform + ".jar");
    if (!Files.exists(jar)) {
      String wanted = "-Dartifact=org.junit.platform:" + artifact + ":" + platform;
      maven("--non-recursive", "dependency:copy", wanted, "-DoutputDirectory=" + WORK);
    }
    return jar;
  }

  private static void maven(String... arguments) throws IOException, InterruptedException {
    Path log = WORK.resolve("maven.log");
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-DskipTests"));
    command.add("-Dspotless.check.skip=true");
    command.addAll(List.of(arguments));
    int status = run(COPY, log, BUILD_LIMIT, command);
    require(status == 0, String.join(" ", command) + " failed, see " + log);
  }

  /** Compiles a changed file; if a CRD is generated from it, everything that Maven generates. */
  private void compile(Path file, boolean crd) throws IOException, InterruptedException {
    Path module = moduleOf(file);
    if (crd) {
      String changedFileOnly = "-Dmaven.compiler.useIncrementalCompilation=false";
      maven("test-compile", "-pl", COPY.relativize(module).toString(), "-am", changedFileOnly);
      return;
    }
    Path compiled = WORK.resolve("compiled"); // without module-info.class: all is on the class path
    delete(compiled);
    Files.createDirectories(compiled);
    List<String> options = new ArrayList<>(List.of("--release", "17", "-parameters", "-nowarn"));
    options.addAll(List.of("-proc:none", "-implicit:none", "-d", compiled.toString()));
    options.addAll(List.of("-classpath", classPath(module)));
    var compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      var sources = manager.getJavaFileObjects(file);
      boolean done = compiler.getTask(messages, manager, null, options, null, sources).call();
      require(done, "the changed code does not compile: " + messages);
    }
    copy(compiled, module.resolve("target/classes"));
  }

  /** Keeps a module's classes aside. The changed ones replace them: some tests read the files. */
  private static void saveClasses(Path module) throws IOException {
    delete(PARTIAL);
    copy(module.resolve("target/classes"), PARTIAL.resolve("target/classes"));
    Files.writeString(PARTIAL.resolve("module"), module.toString());
    Files.move(PARTIAL, SAVED);
  }

  private static void restoreClasses() throws IOException {
    if (Files.exists(SAVED)) {
      Path classes = Path.of(Files.readString(SAVED.resolve("module")), "target/classes");
      delete(classes);
      copy(SAVED.resolve("target/classes"), classes);
      Files.move(SAVED, PARTIAL);
      delete(PARTIAL);
    }
  }

  /** Runs tests, in one JVM for each module. Returns for each that ran whether it passed. */
  private Map<String, Boolean> test(Iterable<String> tests)
      throws IOException, InterruptedException {
    Map<Path, List<String>> modules = new LinkedHashMap<>();
    for (String test : tests) {
      TestClass type = testClasses.get(className(test));
      require(type != null, "there is no test class " + className(test));
      modules.computeIfAbsent(type.module(), module -> new ArrayList<>()).add(test);
    }
    Map<String, Boolean> results = new TreeMap<>();
    for (Map.Entry<Path, List<String>> module : modules.entrySet()) {
      results.putAll(test(module.getKey(), module.getValue()));
    }
    return results;
  }

  private Map<String, Boolean> test(Path module, List<String> tests)
      throws IOException, InterruptedException {
    delete(REPORTS);
    boolean unit = tests.stream().noneMatch(test -> className(test).endsWith("IT"));
    Duration limit = unit ? TEST_LIMIT : SERVER_TEST_LIMIT;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-classpath"));
    command.add(classPath(module) + File.pathSeparator + console);
    command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute"));
    command.addAll(List.of("--exclude-engine=junit-vintage", "--details=none"));
    command.add("--config=junit.jupiter.execution.timeout.default=" + limit.toSeconds() + " s");
    command.add("--reports-dir=" + REPORTS);
    for (String test : tests) {
      String type = testClasses.get(className(test)).name();
      command.add("--select-class=" + type);
      includeMethod(command, type, method(test));
      if (testClasses.containsKey(parent(test))) { // which may have the method in a nested class
        includeMethod(command, testClasses.get(parent(test)).name(), method(test));
      }
    }
    Path log = WORK.resolve("test.log");
    boolean mayHang = arguments.sample().isPresent() && mutated;
    Duration total = mayHang ? SAMPLE_LIMIT : limit.multipliedBy(10 + tests.size());
    int status = run(module, log, total, command);
    Map<String, Boolean> results = new TreeMap<>();
    if (status > 128 || (mayHang && status < 0)) { // the JVM was killed, and the tests with it
      tests.forEach(test -> results.put(test, false));
      return results;
    }
    require(status == 0 || status == 1, "the tests did not end well: " + status + ", see " + log);
    for (Path report : files(REPORTS)) {
      read(report, results);
    }
    for (String test : tests) {
      Boolean inherited = results.get(parent(test) + "." + method(test));
      if (inherited != null) {
        results.merge(test, inherited, Boolean::logicalAnd);
      }
    }
    results.keySet().retainAll(tests);
    return results;
  }

  /** Reads a report in JUnit's XML. A test with several invocations fails if one of them does. */
  private static void read(Path report, Map<String, Boolean> results) throws IOException {
    NodeList cases;
    try {
      var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      cases = builder.parse(report.toFile()).getElementsByTagName("testcase");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(report + " is not a report", e);
    }
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      String type = test.getAttribute("classname").replaceFirst("\\$.*", ""); // nested classes
      String method = test.getAttribute("name").replaceFirst("\\W.*", "");
      boolean failed = has(test, "failure") || has(test, "error");
      if (failed || !has(test, "skipped")) {
        String name = type.substring(type.lastIndexOf('.') + 1) + "." + method;
        results.merge(name, !failed, Boolean::logicalAnd);
      }
    }
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  private static void includeMethod(List<String> command, String type, String method) {
    command.add("--include-methodname=" + Pattern.quote(type) + "(\\$.*)?#" + method);
  }

  private static String className(String test) {
    return test.substring(0, test.indexOf('.'));
  }

  private static String method(String test) {
    return test.substring(test.indexOf('.') + 1);
  }

  /** Returns the simple name of the class that a test's class extends; empty for none. */
  private String parent(String test) {
    return testClasses.get(className(test)).parent();
  }

  /** What Maven has resolved for a module's tests, with our classes instead of our jars. */
  private static String classPath(Path module) throws IOException {
    Path file = module.resolve(CLASS_PATH);
    require(Files.exists(file), module + " has no class path: execute mvn verify first");
    String resolved = Files.readString(file).strip();
    return String.join(
        File.pathSeparator,
        module.resolve("target/test-classes").toString(),
        module.resolve("target/classes").toString(),
        resolved
            .replaceAll("/target/[^/:]*-SNAPSHOT\\.jar", "/target/classes")
            .replaceAll("/target/[^/:]*-SNAPSHOT-tests\\.jar", "/target/test-classes"));
  }

  private static Path moduleOf(Path file) {
    Path directory = file.getParent();
    while (!Files.exists(directory.resolve("pom.xml"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  /** Runs a program; its output goes to a file. Returns its exit status, or -1 after the limit. */
  private static int run(Path directory, Path log, Duration limit, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toAbsolutePath().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Thread end =
        new Thread(
            () -> {
              process.descendants().forEach(ProcessHandle::destroyForcibly);
              process.destroyForcibly();
            });
    Runtime.getRuntime().addShutdownHook(end);
    boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
    Runtime.getRuntime().removeShutdownHook(end);
    if (!ended) {
      end.run();
      process.waitFor();
    }
    return ended ? process.exitValue() : -1;
  }

  private static List<Path> files(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path target = to.resolve(from.relativize(file));
      Files.createDirectories(target.getParent());
      Files.copy(file, target, COPY_ATTRIBUTES, REPLACE_EXISTING);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }
}
