// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/**
 * Runs a test method once without faults, and then once for each fault that the method's
 * annotations request. The runs stop at the first failure.
 */
public final class FaultRuns implements TestTemplateInvocationContextProvider {

  /** Creates the provider, as JUnit requires. */
  public FaultRuns() {}

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    // Each run is created after the previous run, because JUnit executes each run as soon as it is
    // created.
    return Stream.iterate(
            new Sequence(context.getRequiredTestMethod()), Sequence::hasRun, Sequence::next)
        .map(Sequence::run);
  }

  /** The sequence of the runs of one test method. */
  private static final class Sequence {
    private final Method method;
    private final FaultRun reference = new FaultRun(new Fault.None());
    private final List<Fault> left = new ArrayList<>();
    private Optional<FaultRun> current = Optional.of(reference);
    private boolean failed;

    Sequence(Method method) {
      this.method = method;
    }

    boolean hasRun() {
      return current.isPresent();
    }

    TestTemplateInvocationContext run() {
      return new Run(this, current.orElseThrow());
    }

    /** Advances to the next run. There is none after a failed run. */
    Sequence next() {
      if (current.orElseThrow() == reference) {
        left.addAll(faults());
      }
      current =
          failed || left.isEmpty() ? Optional.empty() : Optional.of(new FaultRun(left.remove(0)));
      return this;
    }

    private List<Fault> faults() {
      Trace trace = reference.trace();
      List<Fault> all = new ArrayList<>();
      if (method.isAnnotationPresent(CrashAtEveryWrite.class)) {
        for (int i = 0; i < trace.writes().size(); i++) {
          all.add(new Fault.Crash(i));
        }
      }
      if (method.isAnnotationPresent(StaleCache.class)) {
        for (int i = 0; i < trace.events().size(); i++) {
          all.add(new Fault.Late(i));
        }
      }
      if (method.isAnnotationPresent(DropEvents.class)) {
        for (int i = 0; i < trace.events().size(); i++) {
          all.add(new Fault.Lost(i));
        }
      }
      return all;
    }
  }

  /** One run of the method. */
  private static final class Run
      implements TestTemplateInvocationContext,
          TestInstancePreConstructCallback,
          TestExecutionExceptionHandler,
          AfterEachCallback {
    private final Sequence sequence;
    private final FaultRun run;

    Run(Sequence sequence, FaultRun run) {
      this.sequence = sequence;
      this.run = run;
    }

    private String description() {
      return run.fault().describe(sequence.reference.trace());
    }

    @Override
    public String getDisplayName(int index) {
      return description();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    /**
     * Begins the run before the constructor is called, because a field can contain a {@code
     * ReconcilerTest}.
     */
    @Override
    public void preConstructTestInstance(
        TestInstanceFactoryContext factory, ExtensionContext context) {
      run.enter();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
        throws Throwable {
      if (run == sequence.reference) {
        throw thrown;
      }
      throw new AssertionError(description() + ": " + thrown.getMessage(), thrown);
    }

    @Override
    public void afterEach(ExtensionContext context) {
      run.leave();
      if (context.getExecutionException().isPresent()) {
        sequence.failed = true;
        return;
      }
      Optional<String> problem = run.complete();
      if (problem.isEmpty() && run != sequence.reference) {
        problem =
            run.trace()
                .differenceTo(sequence.reference.trace())
                .map(difference -> "not the same end as without faults. " + difference);
      }
      if (problem.isPresent()) {
        sequence.failed = true;
        throw new AssertionError(description() + ": " + problem.get());
      }
    }
  }
}
