// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector.Argument;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Observes, as a debugger, which source files of the framework run while events travel from the API
 * server to a reconciler and their keys back to the queue. A program of its own runs the
 * controller; its first events are not looked at, since what happens once only is no part of the
 * way.
 *
 * <p>The debugged JVM sends an event for each method that it enters. It is never suspended, so it
 * runs at its own pace; nothing here depends on time.
 */
final class ExecutedFiles {

  static final String RECONCILED = "reconciled";

  private static final int WARM_UP = 6;

  /** Several, since what a thread meets awake differs a little from what wakes it. */
  private static final int OBSERVED = 8;

  private ExecutedFiles() {}

  /** Returns the files that ran, relative to the checkout. */
  static Set<String> observe() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build()) {
      client.resource(map(0)).create();
      VirtualMachine jvm = launch(server.url());
      Process process = jvm.process();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        AtomicBoolean over = new AtomicBoolean();
        // Read all the time, since a JVM whose debugger is slow holds its threads up.
        CompletableFuture<Set<String>> entered =
            CompletableFuture.supplyAsync(() -> files(jvm, over), task -> new Thread(task).start());
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
        Set<String> files = entered.get();
        process.getOutputStream().close(); // ends the program, which is asked until then
        return files;
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

  /** The files of what was entered, once it is over and nothing is left. */
  private static Set<String> files(VirtualMachine jvm, AtomicBoolean over) {
    Set<Method> entered = new HashSet<>();
    try {
      while (true) {
        boolean last = over.get();
        EventSet events = jvm.eventQueue().remove(100);
        if (events == null) {
          if (last) {
            return filesOf(entered);
          }
          continue;
        }
        for (Event event : events) {
          if (event instanceof MethodEntryEvent entry) {
            entered.add(entry.method());
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

  private static Set<String> filesOf(Set<Method> methods) {
    Set<String> files = new TreeSet<>();
    for (Method method : methods) {
      String name = method.declaringType().name();
      if (name.contains("$$Lambda")) {
        continue; // stands in for a method that is entered after it
      }
      String top = name.replaceFirst("\\$.*", "").replace('.', '/') + ".java";
      for (String module : List.of("framework-workqueue", "framework-informer", "framework-core")) {
        String file = module + "/src/main/java/" + top;
        if (Files.isRegularFile(Checkout.root().resolve(file))) {
          files.add(file);
        }
      }
    }
    return files;
  }
}
