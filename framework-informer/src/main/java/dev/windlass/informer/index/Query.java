// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A query for the objects that meet all of its requirements. Start with {@link #ALL}:
 *
 * <pre>{@code
 * Query.ALL.inNamespace("shop").withIndex("owner", "checkout").withLabels(Selector.parse("!canary"))
 * }</pre>
 *
 * <p>The cost is proportional to the size of the smallest group of objects that a namespace or an
 * index value of the query selects, regardless of the number of other objects. A query with neither
 * a namespace nor an index value examines all objects, even if it has labels. Repeated calls add
 * requirements, so a query with two different namespaces does not select any objects.
 *
 * <p>Instances are immutable and thread-safe.
 */
public final class Query {

  /** The query that selects all objects. */
  public static final Query ALL = new Query(List.of(), Selector.everything());

  private final List<IndexValue> indexValues;
  private final Selector labels;

  /** A value that an object must have in an index. */
  record IndexValue(String index, String value) {}

  private Query(List<IndexValue> indexValues, Selector labels) {
    this.indexValues = indexValues;
    this.labels = labels;
  }

  /**
   * Returns a copy of this query that is restricted to the given namespace. An empty namespace
   * means no restriction, as in requests to the API server and in {@code Client.list}.
   */
  public Query inNamespace(String namespace) {
    return namespace.isEmpty() ? this : withIndex(Indexer.BY_NAMESPACE, namespace);
  }

  /**
   * Returns a copy of this query that is restricted to objects to which the function of the given
   * index assigns the given value.
   */
  public Query withIndex(String index, String value) {
    List<IndexValue> longer = new ArrayList<>(indexValues);
    longer.add(new IndexValue(index, value));
    return new Query(List.copyOf(longer), labels);
  }

  /** Returns a copy of this query that is restricted to objects whose labels match. */
  public Query withLabels(Selector selector) {
    return new Query(indexValues, labels.and(selector));
  }

  List<IndexValue> indexValues() {
    return indexValues;
  }

  Selector labels() {
    return labels;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Query query
        && indexValues.equals(query.indexValues)
        && labels.equals(query.labels);
  }

  @Override
  public int hashCode() {
    return Objects.hash(indexValues, labels);
  }

  /** Returns a description of the requirements for log lines. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    indexValues.forEach(wanted -> parts.add(wanted.index() + " '" + wanted.value() + "'"));
    if (!labels.equals(Selector.everything())) {
      parts.add("labels '" + labels + "'");
    }
    return parts.isEmpty() ? "all" : String.join(", ", parts);
  }
}
