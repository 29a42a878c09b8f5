// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/** A transform of which it is known whether it leaves the status as it is; equal to itself only. */
final class Dropping implements Transform {

  private final Transform transform;
  private final boolean keepsStatus;

  Dropping(Transform transform, boolean keepsStatus) {
    this.transform = transform;
    this.keepsStatus = keepsStatus;
  }

  @Override
  public void apply(ObjectTree tree) {
    transform.apply(tree);
  }

  @Override
  public boolean keepsStatus() {
    return keepsStatus;
  }
}
