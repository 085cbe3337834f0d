/** The queries of generated accounts, and the functions that renew passwords and confirm addresses. */
import type { Files } from '../model.ts'

const byId = (name: string, parameters: string, fields: string): string =>
  `query ${name}($account: ID!${parameters}) {
  users(per_page: 1, filter: { id: { value: $account } }) {
    results {
${fields}    }
  }
}
`

export const ACCOUNT_LOGIC: Files = {
  'app/graphql/accounts/roles.graphql': `# The roles of a user. \`ingot user role EMAIL admin\` gives one.
query roles($user: ID!) {
  users(per_page: 1, filter: { id: { value: $user } }) {
    results {
      roles: property_array(name: "roles")
      confirmed: property_boolean(name: "confirmed")
    }
  }
}
`,
  'app/graphql/accounts/all.graphql': `query all($page: Int = 1) {
  users(per_page: 50, page: $page, sort: [{ id: { order: ASC } }]) {
    total_pages
    results {
      email
      roles: property_array(name: "roles")
      confirmed: property_boolean(name: "confirmed")
    }
  }
}
`,
  'app/graphql/accounts/by_email.graphql': `query by_email($email: String!) {
  users(per_page: 1, filter: { email: { value: $email } }) {
    results {
      id
      email
    }
  }
}
`,
  'app/graphql/accounts/check.graphql': `# Whether a token of a mail belongs to the account and is still valid.
${byId('check', ', $token: String!', '      email\n      authenticate {\n        temporary_token(token: $token)\n      }\n')}`,
  'app/graphql/accounts/token.graphql': `# A token for a mail to the account. It expires after a day, or when the password changes.
${byId('token', '', '      temporary_token(expires_in: 24)\n')}`,
  'app/graphql/accounts/change_password.graphql': `# A new password ends all tokens and sessions of the account.
mutation change_password($account: ID!, $password: String!) {
  user_update(id: $account, user: { password: $password }) {
    id
  }
}
`,
  'app/graphql/accounts/confirm.graphql': `mutation confirm($account: ID!) {
  user_update(id: $account, user: { properties: [{ name: "confirmed", value_boolean: true }] }) {
    id
  }
}
`,
  'app/graphql/accounts/note_request.graphql': `mutation note_request($visitor: String!) {
  request: record_create(record: { table: "password_request", properties: [{ name: "visitor", value: $visitor }] }) {
    id
  }
}
`,
  'app/graphql/accounts/count_requests.graphql': `query count_requests($visitor: String!, $since: String!) {
  requests: records(
    per_page: 1
    filter: {
      table: { value: "password_request" }
      created_at: { gte: $since }
      properties: [{ name: "visitor", value: $visitor }]
    }
  ) {
    total_entries
  }
}
`,
  'app/graphql/accounts/mail.graphql': `mutation mail($template: String!, $data: HashObject!) {
  mail: email_send(template: { name: $template }, data: $data) {
    is_scheduled_to_send
  }
}
`,
  'app/schema/password_request.yml': `# A request for a mail: a new password, or the confirmation of an address. Those of the last hour are counted.
name: password_request
properties:
  - name: visitor
`,
  'app/lib/accounts/is_admin.liquid': `{% doc %}
  Whether the visitor is an administrator: for pages that show more to some. What they may do is decided by the policy is_admin.
{% enddoc %}
{% liquid
  if context.current_user == nil
    return false
  endif
  graphql found = 'accounts/roles', user: context.current_user.id
  assign person = found.users.results | first
  if person.roles contains 'admin'
    return true
  endif
  return false
%}
`,
  'app/lib/accounts/text.liquid': `{% doc %}
  A parameter as text. A list or a file is none.
  @param {string} [value]
{% enddoc %}
{% liquid
  if value == blank
    return ''
  endif
  return value | append: ''
%}
`,
  'app/lib/accounts/with_return.liquid': `{% doc %}
  A path with the page that the visitor wants to return to after logging in or signing up.
  @param {string} path
{% enddoc %}
{% liquid
  function return_to = 'accounts/text', value: context.params.return_to
  if return_to == ''
    return path
  endif
  assign query = return_to | url_encode
  return path | append: '?return_to=' | append: query
%}
`,
  'app/lib/accounts/number.liquid': `{% doc %}
  Returns the account id from a URL; 0, which no account has, for other values.
  @param {string} [value]
{% enddoc %}
{% return value | default: 0 | plus: 0 | floor | at_least: 0 | at_most: 1000000000000 %}
`,
  'app/lib/accounts/origin.liquid': `{% doc %}
  Scheme and host of the site, for links in mails.
{% enddoc %}
{% liquid
  assign host = context.location.host | default: 'localhost:3000'
  assign name = host | split: ':' | first
  if name == 'localhost' or name == '127.0.0.1'
    return "http://{{ host }}"
  endif
  return "https://{{ host }}"
%}
`,
  'app/lib/accounts/owner.liquid': `{% doc %}
  Returns the email address of the account that a link is for; nil if its token is wrong, expired or used.
  @param {number} account
  @param {string} token
{% enddoc %}
{% liquid
  graphql g = 'accounts/check', account: account, token: token
  assign found = g.users.results | first
  if found.authenticate.temporary_token
    return found.email
  endif
  return null
%}
`,
  'app/lib/accounts/ask.liquid': `{% doc %}
  Sends a link for a new password. The answer is the same for an address without an account.
  @param {string} email - as it was typed

  Returns the messages of the field.
{% enddoc %}
{% liquid
  assign wrong = []
  assign address = email | strip
  assign is_address = address | is_email_valid
  if is_address == false
    assign wrong << 'accounts.wrong_email' | t
    return wrong
  endif
  function is_late = 'accounts/too_often'
  if is_late
    assign wrong << 'accounts.too_often' | t
  else
    background _ = 'accounts/send', email: address, priority: 'high', max_attempts: 3, source_name: 'new password'
  endif
  return wrong
%}
`,
  'app/lib/accounts/too_often.liquid': `{% doc %}
  Notes that the visitor asks for a mail. Returns whether there were too many in the last hour.
{% enddoc %}
{% liquid
  assign visitor = context.visitor.ip | default: 'unknown'
  assign since = 'now' | to_time | add_to_time: -1, 'hours' | date: '%Y-%m-%dT%H:%M:%S%z'
  graphql _ = 'accounts/note_request', visitor: visitor
  graphql asked = 'accounts/count_requests', visitor: visitor, since: since
  if asked.requests.total_entries > 10
    return true
  endif
  return false
%}
`,
  'app/lib/accounts/send.liquid': `{% doc %}
  A job: mails the link for a new password to the account with this address, if there is one.
  @param {string} email
{% enddoc %}
{% liquid
  graphql found = 'accounts/by_email', email: email
  assign account = found.users.results | first
  if account
    assign content = { "to": account.email, "account": account.id }
    graphql _ = 'accounts/mail', template: 'new_password', data: content
  endif
%}
`,
  'app/lib/accounts/renew.liquid': `{% doc %}
  Gives an account the password that the reader of its mails has chosen.
  @param {number} account
  @param {string} token - of the mail
  @param {string} password
  @param {string} again - the password once more

  Returns \`done\`, and the messages of the field in \`wrong\`.
{% enddoc %}
{% liquid
  assign wrong = []
  function owner = 'accounts/owner', account: account, token: token
  if owner == null
    assign wrong << 'accounts.wrong_link' | t
  elsif password.size < 6 or password.size > 200
    assign wrong << 'accounts.wrong_length' | t
  elsif password != again
    assign wrong << 'accounts.different' | t
  endif
  if wrong == empty
    graphql _ = 'accounts/change_password', account: account, password: password
    return { "done": true, "wrong": wrong }
  endif
  return { "done": false, "wrong": wrong }
%}
`,
}
