// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import dev.windlass.testing.junit.EmbeddedKubernetes;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/** The contracts of the helpers for objects, on the embedded server. */
@Timeout(60)
final class ObjectHelpersOnEmbeddedTest {

  @Nested
  @EmbeddedKubernetes
  final class BlockedNameTest extends BlockedNameContract {}

  @Nested
  @EmbeddedKubernetes
  final class ChangedWishTest extends ChangedWishContract {
    @Override
    boolean hasRules() {
      return false;
    }
  }

  @Nested
  @EmbeddedKubernetes
  final class CreateOrUpdateTest extends CreateOrUpdateContract {}

  @Nested
  @EmbeddedKubernetes
  final class FinalizersTest extends FinalizersContract {}

  @Nested
  @EmbeddedKubernetes
  final class OwnedApplyTest extends OwnedApplyContract {}

  @Nested
  @EmbeddedKubernetes
  final class PruneTest extends PruneContract {}
}
