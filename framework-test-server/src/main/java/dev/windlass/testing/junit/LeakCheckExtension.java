// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** The JUnit extension that implements {@link LeakCheck}. */
public final class LeakCheckExtension implements BeforeEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(LeakCheckExtension.class);

  /** Creates the extension, as JUnit requires. */
  public LeakCheckExtension() {}

  /**
   * Records the running threads, and puts the check into the test's store. JUnit closes the store,
   * which runs the check, after all other callbacks of the test.
   */
  @Override
  public void beforeEach(ExtensionContext context) {
    LeakedThreads threads = LeakedThreads.before(context);
    AutoCloseable check = threads::assertNone;
    context.getStore(NAMESPACE).put(LeakedThreads.class, check);
  }
}
