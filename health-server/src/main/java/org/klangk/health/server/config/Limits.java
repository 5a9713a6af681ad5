package org.klangk.health.server.config;

/**
 * What one user may have.
 *
 * @param workspaces how many workspaces a member may own
 * @param streams how many streams a user may hold at once
 */
public record Limits(int workspaces, int streams) {}
