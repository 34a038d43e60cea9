-- What the loader writes to, and the questions ask. One row for each line of an audit log.
CREATE TABLE IF NOT EXISTS longline_lines (
  line        text PRIMARY KEY,        -- the line's own id: a line that comes twice is one row
  arrived     bigserial,               -- in the order in which lines came for the first time
  host        text NOT NULL,
  person      text NOT NULL,
  ts          timestamptz NOT NULL,
  event       text,
  decision    text,
  rule        text,
  agent       text,
  session     text,
  tool_use_id text,
  outcome     text,
  duration_us bigint,
  bundle      text,
  doc         jsonb NOT NULL           -- the whole line
);
CREATE INDEX IF NOT EXISTS longline_lines_ts ON longline_lines USING brin (ts);
CREATE INDEX IF NOT EXISTS longline_lines_host ON longline_lines (host, ts);
CREATE INDEX IF NOT EXISTS longline_lines_call ON longline_lines (tool_use_id) WHERE decision IN ('ask', 'deny') OR outcome IS NOT NULL;
