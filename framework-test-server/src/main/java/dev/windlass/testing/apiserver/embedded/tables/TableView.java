// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts objects to a Table with one row for each object. If {@link Column} defines no columns
 * for a built-in kind, the table has the columns name and age.
 */
public final class TableView {

  private final Clock clock;

  /**
   * Creates a view.
   *
   * @param clock the clock that determines the ages of objects
   */
  public TableView(Clock clock) {
    this.clock = clock;
  }

  /**
   * Returns the table for an object or a list.
   *
   * @param include the part of the object that each row contains: {@code None}, or {@code Object}
   *     for the whole object. Any other value means the metadata
   */
  public ObjectNode of(ResourceType type, ObjectNode answer, String include) {
    boolean list = answer.path("items").isArray();
    List<Column> columns = columns(type);
    ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
    ObjectNode metadata = table.putObject("metadata");
    for (String field : List.of("resourceVersion", "continue", "remainingItemCount")) {
      JsonNode value = answer.path("metadata").path(field);
      if (!value.isMissingNode()) {
        metadata.set(field, value);
      }
    }
    ArrayNode definitions = table.putArray("columnDefinitions");
    for (Column column : columns) {
      definitions
          .addObject()
          .put("name", column.name())
          .put("type", column.type())
          .put("format", column.equals(Column.NAME) ? "name" : "")
          .put("description", "")
          .put("priority", column.priority());
    }
    ArrayNode rows = table.putArray("rows");
    if (list) {
      answer.path("items").forEach(object -> rows.add(row(columns, object, include)));
    } else {
      rows.add(row(columns, answer, include));
    }
    return table;
  }

  private static List<Column> columns(ResourceType type) {
    if (!type.custom()) {
      return Column.builtIn(type.resource().toString());
    }
    List<Column> columns = new ArrayList<>(List.of(Column.NAME));
    type.printerColumns().forEach(column -> columns.add(Column.custom(column)));
    if (columns.size() == 1) {
      columns.add(Column.CUSTOM_AGE);
    }
    return columns;
  }

  private ObjectNode row(List<Column> columns, JsonNode object, String include) {
    ObjectNode row = Json.object();
    ArrayNode cells = row.putArray("cells");
    for (Column column : columns) {
      JsonNode value = column.cell().apply(object);
      cells.add(column.age() ? age(value) : value);
    }
    if (include.equals("None")) {
      row.set("object", NullNode.getInstance());
    } else if (include.equals("Object")) {
      row.set("object", object);
    } else {
      ObjectNode part =
          row.putObject("object")
              .put("kind", "PartialObjectMetadata")
              .put("apiVersion", "meta.k8s.io/v1");
      part.set("metadata", object.path("metadata"));
    }
    return row;
  }

  private JsonNode age(JsonNode time) {
    try {
      Duration age = Duration.between(Instant.parse(time.asText()), clock.instant());
      return TextNode.valueOf(HumanDuration.of(age));
    } catch (DateTimeParseException e) {
      return TextNode.valueOf("<unknown>");
    }
  }
}
