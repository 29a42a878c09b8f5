// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.object.ObjectKey;

/**
 * An object to rewrite.
 *
 * @param key the object's namespace and name
 * @param uid the uid; an object that is deleted and created again has another uid
 * @param resourceVersion the resource version that was listed
 */
record StoredObject(ObjectKey key, String uid, String resourceVersion) {}
