// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.testsupport;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes of objects that others are changing, too, as kubectl makes them. Stateless. */
public final class Edits {

  private static final int TRIES = 20;

  private Edits() {}

  /** Reads, changes and writes, again if somebody else wrote between. */
  public static <T extends HasMetadata> void edit(Resource<T> resource, Consumer<T> change) {
    retried(() -> resource.edit(inPlace(change)));
  }

  /** The same for the status. */
  public static <T extends HasMetadata> void editStatus(Resource<T> resource, Consumer<T> change) {
    retried(() -> resource.editStatus(inPlace(change)));
  }

  /** Whether an object of the same name was deleted and created. */
  public static boolean isAnother(@Nullable HasMetadata now, HasMetadata before) {
    return now != null && !now.getMetadata().getUid().equals(before.getMetadata().getUid());
  }

  private static <T> UnaryOperator<T> inPlace(Consumer<T> change) {
    return found -> {
      change.accept(found);
      return found;
    };
  }

  private static void retried(Runnable write) {
    for (int i = 1; ; i++) {
      try {
        write.run();
        return;
      } catch (KubernetesClientException e) {
        if (e.getCode() != 409 || i == TRIES) {
          throw e;
        }
      }
    }
  }
}
