package org.klangk.health.workspace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A definition in the making: what is not set (or set to null) takes its default when {@link #resolve} completes it. Not
 * thread-safe.
 */
public final class WorkspaceDraft {
    private final @Nullable Workspace present;
    private @Nullable WorkspaceId id;
    private @Nullable String name;
    private @Nullable String owner;
    private Set<String> members = Set.of();
    private @Nullable String container;
    private @Nullable String image;
    private @Nullable String healthCheck;
    private @Nullable Boolean enabled;
    private @Nullable String user;
    private @Nullable String home;
    private @Nullable String workdir;
    private @Nullable String serviceCommand;
    private @Nullable Boolean autoStart;
    private @Nullable SetupState setup;
    private @Nullable Duration interval;
    private @Nullable Duration timeout;
    private @Nullable Duration startupGrace;
    private @Nullable Duration startInterval;
    private @Nullable Integer failures;
    private @Nullable Integer successes;
    private @Nullable ProbeKind probe;
    private @Nullable String agent;
    private @Nullable Source source;

    WorkspaceDraft() {
        present = null;
    }

    WorkspaceDraft(Workspace from) {
        present = from;
        id = from.id();
        name = from.name();
        owner = from.owner();
        members = from.members();
        container = from.container();
        image = from.image();
        healthCheck = from.healthCheck() == null ? null : from.healthCheck().command();
        enabled = from.enabled();
        user = from.user();
        home = from.home();
        workdir = from.workdir();
        serviceCommand = from.serviceCommand();
        autoStart = from.autoStart();
        setup = from.setup();
        interval = from.policy().interval();
        timeout = from.policy().timeout();
        startupGrace = from.policy().startupGrace();
        startInterval = from.policy().startInterval();
        failures = from.policy().failuresBeforeUnhealthy();
        successes = from.policy().successesBeforeHealthy();
        probe = from.probe();
        agent = from.agent();
        source = from.source();
    }

    /** The workspace that this edits, as it is without the edit; null where a new one is defined. */
    public @Nullable Workspace present() {
        return present;
    }

    /** Null lets {@link #resolve} make a random one. */
    public WorkspaceDraft id(@Nullable WorkspaceId value) {
        id = value;
        return this;
    }

    public WorkspaceDraft name(@Nullable String value) {
        name = value;
        return this;
    }

    /** Null means {@code "local"}, the user of a server without accounts. */
    public WorkspaceDraft owner(@Nullable String value) {
        owner = value;
        return this;
    }

    public WorkspaceDraft members(Set<String> value) {
        members = new LinkedHashSet<>(value);
        return this;
    }

    /** Name or id of an existing container. */
    public WorkspaceDraft container(@Nullable String value) {
        container = value;
        return this;
    }

    /** What to make a container of; then {@code container} is not for the definition to say. */
    public WorkspaceDraft image(@Nullable String value) {
        image = value;
        return this;
    }

    /** The shell command; null or empty means that nothing is checked. */
    public WorkspaceDraft healthCheck(@Nullable String value) {
        healthCheck = value;
        return this;
    }

    public WorkspaceDraft enabled(@Nullable Boolean value) {
        enabled = value;
        return this;
    }

    public WorkspaceDraft user(@Nullable String value) {
        user = value;
        return this;
    }

    public WorkspaceDraft home(@Nullable String value) {
        home = value;
        return this;
    }

    public WorkspaceDraft workdir(@Nullable String value) {
        workdir = value;
        return this;
    }

    public WorkspaceDraft serviceCommand(@Nullable String value) {
        serviceCommand = value;
        return this;
    }

    public WorkspaceDraft autoStart(@Nullable Boolean value) {
        autoStart = value;
        return this;
    }

    public WorkspaceDraft setup(@Nullable SetupState value) {
        setup = value;
        return this;
    }

    public WorkspaceDraft interval(@Nullable Duration value) {
        interval = value;
        return this;
    }

    public WorkspaceDraft timeout(@Nullable Duration value) {
        timeout = value;
        return this;
    }

    public WorkspaceDraft startupGrace(@Nullable Duration value) {
        startupGrace = value;
        return this;
    }

    public WorkspaceDraft startInterval(@Nullable Duration value) {
        startInterval = value;
        return this;
    }

    public WorkspaceDraft failuresBeforeUnhealthy(@Nullable Integer value) {
        failures = value;
        return this;
    }

    public WorkspaceDraft successesBeforeHealthy(@Nullable Integer value) {
        successes = value;
        return this;
    }

    public WorkspaceDraft probe(@Nullable ProbeKind value) {
        probe = value;
        return this;
    }

    /** The kind of agent that serves. */
    public WorkspaceDraft agent(@Nullable String value) {
        agent = value;
        return this;
    }

    public WorkspaceDraft source(@Nullable Source value) {
        source = value;
        return this;
    }

    /**
     * The complete workspace.
     *
     * @throws InvalidWorkspaceException naming every field that cannot be accepted
     */
    public Workspace resolve(HealthDefaults defaults) {
        List<InvalidWorkspaceException.Violation> wrong = new ArrayList<>();
        String theName = WorkspaceRules.name(name, wrong);
        HealthCheck check = WorkspaceRules.check(healthCheck, wrong);
        CheckPolicy policy = WorkspaceRules.policy(
                new CheckPolicy(
                        or(interval, defaults.policy().interval()),
                        or(timeout, defaults.policy().timeout()),
                        or(startupGrace, defaults.policy().startupGrace()),
                        or(startInterval, defaults.policy().startInterval()),
                        or(failures, defaults.policy().failuresBeforeUnhealthy()),
                        or(successes, defaults.policy().successesBeforeHealthy())),
                wrong);
        String theOwner = or(WorkspaceRules.line("owner", owner, wrong), "local");
        members.forEach(member -> WorkspaceRules.line("members", member, wrong));
        WorkspaceRules.container(container, wrong);
        WorkspaceRules.image(image, wrong);
        WorkspaceRules.made(present, emptyToNull(container), emptyToNull(image), wrong);
        WorkspaceRules.line("agent", agent, wrong);
        WorkspaceRules.line("user", user, wrong);
        WorkspaceRules.path("home", home, wrong);
        WorkspaceRules.path("workdir", workdir, wrong);
        WorkspaceRules.command("service_command", serviceCommand, wrong);
        if (!wrong.isEmpty()) {
            throw new InvalidWorkspaceException(wrong);
        }
        return new Workspace(
                id == null ? WorkspaceId.random() : id,
                theName,
                theOwner,
                members,
                emptyToNull(container),
                emptyToNull(image),
                check,
                or(enabled, true),
                emptyToNull(user),
                emptyToNull(home),
                emptyToNull(workdir),
                emptyToNull(serviceCommand),
                or(autoStart, false),
                or(setup, SetupState.COMPLETE),
                // One object for all that say nothing of their own.
                policy.equals(defaults.policy()) ? defaults.policy() : policy,
                or(probe, defaults.probe()),
                emptyToNull(agent),
                or(source, Source.API));
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
