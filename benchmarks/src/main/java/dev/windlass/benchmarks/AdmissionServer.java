// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.manager.Manager;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.admission.FieldError;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A validating webhook that checks one field of a typed object. {@code benchmarks/admission/run}
 * compares it with a webhook that uses controller-runtime. The webhook does not need an API server.
 */
public final class AdmissionServer {

  /** An element of {@link GadgetSpec#parts}. */
  public static final class Part {
    public String name;
    public String value;
  }

  /** The specification of a {@link Gadget}. The webhook checks only {@code size}. */
  public static final class GadgetSpec {
    public int size;
    public Map<String, String> labels;
    public List<Part> parts;
  }

  /** The type of the objects that the webhook checks. */
  @Group("example.com")
  @Version("v1")
  public static final class Gadget extends CustomResource<GadgetSpec, Void> implements Namespaced {
    private static final long serialVersionUID = 1L;
  }

  private AdmissionServer() {}

  /** Runs the server until SIGTERM. */
  public static void main(String[] args) {
    String port = value(args[0], "--port=");
    Path certificates = Path.of(value(args[1], "--certificates="));
    try (Manager manager =
        Manager.builder()
            .config(Config.empty())
            .checkPermissions(false)
            .healthProbeBindAddress("0")
            .metricsBindAddress("0")
            .build()) {
      Webhooks.forService("admission")
          .inNamespace("default")
          .bindAddress("127.0.0.1:" + port)
          .certificatesIn(certificates)
          .validate(
              Gadget.class,
              request ->
                  request.object().getSpec().size < 0
                      ? Verdict.invalid(FieldError.forbidden("spec.size", "must not be negative"))
                      : Verdict.allow())
          .register(manager);
      manager.run();
    }
  }

  private static String value(String argument, String option) {
    if (!argument.startsWith(option)) {
      throw new IllegalArgumentException("expected " + option + ", not " + argument);
    }
    return argument.substring(option.length());
  }
}
