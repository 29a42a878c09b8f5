// SPDX-License-Identifier: Apache-2.0
module dev.windlass.examples.quickstart {
  requires static com.google.errorprone.annotations;
  requires dev.windlass.core;
  requires static generator.annotations;
  requires static org.jspecify;

  exports dev.windlass.examples.quickstart; // Jackson and fabric8 read the classes of the resource
}
