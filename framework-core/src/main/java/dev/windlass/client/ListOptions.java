// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.index.Query;
import dev.windlass.object.LabelSelector;
import java.util.ArrayList;
import java.util.List;

/**
 * Which objects of a type are meant. Begin with {@link #ALL} or {@link #in}:
 *
 * <pre>{@code
 * client.list(Pod.class, ListOptions.in("shop").withLabels("app=web").withLimit(10))
 * }</pre>
 *
 * @param namespace the one namespace; empty for all
 * @param labels what their labels must match
 * @param indexValues values that they must have in indices of the cache; all of them
 * @param fieldSelector in the syntax of the API server, which knows few fields per type; empty for
 *     no restriction. Caches can't answer it, so it makes a list live
 * @param limit how many at most, which ones is not defined; 0 for all
 */
public record ListOptions(
    String namespace,
    LabelSelector labels,
    List<IndexValue> indexValues,
    String fieldSelector,
    int limit) {

  /** A value that an object must have in an index, which {@code Indexer.addIndex} made. */
  public record IndexValue(String index, String value) {}

  /** All objects, in all namespaces. */
  public static final ListOptions ALL =
      new ListOptions("", LabelSelector.everything(), List.of(), "", 0);

  /** Refuses a negative limit, and an index together with a field selector. */
  public ListOptions {
    indexValues = List.copyOf(indexValues);
    if (limit < 0) {
      throw new IllegalArgumentException("a limit must be 0 or more, and this is " + limit);
    }
    if (!indexValues.isEmpty() && !fieldSelector.isEmpty()) {
      throw new IllegalArgumentException(
          "the field selector "
              + fieldSelector
              + " can be answered by the server only, and the index "
              + indexValues.get(0).index()
              + " by the cache only; make an index of both");
    }
  }

  /** All objects of a namespace. */
  public static ListOptions in(String namespace) {
    return ALL.inNamespace(namespace);
  }

  /** The same in another namespace; empty for all. */
  public ListOptions inNamespace(String other) {
    return new ListOptions(other, labels, indexValues, fieldSelector, limit);
  }

  /**
   * Those of them whose labels match.
   *
   * @throws IllegalArgumentException if that is no selector, quoting it
   */
  public ListOptions withLabels(String selector) {
    return withLabels(LabelSelector.parse(selector));
  }

  /** Those of them whose labels match. */
  public ListOptions withLabels(LabelSelector selector) {
    return new ListOptions(namespace, labels.and(selector), indexValues, fieldSelector, limit);
  }

  /** Those of them that an index of the cache put under a value. */
  public ListOptions withIndex(String index, String value) {
    List<IndexValue> longer = new ArrayList<>(indexValues);
    longer.add(new IndexValue(index, value));
    return new ListOptions(namespace, labels, longer, fieldSelector, limit);
  }

  /** Those of them whose fields match, as the server sees it. */
  public ListOptions withFields(String selector) {
    return new ListOptions(namespace, labels, indexValues, selector, limit);
  }

  /** So many of them at most. */
  public ListOptions withLimit(int most) {
    return new ListOptions(namespace, labels, indexValues, fieldSelector, most);
  }

  /** The same for the server, which knows no indices. */
  ListOptions withoutIndices() {
    return new ListOptions(namespace, labels, List.of(), fieldSelector, 0);
  }

  /** What a cache is asked. */
  Query query() {
    Query query = Query.ALL.withLabels(labels);
    if (!namespace.isEmpty()) {
      query = query.inNamespace(namespace);
    }
    for (IndexValue wanted : indexValues) {
      query = query.withIndex(wanted.index(), wanted.value());
    }
    return query;
  }
}
