// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.testing.apiserver.embedded.cel.SchemaRules;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.ContentRules;
import dev.windlass.testing.apiserver.embedded.types.ObjectVersions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The versions that one revision of a CustomResourceDefinition defines, including versions that are
 * not served.
 *
 * <p>As in kube-apiserver, a read first prunes the stored object, sets defaults and then converts
 * the object. The first two steps use the schema of the version in which the object is stored. They
 * have no effect on an object that was written after the definition, so this class omits them for
 * such an object.
 *
 * <p>Like the real server's watch cache, this class caches the results of conversion webhooks. A
 * list therefore calls the webhook only for objects that have changed. This class is thread-safe.
 */
final class CustomVersions implements ObjectVersions {
  private static final int CACHED = 10_000;

  private final String stored;
  private final Map<String, ObjectNode> schemas;
  private final VersionConversion conversion;
  private final Map<String, ContentRules> rules = new HashMap<>();
  private final long definedAt;

  @GuardedBy("converted")
  private final Map<CacheKey, ObjectNode> converted =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<CacheKey, ObjectNode> eldest) {
          return size() > CACHED;
        }
      };

  private record CacheKey(String uid, String resourceVersion, String apiVersion) {}

  /**
   * Creates an instance for one revision of a CustomResourceDefinition.
   *
   * @param stored the API version in which objects are stored
   * @param schemas the schema of each version, by API version
   * @param definedAt the resourceVersion of the CustomResourceDefinition; 0 if it has none
   */
  CustomVersions(
      String stored,
      Map<String, ObjectNode> schemas,
      VersionConversion conversion,
      long definedAt) {
    this.stored = stored;
    this.schemas = Map.copyOf(schemas);
    this.conversion = conversion;
    this.definedAt = definedAt;
    schemas.forEach((version, schema) -> rules.put(version, SchemaRules.of(schema)));
  }

  @Override
  public ContentRules rules(String apiVersion) {
    return rules.getOrDefault(apiVersion, ContentRules.NONE);
  }

  @Override
  public boolean convertRemotely() {
    return conversion.isRemote();
  }

  @Override
  public ObjectNode toStored(ObjectNode object) {
    ObjectNode result = pruned(convert(object, stored), object);
    ObjectNode schema = schemas.get(stored);
    if (schema == null || apiVersion(object).equals(stored)) {
      return result;
    }
    // The real server stores the object without these defaults, but each read sets them.
    ObjectNode copy = result.deepCopy();
    SchemaDefaults.apply(schema, copy);
    return copy;
  }

  @Override
  public ObjectNode read(ObjectNode object, String apiVersion) {
    ObjectNode current = isOlderThanDefinition(object) ? completed(object) : object;
    if (apiVersion(current).equals(apiVersion)) {
      return current;
    }
    if (!conversion.isRemote()) {
      return pruned(convert(current, apiVersion), current);
    }
    Meta meta = Meta.of(object);
    CacheKey key = new CacheKey(meta.uid(), meta.resourceVersion(), apiVersion);
    synchronized (converted) {
      ObjectNode known = converted.get(key);
      if (known != null) {
        return known;
      }
    }
    ObjectNode result = pruned(convert(current, apiVersion), current);
    if (!meta.resourceVersion().isEmpty()) {
      synchronized (converted) {
        converted.put(key, result);
      }
    }
    return result;
  }

  @Override
  public ObjectNode convert(ObjectNode object, String apiVersion) {
    String from = apiVersion(object);
    if (from.equals(apiVersion)) {
      return object;
    }
    if (!schemas.containsKey(from)) {
      throw StatusException.of(
          500, "", "request to convert CR from an invalid group/version: " + from);
    }
    return conversion.convert(object, apiVersion);
  }

  private boolean isOlderThanDefinition(ObjectNode object) {
    String version = Meta.of(object).resourceVersion();
    return definedAt > 0 && !version.isEmpty() && Long.parseLong(version) < definedAt;
  }

  /**
   * Returns a copy of a stored object, pruned and with defaults, according to the current schema of
   * the object's version.
   */
  private ObjectNode completed(ObjectNode object) {
    ObjectNode schema = schemas.get(apiVersion(object));
    if (schema == null) {
      return object;
    }
    ObjectNode copy = object.deepCopy();
    SchemaPruning.prune(schema, copy);
    SchemaDefaults.apply(schema, copy);
    return copy;
  }

  /** Returns the converted object without the fields that its new version does not have. */
  private ObjectNode pruned(ObjectNode result, ObjectNode original) {
    ObjectNode schema = schemas.get(apiVersion(result));
    if (schema == null || schema.equals(schemas.get(apiVersion(original)))) {
      return result;
    }
    ObjectNode copy = result.deepCopy();
    SchemaPruning.prune(schema, copy);
    return copy;
  }

  private static String apiVersion(ObjectNode object) {
    return object.path("apiVersion").asText();
  }
}
