// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ResourceType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a request goes, and what messages call it. */
final class ApiRequestTest {

  @ParameterizedTest
  @CsvSource({
    "get, GET, here, a, '', .../namespaces/here/pods/a, get pods here/a",
    "update, PUT, here, a, status, .../namespaces/here/pods/a/status, update pods/status here/a",
    "create, POST, here, a, '', .../namespaces/here/pods, create pods here/a",
    "create, POST, here, '', '', .../namespaces/here/pods, create pods in namespace here",
    "create, POST, here, a, eviction, .../namespaces/here/pods/a/eviction,"
        + " create pods/eviction here/a",
    "list, GET, here, '', '', .../namespaces/here/pods, list pods in namespace here",
    "list, GET, '', '', '', .../pods, list pods",
  })
  void namesWhatItIsAbout(
      String verb,
      String method,
      String namespace,
      String name,
      String subresource,
      String path,
      String text) {
    ResourceType pods = new ResourceType("", "v1", "pods", "Pod", true);
    ApiRequest request =
        ApiRequest.of(verb, method, pods, namespace, name).subresource(subresource);
    assertThat(request.path()).isEqualTo(path.replace("...", "api/v1"));
    assertThat(request).hasToString(text);
  }

  /** Nor has an object of the cluster a namespace when it is created. */
  @ParameterizedTest
  @CsvSource({"'', create namespaces", "a, create namespaces a"})
  void namesWhatHasNoNamespace(String name, String text) {
    ResourceType namespaces = new ResourceType("", "v1", "namespaces", "Namespace", false);
    ApiRequest request = ApiRequest.of("create", "POST", namespaces, "", name);
    assertThat(request.path()).isEqualTo("api/v1/namespaces");
    assertThat(request).hasToString(text);
  }
}
