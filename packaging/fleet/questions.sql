-- The questions of an administrator, for the table in schema.sql. Each begins with its name;
-- :since is a time. Lines that somebody made by hand do not count.

-- name: questions per developer and day
SELECT person, count(*) FILTER (WHERE decision = 'ask')::float8 / count(DISTINCT ts::date) AS questions_per_day, count(*) AS calls
FROM longline_lines WHERE ts >= :since AND decision IS NOT NULL AND NOT doc ? 'by_hand'
GROUP BY person ORDER BY 2 DESC, 1;

-- name: approvals per rule
-- A rule whose questions are nearly all answered with yes costs time and protects nobody.
SELECT q.rule, count(*) AS asked, count(o.tool_use_id) AS approved, round(100.0 * count(o.tool_use_id) / count(*), 1) AS percent
FROM longline_lines q
LEFT JOIN (SELECT DISTINCT host, tool_use_id FROM longline_lines WHERE outcome = 'ran' AND ts >= :since) o USING (host, tool_use_id)
WHERE q.decision = 'ask' AND q.ts >= :since GROUP BY q.rule ORDER BY asked DESC, q.rule;

-- name: denied attempts
SELECT rule, count(*) AS attempts, count(DISTINCT person) AS people, max(ts) AS last
FROM longline_lines WHERE decision = 'deny' AND ts >= :since GROUP BY rule ORDER BY attempts DESC, rule;

-- name: sessions that were denied something again and again
SELECT host, person, session, count(*) AS denied, min(ts) AS first
FROM longline_lines WHERE decision = 'deny' AND ts >= :since GROUP BY host, person, session HAVING count(*) >= 5 ORDER BY denied DESC, host, session LIMIT 100;

-- name: silent machines
-- That were heard of before and have said nothing for a day before the newest line.
SELECT host, max(ts) AS last_heard FROM longline_lines GROUP BY host
HAVING max(ts) < (SELECT max(ts) FROM longline_lines) - interval '1 day' ORDER BY last_heard, host;

-- name: outdated bundles
-- Machines whose last call was judged under another bundle than most are, or under one that had expired.
WITH latest AS (
  SELECT DISTINCT ON (host) host, bundle, coalesce((doc ->> 'bundle_expired')::boolean, false) AS expired, ts
  FROM longline_lines WHERE decision IS NOT NULL ORDER BY host, ts DESC
)
SELECT host, bundle, expired, ts FROM latest
WHERE expired OR bundle IS DISTINCT FROM (SELECT mode() WITHIN GROUP (ORDER BY bundle) FROM latest) ORDER BY host;

-- name: slow hooks
SELECT host, count(*) AS calls, percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_us) / 1000 AS p50_ms,
       percentile_cont(0.99) WITHIN GROUP (ORDER BY duration_us) / 1000 AS p99_ms
FROM longline_lines WHERE duration_us IS NOT NULL AND ts >= :since GROUP BY host ORDER BY p99_ms DESC, host;

-- name: what people told longline
-- Pauses, trust and permissions for once: each is somebody who got around a question.
SELECT person, event, count(*) AS times, max(ts) AS last
FROM longline_lines WHERE event IN ('trust', 'revoke', 'allow', 'allow-once', 'pause') AND ts >= :since GROUP BY person, event ORDER BY times DESC, person, event;

-- name: agents and how far they are trusted
SELECT agent, count(*) AS calls, count(*) FILTER (WHERE decision IN ('ask', 'deny')) AS held_back,
       count(DISTINCT person) AS people, count(*) FILTER (WHERE (doc ->> 'dry_run')::boolean) AS only_observed
FROM longline_lines WHERE decision IS NOT NULL AND ts >= :since GROUP BY agent ORDER BY calls DESC, agent;

-- name: what longline could not read
-- Programs without a model, and scripts that could not be parsed: where a model would save questions.
SELECT doc ->> 'reason' AS reason, count(*) AS times, count(DISTINCT person) AS people
FROM longline_lines WHERE decision = 'ask' AND (rule = 'unknown' OR (doc ->> 'parse_ok') = 'false') AND ts >= :since GROUP BY 1 ORDER BY times DESC, reason LIMIT 50;
