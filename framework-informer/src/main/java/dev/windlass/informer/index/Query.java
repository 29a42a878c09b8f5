// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which objects to list: those that meet all requirements. Begin with {@link #ALL}:
 *
 * <pre>{@code
 * Query.ALL.inNamespace("shop").withIndex("owner", "checkout").withLabels(Selector.parse("!canary"))
 * }</pre>
 *
 * <p>Answering costs as much as the smallest group of objects that a namespace or an index of the
 * query names, however many objects there are besides. A query with neither, labels or not, looks
 * at all objects. A requirement that is named twice counts twice: nothing is in two namespaces.
 *
 * <p>Immutable and thread safe.
 */
public final class Query {

  /** All objects. */
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
   * Those of them that are in a namespace; all of them if it is empty, as in requests to the API
   * server and in {@code Client.list}.
   */
  public Query inNamespace(String namespace) {
    return namespace.isEmpty() ? this : withIndex(Indexer.BY_NAMESPACE, namespace);
  }

  /** Those of them that an index's function put under a value. */
  public Query withIndex(String index, String value) {
    List<IndexValue> longer = new ArrayList<>(indexValues);
    longer.add(new IndexValue(index, value));
    return new Query(List.copyOf(longer), labels);
  }

  /** Those of them whose labels match. */
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

  /** The requirements, for logs. */
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
