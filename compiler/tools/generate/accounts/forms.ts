/** The forms of generated accounts, their policies, and what they share. */
import type { Files } from '../model.ts'

const input = (name: string, type: string, autocomplete: string): string =>
  `  {% assign ${name}_label = 'accounts.${name}' | t %}
  {% render 'accounts/input', field: form.fields.${name}, label: ${name}_label, type: '${type}', autocomplete: '${autocomplete}' %}
`

/** The page that a policy sent the visitor away from. The server accepts only paths of the site. */
const RETURN_TO = `  {% if context.params.return_to != blank %}<input type="hidden" name="return_to" value="{{ context.params.return_to }}">{% endif %}
`

export const ACCOUNT_FORMS: Files = {
  'app/views/partials/accounts/input.liquid': `{% doc %}
  @param {object} field - of a form: its name, its value, and what is wrong with it
  @param {string} label
  @param {string} type
  @param {string} autocomplete
{% enddoc %}
{% liquid
  assign id = field.name | replace: '[', '-' | remove: ']'
  assign messages = field.validation.errors
  assign shown = field.value
  # A password is never shown again.
  if type == 'password'
    assign shown = null
  endif
%}
<div class="form-field">
  <label for="{{ id }}">{{ label }}</label>
  <input id="{{ id }}" name="{{ field.name }}" type="{{ type }}" value="{{ shown }}" autocomplete="{{ autocomplete }}" aria-required="true"{% if messages != blank %} aria-invalid="true" aria-describedby="{{ id }}-wrong"{% endif %}>
  {% if messages != blank %}<p class="form-wrong" id="{{ id }}-wrong">{{ messages | first }}</p>{% endif %}
</div>
`,
  'app/forms/users/sign_up.liquid': `---
name: users/sign_up
resource: User
fields:
  email:
    validation: { presence: true, length: { maximum: 200 } }
  password:
    validation: { confirmation: true, length: { maximum: 200 } }
  password_confirmation:
    property_options: { virtual: true }
email_notifications: [welcome]
callback_actions: "{% sign_in user_id: form.id %}"
redirect_to: /account
flash_notice: "{{ 'accounts.welcome' | t }}"
---
{% form html-class: 'form sign-up-form', html-novalidate: true %}
${input('email', 'email', 'username')}${input('password', 'password', 'new-password')}${input('password_confirmation', 'password', 'new-password')}${RETURN_TO}  <p class="form-end"><button class="button" type="submit">{{ 'accounts.sign_up' | t }}</button></p>
{% endform %}
`,
  'app/forms/sessions/log_in.liquid': `---
name: sessions/log_in
resource: Session
fields:
  email:
    validation: { presence: true }
  password:
    validation: { presence: true }
redirect_to: /account
flash_alert: "{{ 'accounts.not_logged_in' | t }}"
---
{% form html-class: 'form log-in-form', html-novalidate: true %}
${input('email', 'email', 'username')}${input('password', 'password', 'current-password')}${RETURN_TO}  <p class="form-end"><button class="button" type="submit">{{ 'accounts.log_in' | t }}</button></p>
{% endform %}
`,
  'app/forms/sessions/log_out.liquid': `---
name: sessions/log_out
resource: Session
redirect_to: /
flash_notice: "{{ 'accounts.logged_out' | t }}"
---
{% form method: 'delete', html-class: 'log-out-form' %}
  <button class="button" type="submit">{{ 'accounts.log_out' | t }}</button>
{% endform %}
`,
  'app/authorization_policies/signed_in.liquid': `---
name: signed_in
redirect_to: /log-in
---
{% if context.current_user %}true{% endif %}
`,
  'app/authorization_policies/is_admin.liquid': `---
name: is_admin
# Other visitors get 404, so that they do not learn which pages exist.
http_status: 404
---
{% function is_admin = 'accounts/is_admin' %}
{% if is_admin %}true{% endif %}
`,
}
