package org.klangk.health.transport.podman;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that run containers. Skipped where there is no Podman, unless {@code -Dpodman=required}: then they fail. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsPodman.Condition.class)
public @interface NeedsPodman {

    /** Looks for Podman. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String missing = TestPodman.missing();
            if (missing == null) {
                return ConditionEvaluationResult.enabled("Podman is there");
            }
            if ("required".equals(System.getProperty("podman"))) {
                throw new IllegalStateException("container tests are required, but " + missing);
            }
            return ConditionEvaluationResult.disabled(missing);
        }
    }
}
