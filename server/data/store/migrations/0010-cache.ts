/** Cached fragments. The table is unlogged, because its content is not needed after a crash. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create unlogged table ingot.cache (
  -- The site that the fragments belong to, with everything else that they depend on.
  space text not null,
  -- SHA-256 of the key.
  key bytea not null,
  -- Null while it is computed for the first time.
  fragment text,
  -- Bytes of the row.
  size integer not null default 0,
  -- The time of expiry; null when it expires only with a change of the site.
  until timestamptz,
  used_at timestamptz not null default now(),
  -- The process that computes it, and until when others wait for that process.
  claim text,
  claimed_until timestamptz,
  primary key (space, key)
);
create index cache_until on ingot.cache (until) where until is not null;
`
