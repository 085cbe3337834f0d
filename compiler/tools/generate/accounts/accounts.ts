/** Generates accounts: sign-up, log-in, passwords, confirmed addresses, roles, and their tests. */
import { UsageError } from '../../../core/usage-error.ts'
import type { Files, GeneratorOptions } from '../model.ts'
import { ACCOUNT_FORMS } from './forms.ts'
import { ACCOUNT_LOGIC } from './logic.ts'
import { ACCOUNT_MAILS, ACCOUNT_PAGES } from './pages.ts'

const USER = 'app/user.yml'
const MAIL_LAYOUT = 'app/views/layouts/mailer.liquid'
const PROPERTIES = '  - name: roles\n    type: array\n  - name: confirmed\n    type: boolean\n'

/**
 * Returns the files. An existing `app/user.yml` stays as it is.
 * @throws UsageError when it does not declare the properties that accounts need
 */
export function accountFiles({ read }: GeneratorOptions): Files {
  const user = read?.(USER) ?? null
  if (user !== null && !(/^\s*- name: roles$/m.test(user) && /^\s*- name: confirmed$/m.test(user)))
    throw new UsageError(`Accounts need properties of users. Add these to ${USER} first:\n${PROPERTIES}`)
  return {
    ...(user === null ? { [USER]: `properties:\n${PROPERTIES}` } : {}),
    ...ACCOUNT_FORMS,
    ...ACCOUNT_LOGIC,
    ...ACCOUNT_PAGES,
    ...mails(read?.(MAIL_LAYOUT) != null),
    'app/translations/accounts.en.yml': TRANSLATIONS,
    'app/lib/test/accounts_test.yml': REQUEST_TEST,
    'app/lib/test/account_link.liquid': LINK,
    'app/lib/test/accounts_tokens_test.liquid': TOKEN_TEST,
  }
}

/** Returns the mails, in the layout for mails if the site has one. */
function mails(hasLayout: boolean): Files {
  if (!hasLayout) return ACCOUNT_MAILS
  const entries = Object.entries(ACCOUNT_MAILS)
  return Object.fromEntries(entries.map(([path, text]) => [path, text.replace('\n---\n', '\nlayout: mailer\n---\n')]))
}

const TRANSLATIONS = `en:
  accounts:
    account: Your account
    address: Address
    asked: If there is an account with this address, a mail with a link was sent to it.
    changed: Your password was changed. Log in with it.
    confirm: Confirm your address
    confirmed: Your address is confirmed.
    different: is not the same as the password below
    email: E-mail address
    forgot: Forgot your password?
    have_none: You have no account yet?
    have_one: You have an account?
    log_in: Log in
    log_out: Log out
    logged_in_as: You are logged in as
    logged_out: You are logged out.
    mails:
      ignore: If you did not ask for a new password, ignore this mail.
      welcome: Welcome
    more: More users
    new_password: Choose a new password
    not_confirmed: Your address is not confirmed yet.
    not_logged_in: The address or the password is wrong.
    password: Password
    password_confirmation: The password again
    roles: Roles
    save: Save the password
    send: Send me a link
    send_again: Send me the mail with the link
    sent: A mail with a link was sent to you.
    sign_up: Sign up
    state:
      confirmed: Confirmed
      not_confirmed: Not confirmed
    too_many: You asked for too many mails. Try again in an hour.
    too_often: was used too often. Try again in an hour.
    users: Users
    welcome: Your account was created.
    wrong_email: is not an e-mail address
    wrong_length: must have between 6 and 200 characters
    wrong_link: This link is not valid any more.
`

const REQUEST_TEST = `- GET: /account
  status: 302
# What a visitor gets is decided by the policy is_admin.
- GET: /admin/users
  status: [302, 403, 404]
- GET: /sign-up
  selector: { h1: Sign up }
# What is not valid comes back with what is wrong.
- submit: .sign-up-form
  follow: true
  selector: .form-wrong
# A visitor who signs up instead of logging in also returns to the page from before.
- GET: /log-in?return_to=/password
- click: a[href^="/sign-up"]
- submit: .sign-up-form
  fields:
    form[email]: reader@accounts.example
    form[password]: the first password
    form[password_confirmation]: the first password
  follow: true
  status: 200
  selector: { h1: Forgot your password? }
- GET: /account
  selector: { h1: Your account, strong: reader@accounts.example }
- GET: /admin/users
  status: [302, 403, 404]
- GET: /account
- submit: .resend-form
  follow: true
  text: A mail with a link was sent to you.
- GET: /account
- submit: .log-out-form
  follow: true
  status: 200
- GET: /log-in
- submit: .log-in-form
  fields: { "form[email]": reader@accounts.example, "form[password]": the wrong password }
  follow: true
  selector: .form-wrong
- GET: /log-in
- submit: .log-in-form
  fields: { "form[email]": reader@accounts.example, "form[password]": the first password }
  follow: true
  status: 200
  selector: { h1: Your account }
- GET: /account
- submit: .log-out-form
  follow: true
- GET: /password
- submit: .password-form
  fields: { email: nothing }
  status: 422
  selector: .form-wrong
- GET: /password
- submit: .password-form
  fields: { email: reader@accounts.example }
  follow: true
  status: 200
  text: a mail with a link was sent
- GET: /password/new?account=1&token=wrong
  text: This link is not valid
- GET: /confirm?account=1&token=wrong
  text: This link is not valid
# The link of a mail may be opened in a browser without a session.
- run: test/account_link
  as: link
- GET: /confirm?account={link.account}&token={link.token}
- submit: .confirm-form
  follow: true
  selector: { h1: Log in }
  text: Your address is confirmed.
`

const LINK = `{% doc %}
  Creates an account for a test, and returns the parameters of a link in its mails.
{% enddoc %}
{% graphql made %}
  mutation {
    user: user_create(user: { email: "link@accounts.example", password: "a long password" }) {
      id
    }
  }
{% endgraphql %}
{% liquid
  graphql g = 'accounts/token', account: made.user.id
  assign account = g.users.results | first
  assign token = account.temporary_token | url_encode
  return { "account": made.user.id, "token": token }
%}
`

const TOKEN_TEST = `{% graphql made %}
  mutation {
    user: user_create(user: { email: "token@accounts.example", password: "the old password" }) {
      id
    }
  }
{% endgraphql %}
{% liquid
  assign errors = contract.errors
  graphql g = 'accounts/token', account: made.user.id
  assign account = g.users.results | first
  assign id = made.user.id | plus: 0
  assign token = account.temporary_token | append: ''
  assign contract["total"] = contract.total | plus: 3

  function short = 'accounts/renew', account: id, token: token, password: 'abc', again: 'abc'
  if short.done
    assign errors["short"] = ["accepts a password of three characters"]
  endif
  function first = 'accounts/renew', account: id, token: token, password: 'the new password', again: 'the new password'
  unless first.done
    assign errors["token"] = ["does not change the password"]
  endunless
  function second = 'accounts/renew', account: id, token: token, password: 'another password', again: 'another password'
  if second.done
    assign errors["used"] = ["accepts a link twice"]
  endif
%}
`
