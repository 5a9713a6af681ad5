CREATE TABLE user (
    name TEXT PRIMARY KEY,
    password TEXT NOT NULL,
    admin INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    rights TEXT
) WITHOUT ROWID;

CREATE TABLE token (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    user TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
    family TEXT NOT NULL,
    label TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    read_only INTEGER NOT NULL,
    workspaces TEXT
) WITHOUT ROWID;

CREATE INDEX token_by_user ON token (user, kind, created_at);
CREATE INDEX token_by_family ON token (family);
