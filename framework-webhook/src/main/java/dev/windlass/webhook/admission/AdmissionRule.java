// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Determines which requests the API server sends to an admission webhook, and how the webhook
 * handles them. A rule has the following defaults:
 *
 * <table>
 * <caption>Defaults</caption>
 * <tr><td>operations</td><td>CREATE and UPDATE</td></tr>
 * <tr><td>failure policy</td><td>{@link FailurePolicy#FAIL}</td></tr>
 * <tr><td>time-out</td><td>5 s (the default in Kubernetes is 10 s)</td></tr>
 * <tr><td>maximum number of concurrent calls</td><td>32 in each replica</td></tr>
 * <tr><td>side effects</td><td>none, so that the webhook is also called for dry runs</td></tr>
 * <tr><td>match policy</td><td>Equivalent, as in Kubernetes: the rule also matches requests
 * for other versions of the type, and the API server converts their objects</td></tr>
 * </table>
 *
 * <p>Configure a rule before you pass it to {@code Webhooks}. A rule is not thread-safe.
 *
 * @param <T> the objects' class
 */
public final class AdmissionRule<T> {

  private static final String ANY = "*";

  private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(30);

  private final Class<T> target;
  private final ResourceType type;
  private String subresource = "";
  private Set<Operation> operations = EnumSet.of(Operation.CREATE, Operation.UPDATE);
  private Optional<String> name = Optional.empty();
  private Optional<String> path = Optional.empty();
  private FailurePolicy failurePolicy = FailurePolicy.FAIL;
  private Duration timeout = Duration.ofSeconds(5);
  private int maxConcurrentCalls = 32;
  private Optional<LabelSelector> namespaces = Optional.empty();
  private Optional<LabelSelector> objects = Optional.empty();
  private final Map<String, String> conditions = new LinkedHashMap<>();
  private boolean reinvoked;
  private boolean undecodableAllowed;

  private AdmissionRule(Class<T> target, ResourceType type) {
    this.target = target;
    this.type = type;
  }

  /**
   * Creates a rule for the objects of a class.
   *
   * @throws IllegalArgumentException if the class does not declare its API group, version and kind
   */
  public static <T extends HasMetadata> AdmissionRule<T> of(Class<T> target) {
    return new AdmissionRule<>(target, ResourceType.of(target));
  }

  /**
   * Creates a rule for the objects of a type that has no Java class. Also use this method for a
   * subresource whose objects have a type of their own, such as {@code deployments/scale}.
   */
  public static AdmissionRule<GenericKubernetesResource> of(ResourceType type) {
    return new AdmissionRule<>(GenericKubernetesResource.class, type);
  }

  /**
   * Sets the operations to which the rule applies. The default is CREATE and UPDATE.
   *
   * @throws IllegalArgumentException if no operation is given
   */
  public AdmissionRule<T> on(Operation... operations) {
    if (operations.length == 0) {
      throw new IllegalArgumentException(
          "the rule for " + type + " needs at least one operation, such as Operation.CREATE");
    }
    this.operations = EnumSet.copyOf(List.of(operations));
    return this;
  }

  /**
   * Makes the rule apply to a subresource, such as {@code status}, instead of the object itself.
   * With {@code *}, the rule applies to the object and to all of its subresources. In this case,
   * create the rule with {@link #of(ResourceType)}, because the objects can have different types.
   */
  public AdmissionRule<T> subresource(String subresource) {
    this.subresource = subresource;
    return this;
  }

  /**
   * Sets the name of the webhook in the webhook configuration. The API server quotes this name in
   * error messages. The default is a prefix, the type's kind in lower case, a dot and the type's
   * group, such as {@code vtenant.example.com}. The prefix is {@code v} for a validator and {@code
   * m} for a defaulter.
   */
  public AdmissionRule<T> named(String name) {
    this.name = Optional.of(name);
    return this;
  }

  /**
   * Sets the URL path of the webhook. By default, the path is the same as in controller-runtime,
   * such as {@code /validate-example-com-v1-tenant} or {@code /mutate-example-com-v1-tenant}.
   */
  public AdmissionRule<T> path(String path) {
    if (!path.matches("/[A-Za-z0-9._/-]+")) {
      throw new IllegalArgumentException(
          "'" + path + "' can't be the path of a webhook; use one such as /validate-tenant");
    }
    this.path = Optional.of(path);
    return this;
  }

  /** Sets how the API server handles a request if the webhook fails or does not respond. */
  public AdmissionRule<T> failurePolicy(FailurePolicy policy) {
    this.failurePolicy = policy;
    return this;
  }

  /**
   * Sets the time-out after which the API server stops waiting for the webhook's response. The
   * webhook responds with an error shortly before this time-out expires. The client then receives a
   * message that names the webhook.
   *
   * @throws IllegalArgumentException unless the time-out is a whole number of seconds from 1 to 30
   */
  public AdmissionRule<T> timeout(Duration timeout) {
    if (timeout.compareTo(SHORTEST_TIMEOUT) < 0
        || timeout.compareTo(LONGEST_TIMEOUT) > 0
        || timeout.toNanosPart() != 0) {
      throw new IllegalArgumentException(
          "the time-out of a webhook can't be "
              + timeout
              + "; Kubernetes takes whole seconds from 1 to 30");
    }
    this.timeout = timeout;
    return this;
  }

  /**
   * Sets the maximum number of concurrent calls to this webhook in each replica. Additional calls
   * wait until another call ends or their time-out expires.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  public AdmissionRule<T> maxConcurrentCalls(int number) {
    if (number <= 0) {
      throw new IllegalArgumentException("a webhook can't have " + number + " concurrent calls");
    }
    this.maxConcurrentCalls = number;
    return this;
  }

  /**
   * Restricts the rule to objects in namespaces whose labels match the selector. If the manager
   * watches only one namespace, the rule is also restricted to this namespace, unless the selector
   * is empty. An empty selector selects all namespaces.
   */
  public AdmissionRule<T> inNamespacesWith(LabelSelector selector) {
    this.namespaces = Optional.of(selector);
    return this;
  }

  /** Restricts the rule to objects whose labels match the selector before or after the change. */
  public AdmissionRule<T> objectsWith(LabelSelector selector) {
    this.objects = Optional.of(selector);
    return this;
  }

  /**
   * Adds a match condition, which is a CEL expression that the API server evaluates before it calls
   * the webhook. The API server calls the webhook only if all conditions are true.
   *
   * @param name the condition's name
   * @param expression the condition, such as {@code request.userInfo.username != "admin"}
   * @throws IllegalArgumentException if the rule already has a condition with this name
   */
  public AdmissionRule<T> onlyIf(String name, String expression) {
    if (conditions.putIfAbsent(name, expression) != null) {
      throw new IllegalArgumentException("the rule has two conditions named '" + name + "'");
    }
    return this;
  }

  /**
   * Makes the API server call the defaulter again if another webhook has changed the object after
   * the first call. By default, the API server calls the defaulter only once for each request.
   */
  public AdmissionRule<T> reinvokedIfNeeded() {
    this.reinvoked = true;
    return this;
  }

  /**
   * Makes the webhook allow objects that cannot be deserialised into the class, without calling the
   * validator or the defaulter. By default, the webhook denies a request that creates such an
   * object or changes its spec. It always allows deletions of such objects, and updates that change
   * only metadata or status.
   */
  public AdmissionRule<T> allowUndecodable() {
    this.undecodableAllowed = true;
    return this;
  }

  /** Returns the objects' class. */
  public Class<T> target() {
    return target;
  }

  /** Returns the objects' type. */
  public ResourceType type() {
    return type;
  }

  /**
   * Returns the subresource to which the rule applies. The result is an empty string for the object
   * itself, and {@code *} for the object and all of its subresources.
   */
  public String subresource() {
    return subresource;
  }

  /**
   * Returns whether the rule applies to a subresource.
   *
   * @param requested the subresource, or an empty string for the object itself
   */
  public boolean matchesSubresource(String requested) {
    return subresource.equals(ANY) || subresource.equals(requested);
  }

  /** Returns the operations. */
  public Set<Operation> operations() {
    return Collections.unmodifiableSet(operations);
  }

  /** Returns the name, if one was set. */
  public Optional<String> name() {
    return name;
  }

  /** Returns the path, if one was set. */
  public Optional<String> path() {
    return path;
  }

  /** Returns how the API server handles a request if the webhook fails or does not respond. */
  public FailurePolicy failurePolicy() {
    return failurePolicy;
  }

  /** Returns the time-out after which the API server stops waiting for the webhook's response. */
  public Duration timeout() {
    return timeout;
  }

  /** Returns the maximum number of concurrent calls to the webhook in each replica. */
  public int maxConcurrentCalls() {
    return maxConcurrentCalls;
  }

  /** Returns the namespace selector, if one was set. */
  public Optional<LabelSelector> namespaces() {
    return namespaces;
  }

  /** Returns the object selector, if one was set. */
  public Optional<LabelSelector> objects() {
    return objects;
  }

  /** Returns the condition expressions by name, in the order in which they were added. */
  public Map<String, String> conditions() {
    return Collections.unmodifiableMap(conditions);
  }

  /**
   * Returns whether the API server calls the defaulter again if another webhook has changed the
   * object after the first call.
   */
  public boolean isReinvoked() {
    return reinvoked;
  }

  /** Returns whether the webhook allows objects that cannot be deserialised into the class. */
  public boolean allowsUndecodable() {
    return undecodableAllowed;
  }

  @Override
  public String toString() {
    return subresource.isEmpty() ? type.toString() : type + "/" + subresource;
  }
}
