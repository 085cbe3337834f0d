/** The reference's page about tokens of programs. */
import type { Entry } from './entry.ts'
import { makePage, paragraph } from './production-page.ts'

export function tokensPage(): Entry {
  return makePage(
    'tokens',
    'Tokens for programs',
    'Tokens of the instance, and tokens with which a program acts as a user.',
    [
      paragraph(
        'A program sends its token in the header `Authorization: Bearer …` (`Token …` and `Token token=…` are also accepted). The token is shown only once, when it is created. The database stores its digest. `ingot token list` shows the tokens, their users, when they expire and when they were last used, and `ingot token revoke ID` revokes a token at once, on all servers.',
      ),
      paragraph(
        'A token of the instance belongs to no one, so `context.current_user` is nil. `ingot token create --scope SCOPE` creates one. Its scope says what it permits: `read` queries in `/api/graph`, `write` also mutations and forms, `deploy` the files of the site, `exec` sent templates, `admin` everything. It does not expire.',
      ),
      paragraph(
        'With a token of a user, a program acts as this user: `ingot token create --user ann@shop.example --name report --days 30`. `context.current_user` is this user on pages, in the policies and callbacks of forms, and in `/api/graph`, where `current_user` returns it. Forms check `resource_owner` as for a browser. The scope `read` permits pages with GET and queries in `/api/graph`, `write` also other methods, forms and mutations, and `admin` everything. Queries and mutations of `/api/graph` see the data of all users. The scope `site` permits all pages and forms, but not `/api/graph`, so it is the scope for tokens that a site gives to its users.',
      ),
      paragraph(
        'A token of a user expires after 90 days, or after `--days` (365 at most). It also becomes invalid when the user gets another password or is deleted. A restored user needs a new token. A request with a token that is wrong, expired or revoked gets the status 401, and one that the scope does not permit gets 403, both as JSON (`/api/graph` reports a missing scope in `errors`, with the status 200). On a page this is so only for texts with the prefix of the tokens of users. All other values of the header are left to the site: a page sees an anonymous visitor, and [answers 401 itself](guides/api.html#answer-401-and-403) where programs expect it.',
      ),
      paragraph(
        'A request with the token of a user has no session: cookies are ignored, no cookie is set, and changes by `session` and `sign_in` are lost after the response. It needs no authenticity token, because a page of another site cannot send the header. Its responses are never stored in `static_cache` or `dynamic_cache`, and are never read from them. They have the header `Cache-Control: private, no-store`.',
      ),
      paragraph(
        'A page can give its visitor a token with the mutation `user_token_create(user_id: …, name: …, days: …)`, and revoke the token with `user_token_revoke(id: …, user_id: …)`. The scope of the token is `site` by default. Both are mutations of Ingot itself. In `/api/graph` they need the scope `admin`.',
      ),
    ],
  )
}
