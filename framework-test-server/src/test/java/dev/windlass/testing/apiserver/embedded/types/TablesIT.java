// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tables that {@code kubectl get} prints are those of the real server. */
@ExtendWith(RealApiServerExtension.class)
class TablesIT {

  private static final String TABLE =
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

  private static final String CRD =
      """
      {'metadata':{'name':'shops.tables.windlass.dev'},'spec':{'group':'tables.windlass.dev',
       'scope':'Namespaced','names':{'plural':'shops','kind':'Shop'},'versions':[{'name':'v1',
       'served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',
       'x-kubernetes-preserve-unknown-fields':true}},'additionalPrinterColumns':[
       {'name':'Size','type':'integer','jsonPath':'.spec.size'},
       {'name':'Ready','type':'string','jsonPath':'.status.conditions[?(@.type==\\"Ready\\")].status'},
       {'name':'First','type':'string','jsonPath':'.spec.parts[0]','priority':1}]}]}}
      """;

  private static final List<String> PATHS =
      List.of(
          "/api/v1/namespaces/tables/configmaps",
          "/api/v1/namespaces/tables/configmaps/a",
          "/api/v1/namespaces/tables/secrets",
          "/api/v1/namespaces/tables/serviceaccounts?includeObject=None",
          "/apis/apps/v1/namespaces/tables/deployments",
          "/apis/coordination.k8s.io/v1/namespaces/tables/leases",
          "/apis/tables.windlass.dev/v1/namespaces/tables/shops",
          "/api/v1/namespaces/tables",
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shops.tables.windlass.dev");

  /** Returns the tables without descriptions, metadata and times. */
  private static List<String> tables(TestApiServer server) throws InterruptedException {
    HttpProbe http = HttpProbe.on(server);
    http.post("/api/v1/namespaces", "{'metadata':{'name':'tables'}}");
    http.post("/api/v1/namespaces/tables/configmaps", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
    http.post("/api/v1/namespaces/tables/secrets", "{'metadata':{'name':'s'}}");
    http.post("/api/v1/namespaces/tables/serviceaccounts", "{'metadata':{'name':'robot'}}");
    http.post(
        "/apis/apps/v1/namespaces/tables/deployments",
        """
        {'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'app':'d'}},'template':
         {'metadata':{'labels':{'app':'d'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}
        """);
    http.post(
        "/apis/coordination.k8s.io/v1/namespaces/tables/leases",
        "{'metadata':{'name':'l'},'spec':{'holderIdentity':'me'}}");
    http.post(HttpProbe.CRDS, CRD);
    String shops = "/apis/tables.windlass.dev/v1/namespaces/tables/shops";
    String shop =
        "{'metadata':{'name':'x'},'spec':{'size':3,'parts':['p']},'kind':'Shop','apiVersion':'tables.windlass.dev/v1'}";
    for (int i = 0; i < 100 && http.post(shops, shop).code() == 404; i++) {
      Thread.sleep(50); // until the real server serves the type
    }
    List<String> tables = new ArrayList<>();
    for (String path : PATHS) {
      JsonNode table = http.getAs(path, TABLE).json();
      for (JsonNode column : table.path("columnDefinitions")) {
        ((ObjectNode) column).remove("description");
      }
      List<String> rows = new ArrayList<>();
      table.path("rows").forEach(row -> rows.add(row.path("cells") + " " + row.at("/object/kind")));
      tables.add(
          (path + " " + table.path("kind") + table.path("columnDefinitions") + rows)
              .replaceAll("\"\\d+s\"|\"\\d{4}-[^\"]*Z\"", "<time>"));
    }
    return tables;
  }

  @Test
  void areTheSameOnBothServers(RealApiServer real) throws InterruptedException {
    try (EmbeddedApiServer embedded =
        EmbeddedApiServer.builder().deploymentController(false).start()) {
      assertThat(tables(embedded)).isEqualTo(tables(real));
    }
  }
}
