// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.object.ObjectKey;

/**
 * An object to rewrite.
 *
 * @param key the object's namespace and name
 * @param uid the uid, which distinguishes the object from its successor if it is deleted and
 *     created again
 * @param resourceVersion the version that was listed
 */
record StoredObject(ObjectKey key, String uid, String resourceVersion) {}
