package org.klangk.health.transport.podman;

import org.klangk.health.workspace.ProbeKind;

/** Each check an exec of its own. */
class ExecProbeIT extends ContainerProbeConformance {
    ExecProbeIT() {
        super(ProbeKind.EXEC, SessionLimits.standard());
    }

    /** Each costs what Podman takes to start a process; {@code -Dconformance.runs=1000} by hand. */
    @Override
    protected int manyRuns() {
        return Integer.getInteger("conformance.runs", 50);
    }
}
