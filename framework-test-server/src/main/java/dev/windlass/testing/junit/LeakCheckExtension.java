// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** The JUnit extension that implements {@link LeakCheck}. */
public final class LeakCheckExtension implements BeforeEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(LeakCheckExtension.class);

  /** Creates the extension. JUnit calls this constructor. */
  public LeakCheckExtension() {}

  /**
   * Records the running threads, and registers the check in the test's store. JUnit closes the
   * store after all other callbacks of the test, and thereby runs the check.
   */
  @Override
  public void beforeEach(ExtensionContext context) {
    LeakedThreads threads = LeakedThreads.before(context);
    AutoCloseable check = threads::assertNone;
    context.getStore(NAMESPACE).put(LeakedThreads.class, check);
  }
}
