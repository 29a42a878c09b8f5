// SPDX-License-Identifier: Apache-2.0
// Rejects names that do not result in a working project. Maven checks the expressions in
// archetype-metadata.xml only when it asks for a value, which it does not do with -B.
import java.nio.file.Path
import javax.lang.model.SourceVersion

String problem = null
if (!(kind ==~ /[A-Z][A-Za-z0-9]*/)) {
  problem = "kind: '$kind' is not a kind, such as Website"
} else if (!(group ==~ /[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+/)) {
  problem = "group: '$group' is not an API group, such as example.com"
} else if (!SourceVersion.isName(request.getPackage())) {
  problem = "package: '${request.getPackage()}' is not a package, such as com.example"
} else if (!(artifactId ==~ /[a-z0-9]([-a-z0-9]*[a-z0-9])?/)) {
  problem = "artifactId: '$artifactId' cannot name a Deployment, unlike website-operator"
}
if (problem != null) {
  Path folder = Path.of(request.outputDirectory, artifactId)
  throw new IllegalArgumentException("Set another $problem. Delete $folder before you repeat the command")
}
