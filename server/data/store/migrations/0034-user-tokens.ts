/** Tokens with which programs act as a user. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.user_tokens (
  id bigint primary key default nextval('ingot.row_ids'),
  user_id bigint not null references ingot.users (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token. A token has 244 random bits, so no slow hash is needed.
  digest bytea not null unique,
  scope text not null check (scope in ('site', 'read', 'write', 'admin')),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index user_tokens_user_id on ingot.user_tokens (user_id);
create index user_tokens_expires_at on ingot.user_tokens (expires_at);

-- Creates a token. Its text is created here, so that it is not a parameter of a statement, which a log may contain. Returns no row when
-- there is no such user.
create function ingot.create_user_token(owner bigint, label text, permitted text, days integer)
returns table (id bigint, user_id bigint, name text, scope text, token text, created_at timestamptz, expires_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  secret text := 'ingot_user_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  -- Until the token is stored, no one can change the password or delete the user. The change revokes the token then.
  perform from ingot.users u where u.id = owner and u.deleted_at is null for share;
  if not found then return; end if;
  return query insert into ingot.user_tokens as t (user_id, name, digest, scope, expires_at)
    values (owner, label, sha256(convert_to(secret, 'UTF8')), permitted, now() + days * interval '1 day')
    returning t.id, t.user_id, t.name, t.scope, secret, t.created_at::timestamptz, t.expires_at::timestamptz;
end $$;

-- A new password and a deletion end the tokens of a user, whoever makes the change. A deleted user who is restored needs new ones. A sign-in
-- that stores the same password with another hash sets ingot.renews_hash.
create function ingot.revoke_user_tokens() returns trigger language plpgsql as $$
begin
  update ingot.user_tokens set revoked_at = now() where user_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger revoke_user_tokens after update on ingot.users for each row
  when ((new.encrypted_password is distinct from old.encrypted_password
      and coalesce(current_setting('ingot.renews_hash', true), '') <> 'on')
    or (new.deleted_at is not null and old.deleted_at is null))
  execute function ingot.revoke_user_tokens();
`
