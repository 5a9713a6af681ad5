package org.klangk.health.workspace;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One watched workspace, complete: every field that a definition left open has its value. Made by
 * {@link WorkspaceDraft#resolve}, which validates.
 *
 * @param id its identity
 * @param name unique per owner, 1 to 63 characters, never shaped like a generated id
 * @param owner the user it belongs to
 * @param members others who may see it
 * @param container name or id of the container, null while it has none
 * @param image what the container is made of, null where it is somebody else's
 * @param healthCheck the check, null when nothing is to be checked
 * @param enabled false stops checking without losing the command
 * @param user the user a check runs as, null for the container's own
 * @param home {@code HOME} of a check, null for that user's home in the container
 * @param workdir the directory a check starts in, null for the container's own
 * @param serviceCommand what serves in the container; where given, its launch anchors the grace
 * @param autoStart whether the service is started with the server
 * @param setup how far setup has come
 * @param policy cadence and thresholds
 * @param probe how checks run
 * @param agent the kind of agent that serves in it, null where none is named
 * @param source where this definition comes from
 */
public record Workspace(
        WorkspaceId id,
        String name,
        String owner,
        Set<String> members,
        @Nullable String container,
        @Nullable String image,
        @Nullable HealthCheck healthCheck,
        boolean enabled,
        @Nullable String user,
        @Nullable String home,
        @Nullable String workdir,
        @Nullable String serviceCommand,
        boolean autoStart,
        SetupState setup,
        CheckPolicy policy,
        ProbeKind probe,
        @Nullable String agent,
        Source source) {

    public Workspace {
        members = Set.copyOf(members);
    }

    /** Begins a definition. */
    public static WorkspaceDraft named(String name) {
        return new WorkspaceDraft().name(name);
    }

    /** A draft in which every field has this workspace's value, to change some of them. */
    public WorkspaceDraft edit() {
        return new WorkspaceDraft(this);
    }

    /** Whom it is shown to. */
    public Audience audience() {
        return new Audience(name, owner, members);
    }

    /** This workspace with another setup state. */
    public Workspace withSetup(SetupState newSetup) {
        return with(container, home, newSetup);
    }

    /** This workspace with the container that is made for it, whose home is {@code newHome}. */
    public Workspace in(String newContainer, String newHome) {
        return with(newContainer, newHome, setup);
    }

    private Workspace with(@Nullable String newContainer, @Nullable String newHome, SetupState newSetup) {
        return new Workspace(
                id,
                name,
                owner,
                members,
                newContainer,
                image,
                healthCheck,
                enabled,
                user,
                newHome,
                workdir,
                serviceCommand,
                autoStart,
                newSetup,
                policy,
                probe,
                agent,
                source);
    }

    /** Whether both run the same check in the same way, so that a result of one is a result of the other. */
    public boolean checksLike(Workspace other) {
        return Objects.equals(healthCheck, other.healthCheck)
                && Objects.equals(user, other.user)
                && Objects.equals(home, other.home)
                && Objects.equals(workdir, other.workdir)
                && policy.timeout().equals(other.policy.timeout());
    }

    /** Whether both have the same served in the same way, so that what runs for one may go on for the other. */
    public boolean servesLike(Workspace other) {
        return Objects.equals(serviceCommand, other.serviceCommand)
                && Objects.equals(container, other.container)
                && Objects.equals(image, other.image)
                && Objects.equals(user, other.user)
                && Objects.equals(home, other.home)
                && Objects.equals(workdir, other.workdir);
    }
}
