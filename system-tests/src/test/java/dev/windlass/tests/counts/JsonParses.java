// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.io.InputDecorator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectTree;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often Jackson parses JSON into an object of a class or into a tree. The framework has
 * three mappers: those of {@link ObjectCodec}, {@link ObjectTree} and the client. Does not count
 * bookmarks, which the reflectors parse, because their number depends on time.
 */
@SuppressWarnings("serial") // nobody serializes it
final class JsonParses extends InputDecorator implements AutoCloseable {

  private final AtomicInteger count = new AtomicInteger();
  private final transient List<ObjectMapper> mappers;

  JsonParses(KubernetesClient client) {
    mappers =
        List.of(
            mapper(ObjectCodec.class.getName() + "$Mapper", "JSON", null),
            mapper(ObjectTree.class.getName(), "JSON", null),
            mapper(
                KubernetesSerialization.class.getName(),
                "mapper",
                client.getKubernetesSerialization()));
    decorate(this);
  }

  int count() {
    return count.get();
  }

  private void parsed() {
    if (!Thread.currentThread().getName().endsWith("-reflector")) {
      count.incrementAndGet();
    }
  }

  private static ObjectMapper mapper(String owner, String name, @Nullable Object in) {
    try {
      Field field = Class.forName(owner).getDeclaredField(name);
      field.setAccessible(true);
      return (ObjectMapper) field.get(in);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("adjust JsonParses to the place of the mapper", e);
    }
  }

  @SuppressWarnings("deprecation") // the only way for a factory that exists
  private void decorate(@Nullable InputDecorator decorator) {
    mappers.forEach(mapper -> mapper.getFactory().setInputDecorator(decorator));
  }

  @Override
  public InputStream decorate(IOContext context, InputStream in) {
    parsed();
    return in;
  }

  @Override
  public @Nullable InputStream decorate(IOContext context, byte[] json, int offset, int length) {
    parsed();
    return null; // which stands for the bytes as they are
  }

  @Override
  public Reader decorate(IOContext context, Reader reader) {
    parsed();
    return reader;
  }

  @Override
  public void close() {
    decorate(null);
  }
}
