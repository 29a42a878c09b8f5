// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import java.util.List;

/**
 * A page of a list.
 *
 * @param objects the objects of this page
 * @param continueToken the token of the next page; empty for the last page
 */
record ObjectPage(List<StoredObject> objects, String continueToken) {

  ObjectPage {
    objects = List.copyOf(objects);
  }
}
