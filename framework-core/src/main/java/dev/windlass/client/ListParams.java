// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.index.Query;
import dev.windlass.object.selector.FieldSelector;
import dev.windlass.object.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects of a type. Start with {@link #ALL} or {@link #in}:
 *
 * <pre>{@code
 * client.list(Pod.class, ListParams.in("shop").withLabels("app=web").withLimit(10))
 * }</pre>
 *
 * <p>Instances are immutable. Later versions may add further criteria.
 */
public final class ListParams {

  /** The name of an index of the cache and a value in this index; see {@code Indexer.addIndex}. */
  public record IndexValue(String index, String value) {}

  /** The parameters that select all objects in all namespaces. */
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
          "only the server can evaluate the field selector "
              + values.fieldSelector
              + ", and only a cache can evaluate the index "
              + values.indexValues.get(0).index()
              + "; define one index for both");
    }
    this.values = values;
  }

  /** Returns parameters that select all objects in the given namespace. */
  public static ListParams in(String namespace) {
    return ALL.inNamespace(namespace);
  }

  /**
   * Returns a copy of these parameters that selects objects in the given namespace. If the name is
   * empty, the copy selects objects in all namespaces.
   */
  public ListParams inNamespace(String other) {
    Objects.requireNonNull(
        other, "in(...) was given null: use ListParams.ALL to select all objects");
    return new ListParams(
        new Values(other, values.labels, values.indexValues, values.fieldSelector, values.limit));
  }

  /**
   * Returns a copy of these parameters that selects only objects whose labels match the selector.
   *
   * @throws IllegalArgumentException if the selector is invalid; the message quotes the selector
   */
  public ListParams withLabels(String selector) {
    return withLabels(
        Selector.parse(
            Objects.requireNonNull(
                selector, "withLabels(...) was given null: omit the call to select all objects")));
  }

  /**
   * Returns a copy of these parameters that selects only objects whose labels match the selector.
   */
  public ListParams withLabels(Selector selector) {
    return new ListParams(
        new Values(
            values.namespace,
            values.labels.and(selector),
            values.indexValues,
            values.fieldSelector,
            values.limit));
  }

  /**
   * Returns a copy of these parameters that selects only objects with the given value in the given
   * index of the cache. Repeated calls add further conditions.
   */
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
   * Returns a copy of these parameters that selects only objects whose fields match the selector.
   * The API server supports field selectors only for a few fields of each type. Caches cannot
   * evaluate field selectors. The client therefore sends a request, unless a cache has the same
   * field selector.
   *
   * @param selector the field selector in the syntax of the API server, or an empty string to
   *     select all objects
   * @throws IllegalArgumentException if the selector is invalid, or if the parameters also contain
   *     an index value. If the selector is invalid, the message quotes it
   */
  public ListParams withFields(String selector) {
    FieldSelector.parse(
        Objects.requireNonNull(
            selector, "withFields(...) was given null: omit the call to select all objects"));
    return new ListParams(
        new Values(values.namespace, values.labels, values.indexValues, selector, values.limit));
  }

  /**
   * Returns a copy of these parameters that limits the number of objects. If more objects match,
   * the choice among them is unspecified.
   *
   * @param most the maximum number of objects, or 0 for no limit
   * @throws IllegalArgumentException if the number is negative
   */
  public ListParams withLimit(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("a limit must be 0 or more, not " + most);
    }
    return new ListParams(
        new Values(
            values.namespace, values.labels, values.indexValues, values.fieldSelector, most));
  }

  /**
   * Returns a copy of these parameters without index values and without a limit. The server does
   * not support index values, so the caller must select the matching objects from the server's
   * result before it applies the limit.
   */
  ListParams withoutIndices() {
    return new ListParams(
        new Values(values.namespace, values.labels, List.of(), values.fieldSelector, 0));
  }

  /** Returns the selected namespace, or an empty string if all namespaces are selected. */
  public String namespace() {
    return values.namespace;
  }

  /** Returns the selector that an object's labels must match. */
  public Selector labels() {
    return values.labels;
  }

  /** Returns an unmodifiable list of the index values that select the objects. */
  public List<IndexValue> indexValues() {
    return values.indexValues;
  }

  /**
   * Returns the selector that an object's fields must match, or an empty string if there is none.
   */
  public String fieldSelector() {
    return values.fieldSelector;
  }

  /** Returns the maximum number of objects, or 0 if there is no limit. */
  public int limit() {
    return values.limit;
  }

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
