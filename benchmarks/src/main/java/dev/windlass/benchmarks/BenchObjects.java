// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.object.ObjectKey;
import java.util.Random;

/**
 * The objects of the benchmarks: custom resources of about 1.3 KB as the server sends them. A
 * quarter of these bytes are managedFields. The texts in the objects are random letters, which
 * compress less well than natural text.
 */
final class BenchObjects {

  private static final int PAYLOAD = 600;
  private static final int NAMESPACES = 20;

  private BenchObjects() {}

  /** Returns the key of the object with this number. */
  static ObjectKey key(int number) {
    return ObjectKey.of("bench-" + number % NAMESPACES, "resource-%06d".formatted(number));
  }

  private static String payload(int number) {
    Random random = new Random(number);
    StringBuilder text = new StringBuilder(PAYLOAD);
    while (text.length() < PAYLOAD) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  /**
   * Returns the JSON of an object, byte for byte as a server would send it. Benchmarks that run
   * without a server use this method.
   *
   * @param version the resourceVersion
   */
  static String json(int number, long version) {
    ObjectKey key = key(number);
    return """
        {"apiVersion":"bench.windlass.dev/v1","kind":"BenchResource","metadata":{\
        "creationTimestamp":"2026-11-21T10:00:00Z","generation":1,%s,"managedFields":[{"apiVersion":"bench.windlass.dev/v1","fieldsType":"FieldsV1",\
        "fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{},\
        "f:app.kubernetes.io/part-of":{},"f:tier":{}}},"f:spec":{".":{},"f:payload":{}}},\
        "manager":"fabric8-kubernetes-client","operation":"Update",\
        "time":"2026-11-21T10:00:00Z"}],"name":"%s","namespace":"%s",\
        "resourceVersion":"%d","uid":"00000000-0000-4000-8000-%012d"},\
        "spec":{"payload":"%s"}}"""
        .formatted(labels(number), key.name(), key.namespace(), version, number, payload(number));
  }

  private static String labels(int number) {
    return """
        "labels":{"app.kubernetes.io/name":"bench","app.kubernetes.io/part-of":"windlass",\
        "tier":"%s"}"""
        .formatted(number % 2 == 0 ? "front" : "back");
  }
}
