package org.klangk.health.server.http;

import org.klangk.health.server.auth.Proof;

/** Why a WebSocket is closed: the codes that clients look for. */
record CloseReason(int code, String text) {
    static final CloseReason UNAUTHORIZED = new CloseReason(4001, "missing or invalid token");
    static final CloseReason EXPIRED = new CloseReason(4002, "token expired");
    static final CloseReason RESTARTING = new CloseReason(1012, "server restarting");
    static final CloseReason ABUSE = new CloseReason(1008, "too many commands");
    static final CloseReason TOO_LONG = new CloseReason(1009, "message too long");
    static final CloseReason NORMAL = new CloseReason(1000, "");
    static final CloseReason FAILED = new CloseReason(1011, "the stream failed");
    static final CloseReason SILENT = new CloseReason(1001, "no answer to pings");

    static CloseReason of(Proof.Denied denied) {
        return denied == Proof.Denied.EXPIRED ? EXPIRED : UNAUTHORIZED;
    }

    static CloseReason refused(String why) {
        return new CloseReason(1008, why);
    }
}
