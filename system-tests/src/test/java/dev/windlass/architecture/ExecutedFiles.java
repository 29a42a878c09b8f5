// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector.Argument;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Observes, as a debugger, what runs of the framework while events travel from the API server to a
 * reconciler and their keys back to the queue. A program of its own runs the controller; its first
 * events are not observed, because code that runs only once is not part of the path.
 *
 * <p>The debugged JVM sends an event for each method that it enters and, for one more change, for
 * each line that it reaches in these methods. It is never suspended, so it runs at its own pace;
 * nothing here depends on time.
 *
 * @param files the files that run, relative to the checkout, with the number of lines that one
 *     change executes in each; 0 if only some changes pass the file
 * @param order the files of the lines that one change reaches, in the order in which it reaches
 *     them for the first time
 * @param loaded the names of the classes that the program has loaded, without those of the JDK,
 *     arrays and lambdas
 */
record ExecutedFiles(Map<String, Integer> files, List<String> order, Set<String> loaded) {

  static final String RECONCILED = "reconciled";

  /** Also arrays, such as {@code int[]}, and what is generated at run time. */
  private static final Pattern OF_THE_JDK =
      Pattern.compile("^(java|javax|jdk|sun|com\\.sun)\\.|\\[]$|^[a-z]+$|\\$\\$Lambda|^\\$Proxy");

  private static final int WARM_UP = 6;

  /** Several, since what a thread meets awake differs a little from what wakes it. */
  private static final int OBSERVED = 8;

  /** Returns how many lines one change executes. */
  int lines() {
    return files.values().stream().mapToInt(Integer::intValue).sum();
  }

  static ExecutedFiles observe() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      client.resource(map(0)).create();
      VirtualMachine jvm = launch(server.url());
      Process process = jvm.process();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        AtomicBoolean over = new AtomicBoolean();
        // Read all the time, since a JVM whose debugger is slow holds its threads up.
        CompletableFuture<Set<Location>> entered = inBackground(() -> places(jvm, over));
        jvm.resume();
        awaitReconcile(lines); // the first list
        for (int version = 1; version <= WARM_UP; version++) {
          client.resource(map(version)).update();
          awaitReconcile(lines);
        }
        MethodEntryRequest entries = jvm.eventRequestManager().createMethodEntryRequest();
        entries.addClassFilter("dev.windlass.*");
        entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        entries.enable();
        for (int version = 1; version <= OBSERVED; version++) {
          client.resource(map(WARM_UP + version)).update();
          awaitReconcile(lines);
        }
        entries.disable(); // what was entered before is on its way, or here
        over.set(true);
        Set<Location> methods = entered.get();
        breakOnceInEachLineOf(methods, jvm);
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Set<Location>> reached = inBackground(() -> places(jvm, done));
        client.resource(map(WARM_UP + OBSERVED + 1)).update();
        awaitReconcile(lines);
        done.set(true);
        Map<String, Integer> files = new TreeMap<>();
        methods.forEach(method -> fileOf(method).ifPresent(file -> files.put(file, 0)));
        linesOf(reached.get())
            .forEach((file, numbers) -> files.computeIfPresent(file, (f, none) -> numbers.size()));
        Set<String> loaded =
            jvm.allClasses().stream()
                .map(ReferenceType::name)
                .filter(name -> !OF_THE_JDK.matcher(name).find())
                .collect(Collectors.toCollection(TreeSet::new));
        process.getOutputStream().close(); // ends the program, which is asked until then
        List<String> order = reached.get().stream().flatMap(line -> fileOf(line).stream()).toList();
        return new ExecutedFiles(files, order, loaded);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static ConfigMap map(int version) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("observed")
        .endMetadata()
        .withData(Map.of("version", String.valueOf(version)))
        .build();
  }

  private static VirtualMachine launch(String url) throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Argument> arguments = connector.defaultArguments();
    Objects.requireNonNull(arguments.get("options"))
        .setValue("-cp \"" + System.getProperty("java.class.path") + "\" -Xshare:auto");
    Objects.requireNonNull(arguments.get("main"))
        .setValue(EventPathProgram.class.getName() + " " + url);
    return connector.launch(arguments);
  }

  private static void awaitReconcile(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(RECONCILED)) {
        return;
      }
    }
    throw new IOException("the observed program has ended");
  }

  private static <T> CompletableFuture<T> inBackground(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, runnable -> new Thread(runnable).start());
  }

  /** Sets a breakpoint that reports once, and stops nothing, on each line of these methods. */
  private static void breakOnceInEachLineOf(Set<Location> entered, VirtualMachine jvm)
      throws AbsentInformationException {
    Set<Method> methods =
        entered.stream()
            .filter(place -> fileOf(place).isPresent())
            .map(Location::method)
            .collect(Collectors.toSet());
    for (Method method : methods) {
      for (Location line : method.allLineLocations()) {
        BreakpointRequest request = jvm.eventRequestManager().createBreakpointRequest(line);
        request.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        request.addCountFilter(1);
        request.enable();
      }
    }
  }

  /** Returns where the program has been, in order, once it is over and no event is left. */
  private static Set<Location> places(VirtualMachine jvm, AtomicBoolean over) {
    Set<Location> places = new LinkedHashSet<>();
    try {
      while (true) {
        boolean last = over.get();
        EventSet events = jvm.eventQueue().remove(100);
        if (events == null) {
          if (last) {
            return places;
          }
          continue;
        }
        for (Event event : events) {
          if (event instanceof LocatableEvent entry) {
            places.add(entry.location());
          } else if (event instanceof VMDisconnectEvent) {
            throw new IllegalStateException("the observed program has ended");
          }
        }
        events.resume();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Set<Integer>> linesOf(Set<Location> places) {
    Map<String, Set<Integer>> lines = new TreeMap<>();
    for (Location place : places) {
      fileOf(place)
          .ifPresent(
              file -> lines.computeIfAbsent(file, f -> new TreeSet<>()).add(place.lineNumber()));
    }
    return lines;
  }

  /** Empty for a lambda's own class, which stands in for a method that is entered after it. */
  private static Optional<String> fileOf(Location place) {
    String name = place.declaringType().name();
    if (name.contains("$$Lambda")) {
      return Optional.empty();
    }
    String top = name.replaceFirst("\\$.*", "").replace('.', '/') + ".java";
    return Stream.of("framework-workqueue", "framework-informer", "framework-core")
        .map(module -> module + "/src/main/java/" + top)
        .filter(file -> Files.isRegularFile(Checkout.root().resolve(file)))
        .findFirst();
  }
}
