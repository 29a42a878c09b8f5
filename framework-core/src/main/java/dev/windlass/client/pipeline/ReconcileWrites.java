// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.client.apply.FieldOwnership;
import dev.windlass.client.pipeline.WriterContext.Write;
import dev.windlass.client.pipeline.WriterContext.Written;
import dev.windlass.object.MalformedObjectException;
import dev.windlass.object.ParsedObject;
import java.net.HttpURLConnection;

/**
 * Reports a reconcile's writes to the observer of its {@link WriterContext}. Reports only creations
 * and requests that contain the {@code resourceVersion} of the object to change. If there is no
 * observer, this class does not read request bodies.
 *
 * @param cluster the cluster's name; empty for the program's own cluster
 */
public record ReconcileWrites(String cluster) implements WriteHook {

  private static final long NOTHING = 0;
  private static final long CREATE_ONLY = Long.parseLong(FieldOwnership.CREATE_ONLY);

  @Override
  public Sent before(WriteRequest write) {
    return write
        .writer()
        .flatMap(WriterContext::observer)
        .map(observer -> before(write, observer))
        .orElse(Sent.IGNORED);
  }

  private Sent before(WriteRequest write, WriterContext.Observer observer) {
    long replaced = replaced(write);
    if (replaced < 0) {
      return Sent.IGNORED;
    }
    Written written =
        observer.before(
            new Write(cluster, write.group(), write.plural(), write.namespace(), replaced));
    return new Sent() {
      @Override
      public void ended(WriteResponse response) {
        boolean created = response.code() == HttpURLConnection.HTTP_CREATED;
        if (!response.isSuccess() || (created && replaced != NOTHING)) {
          refused();
          return;
        }
        String name = "";
        long version = -1;
        try {
          ParsedObject answer = response.object();
          name = answer.name();
          version = answer.version();
        } catch (MalformedObjectException e) {
          // The new state is unknown.
        } finally {
          written.ended(name, version); // in any case, because events are waiting for it
        }
      }

      @Override
      public void refused() {
        written.ended("", -1);
      }
    };
  }

  /**
   * Returns the {@code resourceVersion} that a write replaces. Returns 0 for a create request, and
   * -1 if the request does not specify a {@code resourceVersion}.
   */
  private static long replaced(WriteRequest write) {
    if (write.dryRun()) {
      return -1;
    }
    return switch (write.method()) {
      case "POST" -> write.name().isEmpty() ? NOTHING : -1; // not a creation: a subresource
      case "PUT" -> write.precondition();
      case "PATCH" -> {
        long version = write.precondition();
        yield version == CREATE_ONLY ? NOTHING : version;
      }
      default -> -1;
    };
  }
}
