// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Declaration.Need;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The permissions that a program needs to maintain the certificates of its webhooks. Each
 * permission is limited to a single object, except the permission to create the Secret. The API
 * server cannot restrict this permission by name, because it does not know the name of a new object
 * when it authorises the request.
 */
public final class RegistrationPermissions {

  private static final ResourceType SECRETS = ResourceType.of(Secret.class);

  private RegistrationPermissions() {}

  /** Returns the permissions for the Secret that contains the certificates. */
  public static Permissions ofSecret(ObjectKey secret) {
    Set<Permission> permissions =
        named(
            SECRETS,
            secret.namespace(),
            secret.name(),
            Verb.GET,
            Verb.LIST,
            Verb.WATCH,
            Verb.UPDATE);
    permissions.add(Permission.of(SECRETS, secret.namespace(), Verb.CREATE));
    return declared("webhook certificates", permissions);
  }

  /** Returns the permissions for the objects that register the webhooks. */
  public static Permissions ofObjects(WebhookRegistration registration) {
    List<Declaration> declarations = new ArrayList<>();
    for (RegisteredObject object : registration.objects()) {
      Set<Permission> permissions =
          named(object.type(), "", object.name(), Verb.GET, Verb.LIST, Verb.WATCH, Verb.PATCH);
      declarations.add(new Declaration("webhooks in " + object, permissions, Need.NONE));
    }
    return Permissions.of(declarations);
  }

  private static Set<Permission> named(
      ResourceType type, String namespace, String name, Verb... verbs) {
    Set<Permission> permissions = new HashSet<>();
    for (Verb verb : verbs) {
      permissions.add(Permission.of(type, namespace, verb).named(name));
    }
    return permissions;
  }

  private static Permissions declared(String statement, Set<Permission> permissions) {
    return Permissions.of(List.of(new Declaration(statement, permissions, Need.NONE)));
  }
}
