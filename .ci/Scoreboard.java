// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Writes the scoreboard of {@code docs/reliability.md} from the results of the last run of {@code
 * .ci/run}: {@code java .ci/Scoreboard.java}.
 *
 * <p>Reads the reports of surefire and failsafe, and the logs in {@code target/ci}. A figure that
 * no report and no log contains is "not measured". The exit status is 1 if a figure misses its
 * target.
 */
public final class Scoreboard {

  private static final Path PAGE = Path.of("docs", "reliability.md");
  private static final Path SECURITY = Path.of("docs", "security.md");
  private static final Path LOGS = Path.of("target", "ci");
  private static final String BEGIN = "<!-- scoreboard: java .ci/Scoreboard.java -->";
  private static final String END = "<!-- end of the scoreboard -->";
  private static final int SCHEDULES = 10_000;
  private static final String SOAK = "InformerSoakIT.knowsTheTruthInTheEnd";
  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Pattern DECLARED = Pattern.compile("class (\\w+)(?:<\\w+>)? extends (\\w+)");

  /** The seconds until a cache must equal the server after the last fault. */
  private static final int CONVERGENCE = 30;

  /** A line of the table. A value that misses its target is marked. */
  private record Figure(String name, String target, String value, boolean met, String source) {

    static Figure missing(String name, String target, String why) {
      return new Figure(name, target, "not measured", true, why);
    }

    String line() {
      String shown = met ? value : "**" + value + "**";
      return "| %s | %s | %s | %s |".formatted(name, target, shown, source);
    }
  }

  /** The result of a test. It passed if each of its runs did, at the first try. */
  private record Result(int runs, boolean passed) {}

  /** By the simple name of the outermost or nested class, and the method: {@code FooTest.bar}. */
  private final Map<String, Result> results = new HashMap<>();

  /** The classes that extend a class, by simple names. */
  private final Map<String, List<String>> subclasses = new HashMap<>();

  private final List<String> lines = new ArrayList<>();

  private Scoreboard() throws Exception {
    long begun = begun();
    for (Path file : files(Path.of(""))) {
      String name = file.toString();
      if (name.startsWith("target/mutations/")) {
        continue;
      }
      if (name.matches(".*/target/(surefire|failsafe)-reports/TEST-.*\\.xml")) {
        if (file.toFile().lastModified() >= begun) {
          readReport(file);
        }
      } else if (name.matches(".*/src/test/java/.*\\.java")) {
        readSubclasses(file);
      }
    }
    for (Path log : files(LOGS)) {
      if (log.toString().endsWith(".log")) {
        Files.readAllLines(log)
            .forEach(line -> lines.add(line.replaceAll("\u001b\\[[0-9;]*m", "")));
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Returns when the first leg began, so that reports of earlier runs are left out. */
  private static long begun() throws IOException {
    return files(LOGS).stream()
        .filter(file -> file.toString().endsWith(".start"))
        .mapToLong(file -> file.toFile().lastModified())
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void readReport(Path file) throws Exception {
    NodeList cases =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      if (has(test, "skipped")) {
        continue;
      }
      boolean passed =
          Stream.of("failure", "error", "flakyFailure", "flakyError")
              .noneMatch(tag -> has(test, tag));
      String method = test.getAttribute("name").replaceAll("[^\\w].*", "");
      for (String type : test.getAttribute("classname").replaceAll(".*\\.", "").split("\\$")) {
        results.merge(
            type + "." + method,
            new Result(1, passed),
            (a, b) -> new Result(a.runs() + b.runs(), a.passed() && b.passed()));
      }
    }
  }

  private static boolean has(Element test, String tag) {
    return test.getElementsByTagName(tag).getLength() > 0;
  }

  private void readSubclasses(Path file) throws IOException {
    for (MatchResult found : DECLARED.matcher(Files.readString(file)).results().toList()) {
      subclasses.computeIfAbsent(found.group(2), name -> new ArrayList<>()).add(found.group(1));
    }
  }

  // ---- what was read

  /**
   * Returns the classes in which the tests of a class run: itself or, if abstract, its subclasses.
   */
  private Stream<String> runsIn(String type) {
    return Stream.concat(
        Stream.of(type), subclasses.getOrDefault(type, List.of()).stream().flatMap(this::runsIn));
  }

  /** Returns the results of a test in the classes that a predicate accepts. */
  private List<Result> results(String type, String method, Predicate<String> classes) {
    return runsIn(type)
        .filter(classes)
        .map(name -> results.get(name + "." + method))
        .filter(result -> result != null)
        .toList();
  }

  private boolean passed(MatchResult test) {
    List<Result> found = results(test.group(1), test.group(2), name -> true);
    return !found.isEmpty() && found.stream().allMatch(Result::passed);
  }

  /** Returns the rows of a table whose first cell matches, as the texts of their last cell. */
  private static Map<String, String> rows(Path page, String id) throws IOException {
    Pattern row = Pattern.compile("\\| (" + id + ") \\|.*\\|([^|]*)\\|");
    Map<String, String> rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(page)) {
      Matcher cells = row.matcher(line);
      if (cells.matches()) {
        rows.put(cells.group(1), cells.group(2));
      }
    }
    return rows;
  }

  // ---- the figures

  private List<Figure> figures() throws IOException {
    String crashPoints = "CrashPointsTest.comesToTheSameEndWhereverItDies";
    return List.of(
        faults("Faults survived, unit tests and simulation", name -> !name.endsWith("IT")),
        faults("Faults survived, real server", name -> name.endsWith("IT")),
        lostKeys(),
        cacheTruth(),
        ghosts(),
        schedules("Duplicates, orphans", "0, 0", "0, 0 in %s schedules"),
        schedules("Double run", "0", "0 in %s schedules"),
        leaderOverlap(),
        lateWrites(),
        convergence(),
        asserted(
            "Quiet after converge: writes per resync period",
            "0",
            crashPoints,
            "0 in 11 h of virtual time"),
        asserted(
            "Detection of a dead connection",
            "≤ 60 s",
            "ReflectorFailureTest.givesADeadWatchUpAfter45SecondsAtMost",
            "≤ 45 s"),
        asserted(
            "Storm: lists per cut of a watch",
            "≤ 1",
            "ServerFaultsTest.missesNothingThoughTheWatchIsCutAHundredTimes",
            "0 in 100 cuts"),
        Figure.missing("Storm: peak of the request rate", "≤ 5 times", "no test records the rate"),
        Figure.missing("Blast radius", "≤ 1.2", "no test records the latency"),
        bounded(),
        handOver(),
        asserted(
            "Crash points, late and lost events", "100 %", crashPoints, "all of %d runs end alike"),
        schedules(
            "Schedules without a violation",
            SCHEDULES + " per run of CI",
            "%s in %s virtual hours, seed %s"),
        badInputs(),
        asserted(
            "Secrets in logs, Events, pages and spans",
            "0",
            "SecretsTest.saysNothingSecretWhateverFails",
            "0"),
        Figure.missing("Other frameworks, same harness", "same rows", "no test runs them here"));
  }

  /** Counts the rows of the page whose tests of one tier have run and passed. */
  private Figure faults(String name, Predicate<String> tier) throws IOException {
    int all = 0;
    List<String> others = new ArrayList<>();
    for (Map.Entry<String, String> row : rows(PAGE, "[A-Z][0-9]+").entrySet()) {
      List<Result> found = new ArrayList<>();
      boolean named = false;
      for (MatchResult test : TEST.matcher(row.getValue()).results().toList()) {
        named |= runsIn(test.group(1)).anyMatch(type -> isTest(type) && tier.test(type));
        found.addAll(results(test.group(1), test.group(2), tier));
      }
      all += named ? 1 : 0;
      if (named && (found.isEmpty() || !found.stream().allMatch(Result::passed))) {
        others.add(row.getKey());
      }
    }
    String value = "%d of %d".formatted(all - others.size(), all);
    String rest = others.isEmpty() ? "" : "; failed or not run: " + String.join(", ", others);
    return new Figure(name, "all", value + rest, others.isEmpty(), "the tests of the rows above");
  }

  private static boolean isTest(String type) {
    return type.endsWith("Test") || type.endsWith("IT");
  }

  /** What was measured, and whether it meets the target. */
  private record Value(String text, boolean met) {}

  /**
   * Returns a figure that a test prints. A failed test has no figure.
   *
   * @param test the test, such as {@code FooTest.bar}
   * @param pattern finds the figure in the logs
   */
  private Figure printed(
      String name,
      String target,
      String test,
      String pattern,
      Function<List<MatchResult>, Value> value) {
    String source = "`" + test + "`";
    Result result = results.get(test);
    if (result != null && !result.passed()) {
      return new Figure(name, target, "the test failed", false, source);
    }
    Pattern compiled = Pattern.compile(pattern);
    List<MatchResult> found =
        lines.stream().flatMap(line -> compiled.matcher(line).results()).toList();
    if (found.isEmpty()) {
      return Figure.missing(name, target, "no log has the result of " + source);
    }
    Value measured = value.apply(found);
    return new Figure(name, target, measured.text(), measured.met(), source);
  }

  private static MatchResult last(List<MatchResult> found) {
    return found.get(found.size() - 1);
  }

  private static int sum(List<MatchResult> found, int group) {
    return found.stream().mapToInt(each -> Integer.parseInt(each.group(group))).sum();
  }

  /** The time at which each informer of the soak test was right, after the last fault. */
  private Figure cacheTruth() {
    return printed(
        "Cache truth: wrong keys 30 s after the last fault",
        "0",
        SOAK,
        "InformerSoakIT \\w+: right after ([0-9.]+) s",
        found -> {
          double last =
              found.stream().mapToDouble(each -> Double.parseDouble(each.group(1))).max().orElse(0);
          boolean met = last <= CONVERGENCE;
          return new Value("%s, after %.1f s".formatted(met ? "0" : "some", last), met);
        });
  }

  private Figure ghosts() {
    return printed(
        "Ghosts, time travel",
        "0, 0",
        SOAK,
        "InformerSoakIT (\\d+) writes, ",
        found -> new Value("0, 0 in %s writes".formatted(last(found).group(1)), true));
  }

  /** A figure of the schedules, whose search ends at the first violation. */
  private Figure schedules(String name, String target, String value) {
    return printed(
        name,
        target,
        "SchedulesIT.keepThePromises",
        "simulation: (\\d{4,}) schedules from seed (\\d+), \\d+ steps, (\\d+) virtual hours, 0",
        found -> {
          MatchResult run = last(found);
          boolean enough = Integer.parseInt(run.group(1)) >= SCHEDULES;
          return new Value(value.formatted(run.group(1), run.group(3), run.group(2)), enough);
        });
  }

  /** The figures that the search for schedules prints after its last schedule. */
  private Figure converged(
      String name, String target, String source, Function<MatchResult, Value> value) {
    String seconds = "([0-9.]+) s";
    return printed(
        name,
        target,
        source,
        "simulation: (\\d+) changes, (\\d+) lost keys; converged after the last fault in "
            + seconds
            + " \\(p50\\), "
            + seconds
            + " \\(p99\\), "
            + seconds,
        found ->
            value.apply(
                found.stream()
                    .max(Comparator.comparingInt(each -> Integer.parseInt(each.group(1))))
                    .orElseThrow()));
  }

  /** The simulated changes, and as many operations of the queue as the target wants changes. */
  private Figure lostKeys() {
    Result queue = results.get("WorkQueueModelTest.agreesWithItsModelOverAMillionOperations");
    boolean passed = queue != null && queue.passed();
    return converged(
        "Lost keys",
        "0 of 10⁶ changes",
        "SchedulesIT.keepThePromises",
        run ->
            new Value(
                "%s of %s changes; %s of 10⁶ operations of a queue"
                    .formatted(run.group(2), run.group(1), passed ? "0" : "unknown"),
                passed && run.group(2).equals("0")));
  }

  private Figure convergence() {
    return converged(
        "Converge after the last fault, virtual time",
        "p99 ≤ 35 s",
        "SchedulesIT.keepThePromises",
        run ->
            new Value(
                "p50 %s s, p99 %s s, longest %s s"
                    .formatted(run.group(3), run.group(4), run.group(5)),
                Double.parseDouble(run.group(4)) <= 35));
  }

  private Figure leaderOverlap() {
    return printed(
        "Leader overlap",
        "0 ms",
        "HandOverIT.handsOverWhenTheLeaderIsFrozen",
        "(SIG\\w+): (\\d+) hand-overs, overlap of writes (\\d+) ms",
        found -> {
          String value = "%d ms in %d hand-overs".formatted(sum(found, 3), sum(found, 2));
          return new Value(value, sum(found, 3) == 0);
        });
  }

  private Figure lateWrites() {
    return printed(
        "Writes after the local deadline of a frozen leader",
        "0",
        "HandOverIT.handsOverWhenTheLeaderIsFrozen",
        "SIGSTOP: handed over (\\d+) in time, (\\d+) late",
        found -> {
          int late = sum(found, 2);
          return new Value("%d, and %d before it".formatted(late, sum(found, 1)), late == 0);
        });
  }

  /** Starts and stops of a manager in one process. */
  private Figure bounded() {
    String footprint = "\\[threads=(\\d+), descriptors=(\\d+), heap=(\\d+)]";
    return printed(
        "Bounded: growth by starts and stops",
        "threads ≤ 5, files ≤ 10, heap ≤ 1.5 KB each",
        "ManyLivesIT.leavesNothingBehind",
        "(\\d+) lives: \\w+" + footprint + ", then \\w+" + footprint,
        found -> {
          MatchResult run = last(found);
          Function<Integer, Long> growth =
              group -> Long.parseLong(run.group(group + 3)) - Long.parseLong(run.group(group));
          double heap = growth.apply(4) / 1_024.0 / Integer.parseInt(run.group(1));
          return new Value(
              "%+d threads, %+d files, heap %+.1f KB each in %s"
                  .formatted(growth.apply(2), growth.apply(3), heap, run.group(1)),
              growth.apply(2) <= 5 && growth.apply(3) <= 10 && heap <= 1.5);
        });
  }

  private Figure handOver() {
    return printed(
        "Shutdown: from the last write to the next leader's first",
        "≤ 2 s",
        "HandOverIT.handsOverAtASigterm",
        "SIGTERM: from the last write to the next leader's first: \\[([^]]+)]",
        found -> {
          List<Duration> gaps =
              Stream.of(last(found).group(1).split(", ")).map(Duration::parse).toList();
          long longest = gaps.stream().mapToLong(Duration::toMillis).max().orElse(0);
          return new Value(
              "≤ %.1f s in %d hand-overs".formatted(longest / 1e3, gaps.size()), longest <= 2_000);
        });
  }

  /** A figure of a test that asserts the target itself. */
  private Figure asserted(String name, String target, String test, String value) {
    Result result = results.get(test);
    return result == null
        ? Figure.missing(name, target, "no report of `" + test + "`")
        : new Figure(
            name,
            target,
            result.passed() ? value.formatted(result.runs()) : "the test failed",
            result.passed(),
            "`" + test + "`");
  }

  private Figure badInputs() throws IOException {
    Map<String, String> rows = rows(SECURITY, "[0-9]+");
    long isolated =
        rows.values().stream()
            .map(text -> TEST.matcher(text).results().toList())
            .filter(tests -> !tests.isEmpty())
            .filter(tests -> tests.stream().allMatch(this::passed))
            .count();
    String value = "%d of %d".formatted(isolated, rows.size());
    boolean met = isolated == rows.size();
    return new Figure("Bad inputs isolated", "40 of 40", value, met, "[security.md](security.md)");
  }

  // ---- the page

  private static void write(List<Figure> figures) throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    Process git = new ProcessBuilder("git", "log", "-1", "--format=%h").start();
    String commit = new String(git.getInputStream().readAllBytes()).strip();
    int cores = Runtime.getRuntime().availableProcessors();
    String machine = "Commit " + commit + ", " + cores + " cores, JDK 17.";
    List<String> table = new ArrayList<>(List.of(BEGIN, "", machine, ""));
    table.add("| figure | target | value | source |");
    table.add("|---|---|---|---|");
    figures.forEach(figure -> table.add(figure.line()));
    table.add("");
    Files.writeString(
        PAGE, page.substring(0, begin) + String.join("\n", table) + "\n" + page.substring(end));
  }

  /** Writes the table and prints it. */
  public static void main(String[] arguments) throws Exception {
    if (!Files.isDirectory(LOGS)) {
      System.out.println("There is no " + LOGS + ": execute .ci/run first.");
      System.exit(2);
    }
    List<Figure> figures = new Scoreboard().figures();
    write(figures);
    figures.forEach(figure -> System.out.println(figure.line()));
    System.exit(figures.stream().allMatch(Figure::met) ? 0 : 1);
  }
}
