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
 * Determines which requests the API server sends to a webhook, and how the webhook handles them. A
 * rule has safe defaults:
 *
 * <table>
 * <caption>Defaults</caption>
 * <tr><td>operations</td><td>CREATE and UPDATE</td></tr>
 * <tr><td>failure policy</td><td>{@link FailurePolicy#FAIL}</td></tr>
 * <tr><td>time-out</td><td>5 s (Kubernetes: 10 s)</td></tr>
 * <tr><td>calls at the same time</td><td>32 in each replica</td></tr>
 * <tr><td>side effects</td><td>none, so that the webhook is also called for dry runs</td></tr>
 * <tr><td>match policy</td><td>Equivalent, as in Kubernetes: requests for other versions of
 * the type also match, and their objects are converted</td></tr>
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
   * Creates the rule for objects of a class.
   *
   * @throws IllegalArgumentException if the class does not declare its API resource
   */
  public static <T extends HasMetadata> AdmissionRule<T> of(Class<T> target) {
    return new AdmissionRule<>(target, ResourceType.of(target));
  }

  /**
   * Creates the rule for objects of a type without a class, or for a subresource whose objects have
   * another class, such as {@code deployments/scale}.
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
   * Selects a subresource, such as {@code status}, instead of the object itself, or {@code *} for
   * the object and all of its subresources. With {@code *}, the class must be able to represent all
   * of them, so pass a {@link ResourceType} to {@link #of(ResourceType)}.
   */
  public AdmissionRule<T> subresource(String subresource) {
    this.subresource = subresource;
    return this;
  }

  /**
   * Sets the name of the webhook in its configuration. Messages to the user quote this name. By
   * default, it consists of a {@code v} for a validator or an {@code m} for a defaulter, the type's
   * singular name and its group: {@code vtenant.example.com}.
   */
  public AdmissionRule<T> named(String name) {
    this.name = Optional.of(name);
    return this;
  }

  /**
   * Sets the webhook's path. By default, the path is the same as in controller-runtime: {@code
   * /validate-example-com-v1-tenant} or {@code /mutate-example-com-v1-tenant}.
   */
  public AdmissionRule<T> path(String path) {
    if (!path.matches("/[A-Za-z0-9._/-]+")) {
      throw new IllegalArgumentException(
          "'" + path + "' can't be the path of a webhook; use one such as /validate-tenant");
    }
    this.path = Optional.of(path);
    return this;
  }

  /** Sets how the API server proceeds if the webhook does not respond. */
  public AdmissionRule<T> failurePolicy(FailurePolicy policy) {
    this.failurePolicy = policy;
    return this;
  }

  /**
   * Sets the time after which the API server stops waiting for the webhook. The webhook itself
   * responds with an error a little earlier, so that the API server receives a message that names
   * the webhook.
   *
   * @throws IllegalArgumentException if the time-out is not between 1 s and 30 s, or does not
   *     consist of whole seconds
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
   * Sets the maximum number of concurrent calls to this webhook in one replica. Additional calls
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
   * Restricts the rule to objects in namespaces whose labels match. A manager of one namespace also
   * restricts its rules to this namespace, unless the selector is empty, because an empty selector
   * selects all namespaces.
   */
  public AdmissionRule<T> inNamespacesWith(LabelSelector selector) {
    this.namespaces = Optional.of(selector);
    return this;
  }

  /** Restricts the rule to objects whose labels match, before or after the change. */
  public AdmissionRule<T> objectsWith(LabelSelector selector) {
    this.objects = Optional.of(selector);
    return this;
  }

  /**
   * Adds a condition in CEL, which the API server evaluates before it calls the webhook. All
   * conditions must be true.
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
   * Makes the API server call a defaulter again if a later webhook has changed the object. By
   * default, the API server calls a defaulter once.
   */
  public AdmissionRule<T> reinvokedIfNeeded() {
    this.reinvoked = true;
    return this;
  }

  /**
   * Makes the webhook allow objects that cannot be deserialised into the class, without calling the
   * validator or the defaulter. By default, the webhook denies requests that create such objects or
   * change their spec. Even by default, it does not deny deletions of such objects, or updates that
   * change only metadata or status.
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
   * Returns the subresource, an empty string for the object itself, or {@code *} for the object and
   * all subresources.
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

  /** Returns how the API server proceeds if the webhook does not respond. */
  public FailurePolicy failurePolicy() {
    return failurePolicy;
  }

  /** Returns the time after which the API server stops waiting for the webhook. */
  public Duration timeout() {
    return timeout;
  }

  /** Returns the maximum number of concurrent calls in one replica. */
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
   * Returns whether the API server calls a defaulter again if a later webhook has changed the
   * object.
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
