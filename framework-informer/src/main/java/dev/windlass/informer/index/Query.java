// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A query for objects. An object matches the query if it meets all requirements. Build a query from
 * {@link #ALL}:
 *
 * <pre>{@code
 * Query.ALL.inNamespace("shop").withIndex("owner", "checkout").withLabels(Selector.parse("!canary"))
 * }</pre>
 *
 * <p>Each call adds a requirement, so a query with two different namespaces matches no objects.
 *
 * <p>A query with a namespace or an index value examines only the objects in that namespace or with
 * that value. If it has several such requirements, it examines the smallest group. A query without
 * such a requirement examines all objects, even if it selects by label.
 *
 * <p>Instances are immutable and thread-safe.
 */
public final class Query {

  /** The query that selects all objects. */
  public static final Query ALL = new Query(List.of(), Selector.everything());

  private final List<IndexValue> indexValues;
  private final Selector labels;

  /** A requirement that an object has the given value in the given index. */
  record IndexValue(String index, String value) {}

  private Query(List<IndexValue> indexValues, Selector labels) {
    this.indexValues = indexValues;
    this.labels = labels;
  }

  /**
   * Returns a copy of this query that is restricted to the given namespace. An empty string adds no
   * restriction, as in requests to the API server and in {@code Client.list}.
   */
  public Query inNamespace(String namespace) {
    return namespace.isEmpty() ? this : withIndex(Indexer.BY_NAMESPACE, namespace);
  }

  /**
   * Returns a copy of this query that is restricted to objects with the given value in the given
   * index.
   */
  public Query withIndex(String index, String value) {
    List<IndexValue> longer = new ArrayList<>(indexValues);
    longer.add(new IndexValue(index, value));
    return new Query(List.copyOf(longer), labels);
  }

  /**
   * Returns a copy of this query that is restricted to objects whose labels match the given
   * selector.
   */
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

  /** Returns a description of the requirements, for use in log messages. */
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
