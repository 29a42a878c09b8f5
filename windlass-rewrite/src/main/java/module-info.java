// SPDX-License-Identifier: Apache-2.0

/** The conversion of operators from other libraries, as recipes of OpenRewrite. */
module dev.windlass.rewrite {
  requires static transitive org.jspecify;
  requires transitive rewrite.core;
  requires rewrite.java;

  exports dev.windlass.rewrite;
}
