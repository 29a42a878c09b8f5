// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public interface of a module as text: each type that users can name, and below it the members
 * that they can call or override. Sorted, so that a change of the interface, and nothing else,
 * changes the text; written with our own words instead of {@code toGenericString}, so that it is
 * the same on every JDK.
 */
final class ApiDump {

  private ApiDump() {}

  /** The text for these classes, of which those that users cannot name are left out. */
  static String of(Collection<String> classNames) {
    return classNames.stream()
        .sorted()
        .map(ApiDump::load)
        .filter(ApiDump::isVisible)
        .map(ApiDump::describe)
        .collect(Collectors.joining("\n"));
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ApiDump.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " is compiled but not on the class path", e);
    }
  }

  private static boolean isVisible(Class<?> type) {
    if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic()) {
      return false;
    }
    Class<?> outer = type.getEnclosingClass();
    return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String describe(Class<?> type) {
    List<String> members = new ArrayList<>();
    Arrays.stream(type.getDeclaredFields())
        .filter(field -> isVisible(field.getModifiers()) && !field.isSynthetic())
        .map(ApiDump::describe)
        .sorted()
        .forEach(members::add);
    if (!type.isEnum()) {
      Arrays.stream(type.getDeclaredConstructors())
          .filter(
              constructor -> isVisible(constructor.getModifiers()) && !constructor.isSynthetic())
          .map(ApiDump::describe)
          .sorted()
          .forEach(members::add);
    }
    Arrays.stream(type.getDeclaredMethods())
        .filter(method -> isVisible(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> !isImplied(method))
        .sorted(Comparator.comparing(Method::getName).thenComparing(ApiDump::describe))
        .map(ApiDump::describe)
        .forEach(members::add);
    // Neighbours are named without their package, which stands in the line above them.
    String neighbour = "\\b" + Pattern.quote(type.getPackageName() + ".") + "(?=[A-Z])";
    return members.stream()
        .map(member -> "  " + member.replaceAll(neighbour, "") + "\n")
        .collect(Collectors.joining("", header(type) + "\n", ""));
  }

  /** What each enum and each record has anyway. */
  private static boolean isImplied(Method method) {
    Class<?> owner = method.getDeclaringClass();
    String name = method.getName();
    if (owner.isEnum()) {
      return name.equals("values") || name.equals("valueOf");
    }
    boolean isAccessor =
        owner.isRecord()
            && method.getParameterCount() == 0
            && Arrays.stream(owner.getRecordComponents())
                .anyMatch(component -> component.getName().equals(name));
    boolean isOfObject = List.of("equals", "hashCode", "toString").contains(name);
    return isAccessor || (owner.isRecord() && isOfObject);
  }

  private static String header(Class<?> type) {
    StringBuilder text = new StringBuilder(visibility(type.getModifiers()));
    boolean isClass = !type.isInterface() && !type.isEnum() && !type.isRecord();
    boolean isNested = type.getEnclosingClass() != null;
    if (isClass && isNested && Modifier.isStatic(type.getModifiers())) {
      text.append("static ");
    }
    if (isClass && Modifier.isAbstract(type.getModifiers())) {
      text.append("abstract ");
    }
    if (isClass && Modifier.isFinal(type.getModifiers())) {
      text.append("final ");
    }
    if (type.isSealed()) {
      text.append("sealed ");
    }
    text.append(kind(type)).append(' ').append(type.getName()).append(typeParameters(type));
    if (type.isRecord()) {
      text.append(
          Arrays.stream(type.getRecordComponents())
              .map(ApiDump::describe)
              .collect(Collectors.joining(", ", "(", ")")));
    }
    Type parent = type.getGenericSuperclass();
    if (isClass && parent != null && parent != Object.class) {
      text.append(" extends ").append(name(parent));
    }
    if (type.getGenericInterfaces().length > 0) {
      text.append(type.isInterface() ? " extends " : " implements ")
          .append(names(Arrays.stream(type.getGenericInterfaces())));
    }
    return text.toString();
  }

  private static String kind(Class<?> type) {
    if (type.isAnnotation()) {
      return "@interface";
    }
    if (type.isInterface()) {
      return "interface";
    }
    return type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
  }

  private static String describe(RecordComponent component) {
    return annotated(component.getAnnotatedType(), component.getGenericType())
        + " "
        + component.getName();
  }

  private static String describe(Field field) {
    if (field.isEnumConstant()) {
      return field.getName();
    }
    return visibility(field.getModifiers())
        + (Modifier.isStatic(field.getModifiers()) ? "static " : "")
        + (Modifier.isFinal(field.getModifiers()) ? "final " : "")
        + annotated(field.getAnnotatedType(), field.getGenericType())
        + " "
        + field.getName();
  }

  private static String describe(Constructor<?> constructor) {
    return visibility(constructor.getModifiers())
        + typeParameters(constructor)
        + constructor.getDeclaringClass().getSimpleName()
        + parameters(constructor)
        + exceptions(constructor);
  }

  private static String describe(Method method) {
    int modifiers = method.getModifiers();
    boolean isFinal =
        Modifier.isFinal(modifiers) && !Modifier.isFinal(method.getDeclaringClass().getModifiers());
    String typeParameters = typeParameters(method);
    return visibility(modifiers)
        + (Modifier.isStatic(modifiers) ? "static " : "")
        + (Modifier.isAbstract(modifiers) ? "abstract " : "")
        + (isFinal ? "final " : "")
        + (method.isDefault() ? "default " : "")
        + (typeParameters.isEmpty() ? "" : typeParameters + " ")
        + annotated(method.getAnnotatedReturnType(), method.getGenericReturnType())
        + " "
        + method.getName()
        + parameters(method)
        + exceptions(method);
  }

  private static String visibility(int modifiers) {
    return Modifier.isPublic(modifiers) ? "public " : "protected ";
  }

  private static String typeParameters(GenericDeclaration declaration) {
    TypeVariable<?>[] variables = declaration.getTypeParameters();
    if (variables.length == 0) {
      return "";
    }
    return Arrays.stream(variables)
        .map(ApiDump::describe)
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String describe(TypeVariable<?> variable) {
    String bounds =
        Arrays.stream(variable.getBounds())
            .filter(bound -> bound != Object.class)
            .map(ApiDump::name)
            .collect(Collectors.joining(" & "));
    return bounds.isEmpty() ? variable.getName() : variable.getName() + " extends " + bounds;
  }

  private static String parameters(Executable executable) {
    Type[] types = executable.getGenericParameterTypes();
    AnnotatedType[] annotated = executable.getAnnotatedParameterTypes();
    return IntStream.range(0, types.length)
        .mapToObj(
            i ->
                executable.isVarArgs() && i == types.length - 1
                    ? name(types[i]).replaceFirst("\\[]$", "...")
                    : annotated(annotated[i], types[i]))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String exceptions(Executable executable) {
    Type[] thrown = executable.getGenericExceptionTypes();
    return thrown.length == 0 ? "" : " throws " + names(Arrays.stream(thrown));
  }

  private static String annotated(AnnotatedElement element, Type type) {
    return (element.isAnnotationPresent(Nullable.class) ? "@Nullable " : "") + name(type);
  }

  private static String names(Stream<Type> types) {
    return types.map(ApiDump::name).collect(Collectors.joining(", "));
  }

  /** The name in full, but for {@code java.lang}. */
  private static String name(Type type) {
    return type.getTypeName().replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
  }
}
