package org.klangk.health.service;

/** The owner has another workspace of this name, or the id is taken. */
public final class NameTakenException extends RuntimeException {
    NameTakenException(String name) {
        super("the name '" + name + "' is taken");
    }
}
