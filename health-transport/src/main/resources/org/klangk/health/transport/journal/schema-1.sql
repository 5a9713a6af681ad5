-- epoch: identity of the log. oldest: the rev after which frames can be read.
-- rev, number: last frame and last event that the checkpoint contains.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- Times in which a monitor was alive, in milliseconds since 1970.
CREATE TABLE alive (since INTEGER PRIMARY KEY, seen INTEGER NOT NULL);
-- What was told, as it was told.
CREATE TABLE frame (rev INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL);
-- The checkpoint: what was known after event "number".
CREATE TABLE workspace (id TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE component (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
-- Every event after it.
CREATE TABLE tail (number INTEGER PRIMARY KEY, body BLOB NOT NULL);
-- What can be read later; runs of results are written at checkpoints. "until" is when the last of a run came.
CREATE TABLE entry (
  id INTEGER PRIMARY KEY,
  workspace TEXT,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  body BLOB NOT NULL
);
CREATE INDEX entry_of_workspace ON entry (workspace, id);
CREATE INDEX entry_result_by_age ON entry (until) WHERE kind = 'result';
CREATE INDEX entry_transition ON entry (workspace, id) WHERE kind = 'transition';
CREATE INDEX entry_other_by_age ON entry (at) WHERE kind <> 'result';
