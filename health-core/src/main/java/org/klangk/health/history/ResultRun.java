package org.klangk.health.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckResult;
import org.klangk.health.workspace.WorkspaceId;

/**
 * Results of one kind after each other, with nothing else in between: the same outcome and exit code of the same check in the
 * same container run. What they wrote may differ; the first and the last text are kept.
 *
 * @param rev the frame that the first one led to, 0 when it led to none; none of the others did
 * @param first the first result
 * @param counted whether they counted; results in startup grace do not
 * @param count how many
 * @param lastAt when the last one came
 * @param lastStartedAt when its check was started
 * @param lastMessage its message
 * @param shortest the shortest check
 * @param longest the longest check
 * @param total how long all of them took
 * @param longestStartDelay how long one of them was due before it could start, at most
 */
public record ResultRun(
        long id,
        long rev,
        CheckCompleted first,
        boolean counted,
        long count,
        Instant lastAt,
        Instant lastStartedAt,
        @Nullable String lastMessage,
        Duration shortest,
        Duration longest,
        Duration total,
        Duration longestStartDelay)
        implements HistoryEntry {

    static ResultRun of(long id, long rev, CheckCompleted result, boolean counted) {
        return new ResultRun(
                id,
                rev,
                result,
                counted,
                1,
                result.at(),
                result.startedAt(),
                result.result().message(),
                result.duration(),
                result.duration(),
                result.duration(),
                result.startDelay());
    }

    boolean goesOnWith(CheckCompleted next, boolean nextCounted) {
        CheckResult is = next.result();
        CheckResult was = first.result();
        return counted == nextCounted
                && first.incarnation() == next.incarnation()
                && first.checkRevision() == next.checkRevision()
                && was.outcome() == is.outcome()
                && Objects.equals(was.exitCode(), is.exitCode());
    }

    ResultRun and(CheckCompleted next) {
        Duration took = next.duration();
        return new ResultRun(
                id,
                rev,
                first,
                counted,
                count + 1,
                next.at(),
                next.startedAt(),
                next.result().message(),
                took.compareTo(shortest) < 0 ? took : shortest,
                longer(took, longest),
                total.plus(took),
                longer(next.startDelay(), longestStartDelay));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    @Override
    public Instant at() {
        return first.at();
    }

    @Override
    public Instant until() {
        return lastAt;
    }

    @Override
    public WorkspaceId workspaceId() {
        return first.workspaceId();
    }

    @Override
    public HistoryKind kind() {
        return HistoryKind.RESULT;
    }
}
