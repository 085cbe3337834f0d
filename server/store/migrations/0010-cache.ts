/** Cached fragments: worth nothing after a crash, so they are not logged. */
export const sql = `
create unlogged table ingot.cache (
  -- Fingerprint of the site whose fragments these are.
  space text not null,
  -- SHA-256 of the key.
  key bytea not null,
  fragment text not null,
  -- Null: until the site changes.
  until timestamptz,
  used_at timestamptz not null default now(),
  primary key (space, key)
);
create index cache_until on ingot.cache (until) where until is not null;
`
