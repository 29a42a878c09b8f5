// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Only a few classes choose an address to connect to or a user to impersonate, and none of them
 * takes it from an object: docs/security.md, inputs 30 to 33. What has no code that opens URLs
 * follows no redirect and no DNS name of an attacker either.
 */
final class OutboundRequestsTest {

  /** What creates clients or opens connections in the JDK and in fabric8. */
  private static final List<String> OPENERS =
      List.of(
          "java.net.Socket.<init>",
          "java.net.DatagramSocket.<init>",
          "java.net.URL.openConnection",
          "java.net.URL.openStream",
          "java.net.URL.getContent",
          "java.net.InetAddress.getByName",
          "java.net.InetAddress.getAllByName",
          "java.net.http.HttpClient.newHttpClient",
          "java.net.http.HttpClient.newBuilder",
          "java.nio.channels.SocketChannel.open",
          "java.nio.channels.AsynchronousSocketChannel.open",
          "javax.net.SocketFactory.createSocket",
          "javax.net.ssl.SSLSocketFactory.createSocket",
          "java.rmi.Naming.lookup",
          "javax.naming.InitialContext.<init>");

  /**
   * The transport, literal addresses of the proxy settings, those on which the program itself
   * listens, and its class path.
   */
  private static final Set<String> ALLOWED =
      Set.of(
          "transport.Dialer",
          "transport.ProxySettings",
          "transport.RecordSocket",
          "httpserver.BindAddress",
          "crd.CrdFile");

  private static final String[] TEST_SERVERS = {"dev.windlass.testing.."};

  @Test
  void noClassOpensAConnectionByItself() {
    noClasses()
        .that()
        .resideOutsideOfPackages(TEST_SERVERS)
        .and(not(allowed()))
        .should()
        .accessTargetWhere(describe("open a connection", OutboundRequestsTest::opens))
        .check(Checkout.mainClasses());
  }

  /** The address of the API server and the user are those of the kubeconfig or of the program. */
  @Test
  void onlyTheConfigurationSetsTheAddressAndTheUser() {
    noClasses()
        .that()
        .resideOutsideOfPackages(TEST_SERVERS)
        .and()
        .resideOutsideOfPackage("dev.windlass.kubeconfig")
        .should()
        .accessTargetWhere(
            describe(
                "set the address or the user of a client",
                access ->
                    access.getTargetOwner().getPackageName().startsWith("io.fabric8.kubernetes")
                        && access.getName().matches("(set|with)(Impersonate.*|MasterUrl)")))
        .check(Checkout.mainClasses());
  }

  private static DescribedPredicate<JavaClass> allowed() {
    return describe("allowed", type -> ALLOWED.contains(outermost(type)));
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("^dev\\.windlass\\.", "").replaceFirst("\\$.*", "");
  }

  private static boolean opens(JavaAccess<?> access) {
    return OPENERS.contains(access.getTargetOwner().getName() + "." + access.getName());
  }
}
