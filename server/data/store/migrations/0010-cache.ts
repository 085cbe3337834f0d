/** Cached fragments. The table is unlogged, because its content is worthless after a crash. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create unlogged table ingot.cache (
  -- The site, and what else its fragments go by, whose fragments these are.
  space text not null,
  -- SHA-256 of the key.
  key bytea not null,
  -- Null while it is computed for the first time.
  fragment text,
  -- Bytes of the row.
  size integer not null default 0,
  -- Null: until the site changes.
  until timestamptz,
  used_at timestamptz not null default now(),
  -- Who computes it, and until when others leave it to them.
  claim text,
  claimed_until timestamptz,
  primary key (space, key)
);
create index cache_until on ingot.cache (until) where until is not null;
`
