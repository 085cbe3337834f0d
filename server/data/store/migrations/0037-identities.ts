/** Signing in with the identities of OpenID Connect providers. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- A link is an identity once a sign-in has proved it: the issuer is then known, and the identity belongs to one user. Links that a site has
-- written itself have no issuer.
alter table ingot.authentications add column issuer text;
create unique index authentications_identity on ingot.authentications (provider, issuer, uid)
  where issuer is not null and deleted_at is null;
create index authentications_uid on ingot.authentications (provider, uid);

-- The digests of the states with which visitors have come back from a provider. Each state is accepted once.
create table ingot.used_states (
  state bytea primary key,
  until timestamptz(3) not null
);
`
