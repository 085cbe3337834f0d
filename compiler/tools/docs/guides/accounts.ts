/** The guide to accounts. */
import { files, guide, list, page, part, shell, text } from './guide.ts'

export const accounts = guide('accounts', {
  name: 'Accounts: sign up and log in',
  summary: 'Let visitors sign up, log in and reset a password, and give some of them roles.',
  words:
    'user users account login log in sign in sign up register logout password reset forgot confirm email role admin administrator session token authentication authorization',
  blocks: [
    part('Sign up, log in, log out', 'register login logout user authentication'),
    text(
      'Accounts are forms, too. A form of the resource `User` signs up, one of `Session` logs in, and deleting a session logs out:',
    ),
    page(
      {
        'app/forms/sign_up.liquid': `---
name: sign_up
resource: User
fields:
  email: { validation: { presence: true } }
  password: { validation: { presence: true } }
callback_actions: '{% sign_in user_id: form.id %}'
email_notifications: [welcome]
redirect_to: /
---
{% form %}
  <label>E-mail <input type="email" name="{{ form.fields.email.name }}" value="{{ form.fields.email.value }}"></label>
  {{ form.errors.email }}
  <label>Password <input type="password" name="{{ form.fields.password.name }}"></label>
  {{ form.errors.password }}
  <button>Sign up</button>
{% endform %}
`,
        'app/forms/log_in.liquid': `---
name: log_in
resource: Session
fields:
  email:
  password:
redirect_to: /
---
{% form %}
  <label>E-mail <input type="email" name="{{ form.fields.email.name }}"></label>
  <label>Password <input type="password" name="{{ form.fields.password.name }}"></label>
  {{ form.errors.password }}
  <button>Log in</button>
{% endform %}
`,
        'app/forms/log_out.liquid': `---
name: log_out
resource: Session
redirect_to: /
---
{% form method: 'delete' %}<button>Log out</button>{% endform %}
`,
        'app/views/pages/sign-up.liquid': `{% if context.current_user %}
  {{ context.current_user.email }} {% include_form 'log_out' %}
{% else %}
  {% include_form 'sign_up' %} {% include_form 'log_in' %}
{% endif %}
`,
      },
      '/sign-up',
      '…<button>Sign up</button>…<button>Log in</button>…',
    ),
    text(
      '`context.current_user` is the signed-in user, or nil. The mail `welcome` is in [Mails](guides/mails.html). A page or form is protected by a policy: [Who may send a form](guides/forms.html#who-may-send-a-form).',
    ),
    list(
      'Passwords are hashed with argon2id, and have at least six characters. Addresses are unique, whatever their case.',
      'Sessions are rows behind a signed cookie, and signing in renews them. If a form has the field `remember_me` and it is empty, the session ends a day after the last visit.',
      'Wrong passwords are limited by network, and by account and network together, for all entry points and servers of a database. A sign-in with an unknown address takes as long as one with a wrong password. A device that signed in before (a cookie) is not locked out by the attempts of others. A one-time password is accepted once.',
    ),
    part('Reset a forgotten password', 'forgot password reset new password token link'),
    text(
      'A temporary token is signed, belongs to one account, and ends when its password changes. The mail has it in a link; the page behind the link checks it and sets the new password. The answer to the first form is the same for an address without an account, and a job does the work, so that the time of the answer tells nothing either.',
    ),
    page(
      {
        'app/views/pages/password/forgot.liquid': `---
slug: password
---
<form action="/password" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <label>E-mail <input type="email" name="email"></label>
  <button>Send me a link</button>
</form>
`,
        'app/views/pages/password/asked.liquid': `---
slug: password
method: post
---
{% background _ = 'passwords/send', email: context.params.email, max_attempts: 3 %}
<p>If there is an account with this address, a mail is on its way.</p>
`,
        'app/lib/passwords/send.liquid': `{% doc %}
  A job: sends the link to the account of an address.
  @param {string} email
{% enddoc %}
{% liquid
  graphql found = 'users/by_email', email: email
  assign user = found.users.results | first
  if user
    assign data = { "user": user.id }
    graphql sent = 'users/mail', template: 'new_password', data: data
    unless sent.mail.is_scheduled_to_send
      log sent.errors, type: 'mail'
    endunless
  endif
%}
`,
        'app/graphql/users/by_email.graphql': `query by_email($email: String!) {
  users(per_page: 1, filter: { email: { value: $email } }) {
    results {
      id
    }
  }
}
`,
        'app/graphql/users/mail.graphql': `mutation mail($template: String!, $data: HashObject!) {
  mail: email_send(template: { name: $template }, data: $data) {
    is_scheduled_to_send
  }
}
`,
        'app/graphql/users/token.graphql': `query token($id: ID!) {
  users(per_page: 1, filter: { id: { value: $id } }) {
    results {
      email
      temporary_token(expires_in: 1)
    }
  }
}
`,
        'app/emails/new_password.liquid': `---
to: "{% graphql found = 'users/token', id: data.user %}{{ found.users.results[0].email }}"
from: Kitchen <hello@kitchen.example>
subject: A new password
layout: ''
---
{% liquid
  graphql found = 'users/token', id: data.user
  assign user = found.users.results | first
  assign token = user.temporary_token | url_encode
%}
<p><a href="https://{{ context.location.host }}/password/new?user={{ data.user }}&amp;token={{ token }}">Choose a new password</a></p>
`,
      },
      '/password',
      '…<button>Send me a link</button>…',
    ),
    files({
      'app/graphql/users/check.graphql': `query check($id: ID!, $token: String!) {
  users(per_page: 1, filter: { id: { value: $id } }) {
    results {
      id
      authenticate {
        temporary_token(token: $token)
      }
    }
  }
}
`,
      'app/graphql/users/set_password.graphql': `mutation set_password($id: ID!, $password: String!) {
  user_update(id: $id, user: { password: $password }) {
    id
  }
}
`,
      'app/lib/users/of_token.liquid': `{% doc %}
  Returns the id of the user that a token belongs to, or nil.
  @param {string} user
  @param {string} token
{% enddoc %}
{% liquid
  assign id = user | append: ''
  assign text = token | append: ''
  graphql checked = 'users/check', id: id, token: text
  assign found = checked.users.results | first
  if found.authenticate.temporary_token
    return found.id
  endif
  return null
%}
`,
      'app/views/pages/password/new.liquid': `---
slug: password/new
---
<form action="/password/new" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <input type="hidden" name="user" value="{{ context.params.user }}">
  <input type="hidden" name="token" value="{{ context.params.token }}">
  <label>New password <input type="password" name="password" minlength="6"></label>
  <button>Save</button>
</form>
`,
      'app/views/pages/password/save.liquid': `---
slug: password/new
method: post
---
{% liquid
  assign password = context.params.password | append: ''
  assign id = null
  if password.size >= 6
    function id = 'users/of_token', user: context.params.user, token: context.params.token
  endif
%}
{% if id %}
  {% graphql changed = 'users/set_password', id: id, password: password %}
  {% if changed.errors == blank %}<p>Your password is changed. <a href="/sign-up">Log in</a></p>{% endif %}
{% else %}
  {% response_status 422 %}
  <p>The link has ended, or the password is too short. <a href="/password">Again</a></p>
{% endif %}
`,
    }),
    text(
      'In `ingot dev` the mail is shown at `/_ingot/outbox`. Its link begins with `https`: open it with `http` on your machine, or print a constant of the site (`context.constants.SITE_URL`) instead.',
    ),
    part('Confirm an address', 'confirm verify email address'),
    text(
      'The same token proves that somebody reads the mails of an address. Send it after sign-up, and set a property of the user when it comes back by POST (some mail programs open links on their own).',
    ),
    files({
      'app/user.yml': `properties:
  - name: confirmed
    type: boolean
  - name: roles
    type: array
`,
      'app/graphql/users/confirm.graphql': `mutation confirm($id: ID!) {
  user_update(id: $id, user: { properties: [{ name: "confirmed", value_boolean: true }] }) {
    id
  }
}
`,
      'app/views/pages/confirm/show.liquid': `---
slug: confirm
---
<form action="/confirm" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <input type="hidden" name="user" value="{{ context.params.user }}">
  <input type="hidden" name="token" value="{{ context.params.token }}">
  <button>This is my address</button>
</form>
`,
      'app/views/pages/confirm/save.liquid': `---
slug: confirm
method: post
---
{% function id = 'users/of_token', user: context.params.user, token: context.params.token %}
{% if id %}
  {% graphql _ = 'users/confirm', id: id %}
  <p>Thank you.</p>
{% else %}
  {% response_status 422 %}
  <p>The link has ended.</p>
{% endif %}
`,
    }),
    part('Roles', 'admin administrator permission authorization group'),
    text(
      'A role is a value in a property of the user. No form has that field, so nobody can give it to themselves. A policy reads it:',
    ),
    files({
      'app/graphql/users/roles.graphql': `query roles($id: ID!) {
  users(per_page: 1, filter: { id: { value: $id } }) {
    results {
      roles: property_array(name: "roles")
    }
  }
}
`,
      'app/authorization_policies/is_admin.liquid': `---
name: is_admin
http_status: 404
---
{% liquid
  assign id = context.current_user.id | default: '0'
  graphql found = 'users/roles', id: id
  assign user = found.users.results | first
  if user.roles contains 'admin'
    echo true
  endif
%}
`,
      'app/views/pages/admin.liquid': `---
authorization_policies: [is_admin]
---
<h1>Desk</h1>
`,
    }),
    part('The first administrator', 'first admin user bootstrap create'),
    text(
      'No page should create an administrator. Run a command on the machine of the site; it asks for a password, or reads it from standard input:',
    ),
    shell('npx ingot user create me@kitchen.example', 'npx ingot user role me@kitchen.example admin'),
    text(
      'The roles of a user are its property `roles`, which `app/user.yml` declares as an array. `ingot user list`, `password` and `delete` manage accounts. A new password and a deletion end the sessions of the user.',
    ),
    text(
      '`ingot generate accounts` writes all of this guide: sign-up, log-in, new passwords by mail, confirmed addresses, and roles with a page for administrators.',
    ),
    part('Sessions', 'session cookie remember store visitor'),
    list(
      '`{% session basket = ids %}` stores a value in the session of the visitor, and `context.session.basket` reads it. Nil deletes it.',
      '`{% sign_in user_id: id, timeout_in_minutes: 60 %}` signs a user in, from a callback or a page. The mutation `user_session_create` checks the password itself.',
      'A user can have one-time passwords (`otp`) and JSON web tokens (`jwt_token`); both are fields of the user in [GraphQL](production/graphql.html).',
    ),
    part('Tokens for programs', 'api token program machine'),
    shell('npx ingot token create --name till --scope write'),
    text(
      'prints a token for `POST /api/graph` and the REST API, only once: [JSON and REST](guides/api.html). With `--user EMAIL`, the program acts as this user, also on pages: [tokens](production/tokens.html).',
    ),
  ],
})
