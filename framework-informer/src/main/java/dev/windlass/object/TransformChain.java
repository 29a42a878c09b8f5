// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/** A transform that applies one transform, and then another. */
record TransformChain(Transform first, Transform second) implements Transform {

  @Override
  public void apply(ObjectTree tree) {
    first.apply(tree);
    second.apply(tree);
  }

  @Override
  public boolean keepsStatus() {
    return first.keepsStatus() && second.keepsStatus();
  }
}
