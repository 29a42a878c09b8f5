// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.index.Query;
import dev.windlass.object.FieldSelector;
import dev.windlass.object.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a type are meant. Begin with {@link #ALL} or {@link #in}:
 *
 * <pre>{@code
 * client.list(Pod.class, ListParams.in("shop").withLabels("app=web").withLimit(10))
 * }</pre>
 *
 * <p>Immutable. Further restrictions may be added in later versions.
 */
public final class ListParams {

  /** A value that an object must have in an index, which {@code Indexer.addIndex} made. */
  public record IndexValue(String index, String value) {}

  /** All objects, in all namespaces. */
  public static final ListParams ALL =
      new ListParams(new Values("", Selector.everything(), List.of(), "", 0));

  private record Values(
      String namespace,
      Selector labels,
      List<IndexValue> indexValues,
      String fieldSelector,
      int limit) {}

  private final Values values;

  private ListParams(Values values) {
    if (!values.indexValues.isEmpty() && !values.fieldSelector.isEmpty()) {
      throw new IllegalArgumentException(
          "the field selector "
              + values.fieldSelector
              + " can be answered by the server only, and the index "
              + values.indexValues.get(0).index()
              + " by the cache only; make an index of both");
    }
    this.values = values;
  }

  /** All objects of a namespace. */
  public static ListParams in(String namespace) {
    return ALL.inNamespace(namespace);
  }

  /** The same in another namespace; empty for all. */
  public ListParams inNamespace(String other) {
    Objects.requireNonNull(other, "in(...) was given null: use ListParams.ALL for all");
    return new ListParams(
        new Values(other, values.labels, values.indexValues, values.fieldSelector, values.limit));
  }

  /**
   * Those of them whose labels match.
   *
   * @throws IllegalArgumentException if that is no selector, quoting it
   */
  public ListParams withLabels(String selector) {
    return withLabels(
        Selector.parse(
            Objects.requireNonNull(
                selector, "withLabels(...) was given null: leave it out for all")));
  }

  /** Those of them whose labels match. */
  public ListParams withLabels(Selector selector) {
    return new ListParams(
        new Values(
            values.namespace,
            values.labels.and(selector),
            values.indexValues,
            values.fieldSelector,
            values.limit));
  }

  /** Those of them that an index of the cache put under a value. */
  public ListParams withIndex(String index, String value) {
    List<IndexValue> longer = new ArrayList<>(values.indexValues);
    longer.add(new IndexValue(index, value));
    return new ListParams(
        new Values(
            values.namespace,
            values.labels,
            List.copyOf(longer),
            values.fieldSelector,
            values.limit));
  }

  /**
   * Those of them whose fields match. The API server knows few fields per type, and caches know
   * none: a list by fields is a request.
   *
   * @param selector in the syntax of the API server; empty for no restriction
   * @throws IllegalArgumentException if that is no selector, quoting it, or if a value in an index
   *     is wanted, too
   */
  public ListParams withFields(String selector) {
    FieldSelector.parse(
        Objects.requireNonNull(selector, "withFields(...) was given null: leave it out for all"));
    return new ListParams(
        new Values(values.namespace, values.labels, values.indexValues, selector, values.limit));
  }

  /**
   * So many of them at most; which ones is not defined.
   *
   * @param most 0 for all
   * @throws IllegalArgumentException if it is negative
   */
  public ListParams withLimit(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("a limit must be 0 or more, and this is " + most);
    }
    return new ListParams(
        new Values(
            values.namespace, values.labels, values.indexValues, values.fieldSelector, most));
  }

  /** The same for the server, which knows no indices. */
  ListParams withoutIndices() {
    return new ListParams(
        new Values(values.namespace, values.labels, List.of(), values.fieldSelector, 0));
  }

  /** The one namespace; empty for all. */
  public String namespace() {
    return values.namespace;
  }

  /** What the labels must match. */
  public Selector labels() {
    return values.labels;
  }

  /** The values that an object must have in indices of the cache, all of them; unmodifiable. */
  public List<IndexValue> indexValues() {
    return values.indexValues;
  }

  /** What the fields must match; empty for no restriction. */
  public String fieldSelector() {
    return values.fieldSelector;
  }

  /** How many objects at most; 0 for all. */
  public int limit() {
    return values.limit;
  }

  /** What a cache is asked. */
  Query query() {
    Query query = Query.ALL.withLabels(values.labels);
    if (!values.namespace.isEmpty()) {
      query = query.inNamespace(values.namespace);
    }
    for (IndexValue wanted : values.indexValues) {
      query = query.withIndex(wanted.index(), wanted.value());
    }
    return query;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ListParams that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
