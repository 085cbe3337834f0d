/** The pages and mails of generated accounts. */
import type { Files } from '../model.ts'

/** Returns a page with its title as heading. @param head lines of the front matter */
function page(head: string, title: string, body: string, textBefore = ''): string {
  return `---
${head}---
${textBefore}{% content_for 'title' %}{{ 'accounts.${title}' | t }}{% endcontent_for %}
<section class="wrap section">
  <h1>{{ 'accounts.${title}' | t }}</h1>
${body}</section>
`
}

const SIGNED_IN_ELSEWHERE = `{% liquid
  if context.current_user
    redirect_to '/account'
    break
  endif
%}
`

const TOKEN = '<input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">'

const LINK_PARAMETERS = `  function account = 'accounts/number', value: context.params.account
  function token = 'accounts/text', value: context.params.token
`

export const ACCOUNT_PAGES: Files = {
  'app/views/pages/sign-up.liquid': page(
    'slug: sign-up\n',
    'sign_up',
    `  {% include_form 'users/sign_up' %}
  {% function log_in = 'accounts/with_return', path: '/log-in' %}
  <p>{{ 'accounts.have_one' | t }} <a href="{{ log_in }}">{{ 'accounts.log_in' | t }}</a></p>
`,
    SIGNED_IN_ELSEWHERE,
  ),
  'app/views/pages/log-in.liquid': page(
    'slug: log-in\n',
    'log_in',
    `  {% if context.params.password == 'asked' %}
    <p class="flash" role="status">{{ 'accounts.asked' | t }}</p>
  {% elsif context.params.password == 'changed' %}
    <p class="flash" role="status">{{ 'accounts.changed' | t }}</p>
  {% elsif context.params.address == 'confirmed' %}
    <p class="flash" role="status">{{ 'accounts.confirmed' | t }}</p>
  {% endif %}
  {% include_form 'sessions/log_in' %}
  <p><a href="/password">{{ 'accounts.forgot' | t }}</a></p>
  {% function sign_up = 'accounts/with_return', path: '/sign-up' %}
  <p>{{ 'accounts.have_none' | t }} <a href="{{ sign_up }}">{{ 'accounts.sign_up' | t }}</a></p>
`,
    SIGNED_IN_ELSEWHERE,
  ),
  'app/views/pages/account.liquid': page(
    'slug: account\nauthorization_policies:\n  - signed_in\n',
    'account',
    `  <p>{{ 'accounts.logged_in_as' | t }} <strong>{{ context.current_user.email }}</strong></p>
  {% if person.confirmed %}
    <p>{{ 'accounts.confirmed' | t }}</p>
  {% else %}
    <p>{{ 'accounts.not_confirmed' | t }}</p>
    {% if context.params.mail == 'sent' %}
      <p class="flash" role="status">{{ 'accounts.sent' | t }}</p>
    {% elsif context.params.mail == 'late' %}
      <p class="flash flash-alert" role="alert">{{ 'accounts.too_many' | t }}</p>
    {% else %}
      <form class="form resend-form" action="/confirm/send" method="post">
        ${TOKEN}
        <button class="button" type="submit">{{ 'accounts.send_again' | t }}</button>
      </form>
    {% endif %}
  {% endif %}
  {% if person.roles contains 'admin' %}<p><a href="/admin/users">{{ 'accounts.users' | t }}</a></p>{% endif %}
  {% include_form 'sessions/log_out' %}
`,
    `{% liquid
  assign user = context.current_user.id | default: '0'
  graphql found = 'accounts/roles', user: user
  assign person = found.users.results | first
%}
`,
  ),
  'app/views/pages/admin/users.liquid': page(
    'slug: admin/users\nauthorization_policies:\n  - is_admin\n',
    'users',
    `  <table>
    <thead>
      <tr>
        <th scope="col">{{ 'accounts.email' | t }}</th>
        <th scope="col">{{ 'accounts.roles' | t }}</th>
        <th scope="col">{{ 'accounts.address' | t }}</th>
      </tr>
    </thead>
    <tbody>
      {% for user in found.users.results %}
        <tr>
          <th scope="row">{{ user.email }}</th>
          <td data-label="{{ 'accounts.roles' | t }}">{{ user.roles | join: ', ' }}</td>
          <td data-label="{{ 'accounts.address' | t }}">{% if user.confirmed %}{{ 'accounts.state.confirmed' | t }}{% else %}{{ 'accounts.state.not_confirmed' | t }}{% endif %}</td>
        </tr>
      {% endfor %}
    </tbody>
  </table>
  {% if page < found.users.total_pages %}
    <p><a rel="next" href="/admin/users?page={{ page | plus: 1 }}">{{ 'accounts.more' | t }}</a></p>
  {% endif %}
`,
    `{% liquid
  assign page = context.params.page | default: 1 | floor | at_least: 1 | at_most: 100000
  graphql found = 'accounts/all', page: page
%}
`,
  ),
  'app/views/pages/password/index.liquid': page(
    'slug: password\n',
    'forgot',
    "  {% render 'accounts/ask_form', email: '' %}\n",
  ),
  'app/views/pages/password/ask.liquid': page(
    'slug: password\nmethod: post\n',
    'forgot',
    "  {% render 'accounts/ask_form', email: email, wrong: wrong %}\n",
    `{% liquid
  function email = 'accounts/text', value: context.params.email
  function wrong = 'accounts/ask', email: email
  if wrong == empty
    redirect_to '/log-in?password=asked'
    break
  endif
  response_status 422
%}
`,
  ),
  'app/views/partials/accounts/ask_form.liquid': `{% doc %}
  @param {string} email - as it was typed
  @param {string[]} [wrong] - what is wrong with it
{% enddoc %}
{% liquid
  assign label = 'accounts.email' | t
  assign field = { "name": "email", "value": email, "validation": { "errors": wrong } }
%}
<form class="form password-form" action="/password" method="post" novalidate>
  ${TOKEN}
  {% render 'accounts/input', field: field, label: label, type: 'email', autocomplete: 'username' %}
  <p class="form-end"><button class="button" type="submit">{{ 'accounts.send' | t }}</button></p>
</form>
`,
  'app/views/pages/password/new.liquid': page(
    'slug: password/new\n',
    'new_password',
    "  {% render 'accounts/renew_form', owner: owner, account: account, token: token %}\n",
    `{% liquid
${LINK_PARAMETERS}  function owner = 'accounts/owner', account: account, token: token
%}
`,
  ),
  'app/views/pages/password/renew.liquid': page(
    'slug: password/new\nmethod: post\n',
    'new_password',
    "  {% render 'accounts/renew_form', owner: owner, account: account, token: token, wrong: result.wrong %}\n",
    `{% liquid
${LINK_PARAMETERS}  function password = 'accounts/text', value: context.params.password
  function again = 'accounts/text', value: context.params.password_confirmation
  function result = 'accounts/renew', account: account, token: token, password: password, again: again
  if result.done
    redirect_to '/log-in?password=changed'
    break
  endif
  function owner = 'accounts/owner', account: account, token: token
  response_status 422
%}
`,
  ),
  'app/views/partials/accounts/renew_form.liquid': `{% doc %}
  @param {string} [owner] - address of the account; nil if the link is not valid
  @param {number} account
  @param {string} token - of the mail
  @param {string[]} [wrong] - what is wrong with the password
{% enddoc %}
{% if owner == null %}
  <p class="flash flash-alert" role="alert">{{ 'accounts.wrong_link' | t }}</p>
  <p><a href="/password">{{ 'accounts.forgot' | t }}</a></p>
{% else %}
  {% liquid
    assign password_label = 'accounts.password' | t
    assign again_label = 'accounts.password_confirmation' | t
    assign first_field = { "name": "password", "value": null, "validation": { "errors": wrong } }
    assign second_field = { "name": "password_confirmation", "value": null, "validation": { "errors": null } }
  %}
  <form class="form renewal-form" action="/password/new" method="post" novalidate>
    ${TOKEN}
    <input type="hidden" name="account" value="{{ account }}">
    <input type="hidden" name="token" value="{{ token }}">
    <input type="email" name="username" value="{{ owner }}" autocomplete="username" hidden>
    {% render 'accounts/input', field: first_field, label: password_label, type: 'password', autocomplete: 'new-password' %}
    {% render 'accounts/input', field: second_field, label: again_label, type: 'password', autocomplete: 'new-password' %}
    <p class="form-end"><button class="button" type="submit">{{ 'accounts.save' | t }}</button></p>
  </form>
{% endif %}
`,
  // The link of a mail only shows a form, because programs that read mails open links too.
  'app/views/pages/confirm/index.liquid': page(
    'slug: confirm\n',
    'confirm',
    `  {% if owner == null %}
    <p class="flash flash-alert" role="alert">{{ 'accounts.wrong_link' | t }}</p>
  {% else %}
    <p>{{ owner }}</p>
    <form class="form confirm-form" action="/confirm" method="post">
      ${TOKEN}
      <input type="hidden" name="account" value="{{ account }}">
      <input type="hidden" name="token" value="{{ token }}">
      <button class="button" type="submit">{{ 'accounts.confirm' | t }}</button>
    </form>
  {% endif %}
`,
    `{% liquid
${LINK_PARAMETERS}  function owner = 'accounts/owner', account: account, token: token
%}
`,
  ),
  'app/views/pages/confirm/confirm.liquid': page(
    'slug: confirm\nmethod: post\n',
    'confirm',
    `  <p class="flash flash-alert" role="alert">{{ 'accounts.wrong_link' | t }}</p>
`,
    `{% liquid
${LINK_PARAMETERS}  function owner = 'accounts/owner', account: account, token: token
  if owner
    graphql _ = 'accounts/confirm', account: account
    # The account page shows it. The link may have been opened in another browser, without a session.
    if context.current_user
      redirect_to '/account'
    else
      redirect_to '/log-in?address=confirmed'
    endif
    break
  endif
  response_status 422
%}
`,
  ),
  'app/views/pages/confirm/send.liquid': `---
slug: confirm/send
method: post
authorization_policies:
  - signed_in
---
{% liquid
  function is_late = 'accounts/too_often'
  if is_late
    redirect_to '/account?mail=late'
    break
  endif
  assign content = { "id": context.current_user.id, "email": context.current_user.email }
  graphql _ = 'accounts/mail', template: 'welcome', data: content
  redirect_to '/account?mail=sent'
%}
`,
}

export const ACCOUNT_MAILS: Files = {
  'app/emails/welcome.liquid': `---
to: "{{ form.email }}"
from: hello@site.example
subject: "{{ 'accounts.mails.welcome' | t }}"
---
{%- liquid
  function origin = 'accounts/origin'
  graphql g = 'accounts/token', account: form.id
  assign account = g.users.results | first
  assign token = account.temporary_token | url_encode
-%}
<h1>{{ 'accounts.mails.welcome' | t }}</h1>
<p><a href="{{ origin }}/confirm?account={{ form.id }}&amp;token={{ token }}">{{ 'accounts.confirm' | t }}</a></p>
`,
  'app/emails/new_password.liquid': `---
to: "{{ data.to }}"
from: hello@site.example
subject: "{{ 'accounts.new_password' | t }}"
---
{%- liquid
  function origin = 'accounts/origin'
  # The token is created with the mail, so that no queue contains it.
  graphql g = 'accounts/token', account: data.account
  assign account = g.users.results | first
  assign token = account.temporary_token | url_encode
-%}
<h1>{{ 'accounts.new_password' | t }}</h1>
<p><a href="{{ origin }}/password/new?account={{ data.account }}&amp;token={{ token }}">{{ 'accounts.new_password' | t }}</a></p>
<p>{{ 'accounts.mails.ignore' | t }}</p>
`,
}
