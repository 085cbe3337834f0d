/** Exports that were asked for, vectors, and translations that were set while the site runs. */
export const sql = `
create table ingot.exports (
  id bigint generated always as identity primary key,
  options jsonb not null,
  -- pending, running, done or error.
  state text not null default 'pending',
  -- Where the files of a finished one are kept.
  result jsonb,
  error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table ingot.translations (
  locale text not null,
  key text not null,
  -- A text, a number, a list or an object; null hides the key.
  value jsonb,
  updated_at timestamptz(3) not null default now(),
  primary key (locale, key)
);
`
