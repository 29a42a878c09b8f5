// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.J;

/** Finds nodes of a syntax tree below a given node. */
final class Search {

  private Search() {}

  /** Returns the calls to a method of a type below a node, in source order. */
  static List<J.MethodInvocation> calls(J below, String type, String method) {
    return calls(
        below,
        call ->
            call.getSimpleName().equals(method)
                && call.getMethodType() != null
                && Sdk.is(call.getMethodType().getDeclaringType(), type));
  }

  /** Returns the calls below a node that a predicate accepts, in source order. */
  static List<J.MethodInvocation> calls(J below, Predicate<J.MethodInvocation> wanted) {
    List<J.MethodInvocation> found = new ArrayList<>();
    new JavaIsoVisitor<Integer>() {
      @Override
      public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Integer unused) {
        if (wanted.test(call)) {
          found.add(call);
        }
        return super.visitMethodInvocation(call, unused);
      }
    }.visit(below, 0);
    return found;
  }

  /** Returns the classes below a node, keyed by their ids. */
  static Map<UUID, J.ClassDeclaration> classes(J below) {
    Map<UUID, J.ClassDeclaration> found = new HashMap<>();
    new JavaIsoVisitor<Integer>() {
      @Override
      public J.ClassDeclaration visitClassDeclaration(J.ClassDeclaration type, Integer unused) {
        found.put(type.getId(), type);
        return super.visitClassDeclaration(type, unused);
      }
    }.visit(below, 0);
    return found;
  }

  /** Returns the blocks below a node. */
  static List<J.Block> blocks(J below) {
    List<J.Block> found = new ArrayList<>();
    new JavaIsoVisitor<Integer>() {
      @Override
      public J.Block visitBlock(J.Block block, Integer unused) {
        found.add(block);
        return super.visitBlock(block, unused);
      }
    }.visit(below, 0);
    return found;
  }
}
