/** The guide to forms and validation. */
import { files, guide, list, page, part, text } from './guide.ts'

export const forms = guide('forms', {
  name: 'Forms and validation',
  summary: 'Let visitors create and change rows, check what they send, and show what is wrong.',
  words: 'form input submit post validate validation errors csrf token edit delete html spam captcha',
  blocks: [
    part('A form for a table', 'create new input submit'),
    text(
      'A form configuration says which fields may be sent for a resource, who may send them and how they are validated. The same file is the HTML form, and validates both browser and API requests. The resource is a table, `User` or `Session` ([Accounts](guides/accounts.html)).',
    ),
    page(
      {
        'app/forms/dish.liquid': `---
name: dish
resource: dish
resource_owner: creator
fields:
  properties:
    name:
      validation: { presence: true, length: { maximum: 80 } }
    photo: {}
redirect_to: /
---
{% form %}
  <label>Name <input name="{{ form.fields.properties.name.name }}" value="{{ form.fields.properties.name.value }}"></label>
  {{ form.errors['properties.name'] }}
  <label>Photo <input type="file" name="{{ form.fields.properties.photo.name }}"></label>
  <button>Put it on the menu</button>
{% endform %}
`,
        'app/views/pages/offer.liquid': `{% include_form 'dish' %}
`,
      },
      '/offer',
      `<form …
<label>Name <input name="form[properties_attributes][name]" value=""></label>…`,
    ),
    list(
      'An unknown field, validation, policy, profile or table is a compile error with its line. So is `form.fields.x` of a field that is not configured, and `include_form` of a missing form. Values of fields that are not configured are never stored.',
      'The form works without scripts. A refused form is shown again at the address of its page, with its values and messages. `redirect_to` is the address after success, and `flash_notice` a message there (`context.flash.notice`).',
      '`{% form %}` prints the hidden fields, among them the CSRF token. A request that changes something without a valid token has no session and no user.',
    ),
    part('Validate', 'validation check required presence length number format unique'),
    text(
      'Each field may have several [validations](index.html#validations): `presence`, `length`, `format`, `numericality`, `inclusion`, `unique`, `confirmation`, `email`, `date`, `file_content_type` and more. `message` replaces the text, `if` applies the validation only when it renders `true`.',
    ),
    files({
      'app/forms/review.liquid': `---
name: review
resource: review
fields:
  properties:
    dish_id:
      validation: { presence: true }
    stars:
      validation:
        numericality: { only_integer: true, greater_than: 0, less_than: 6 }
    words:
      validation:
        length: { maximum: 500 }
        presence:
          message: 'Please tell us more.'
          if: "{% if form.properties.stars == '1' %}true{% endif %}"
redirect_to: /reviews
---
{% form html-class: 'review' %}
  <input type="hidden" name="{{ form.fields.properties.dish_id.name }}" value="{{ context.params.id }}">
  <label>Stars <input type="number" name="{{ form.fields.properties.stars.name }}" value="{{ form.fields.properties.stars.value }}"></label>
  {{ form.errors['properties.stars'] }}
  <label>Words <textarea name="{{ form.fields.properties.words.name }}">{{ form.fields.properties.words.value }}</textarea></label>
  {{ form.errors['properties.words'] }}
  <button>Send</button>
{% endform %}
`,
      'app/views/pages/dishes/review.liquid': `---
slug: dishes/:id/review
---
{% include_form 'review' %}
`,
    }),
    text(
      "Messages use the site's translations where they exist: `errors.messages.blank`, `errors.messages.too_long.other`, and for rejected files `errors.messages.file_too_large`, `file_type`, `file_empty` and similar keys, with `%{count}` for the limit.",
    ),
    part('Who may send a form', 'authorization policy permission owner protect'),
    text(
      'Policies are templates that print `true` for visitors who may go on. A page names them as well. `resource_owner: creator` lets only the user who created a row change or delete it; `anyone` lets all, `self` is for users.',
    ),
    files({
      'app/authorization_policies/logged_in.liquid': `---
name: logged_in
redirect_to: /sign-up
---
{% if context.current_user %}true{% endif %}
`,
      'app/views/pages/dishes/new.liquid': `---
slug: dishes/new
authorization_policies: [logged_in]
---
{% include_form 'dish' %}
`,
    }),
    part('Change and delete', 'edit update delete remove'),
    text('With `id`, the form shows and changes that row. A form with the method `delete` deletes it.'),
    files({
      'app/forms/dishes/remove.liquid': `---
name: dishes/remove
resource: dish
authorization_policies: [logged_in]
redirect_to: /
---
{% form method: 'delete' %}<button>Remove it</button>{% endform %}
`,
      'app/views/pages/dishes/edit.liquid': `---
slug: dishes/:id/edit
authorization_policies: [logged_in]
---
{% include_form 'dish', id: context.params.id %}
{% include_form 'dishes/remove', id: context.params.id %}
`,
    }),
    text(
      'What else a form may do: `default_payload` computes values, `callback_actions` runs after saving, `async_callback_actions` runs as a job, `email_notifications` sends mails. [All keys of a form](settings/form.html).',
    ),
    part('A plain HTML form', 'page post params csrf authenticity_token'),
    text(
      'A page with `method: post` answers a form that you write yourself. Print the token in a hidden field. With `form_name`, a mutation applies the fields and validations of a form configuration.',
    ),
    page(
      {
        'app/views/pages/guestbook.liquid': `<form action="/guestbook" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <label>Name <input name="name"></label>
  <button>Sign</button>
</form>
`,
        'app/views/pages/guestbook-signed.liquid': `---
slug: guestbook
method: post
---
{% if context.params.name == blank %}
  {% response_status 422 %}
  <p>Who are you?</p>
{% else %}
  <p>Thank you, {{ context.params.name }}.</p>
{% endif %}
`,
      },
      '/guestbook',
      '<form action="/guestbook" method="post">…',
    ),
    part('Spam protection', 'captcha recaptcha hcaptcha bot'),
    text(
      "`{% spam_protection 'captcha_v3', action: 'signup' %}` prints the challenge of a form. With `spam_protection` in the form's configuration the server verifies each token with the provider, once. The keys are constants of the site. `context.hcaptcha_site_key` and the filter `hcaptcha` use the last pair.",
    ),
    {
      kind: 'rows',
      title: 'Challenges',
      columnTitles: ['Challenge', '', 'Constants'],
      rows: [
        {
          name: 'captcha_v2, recaptcha_v2',
          type: '',
          description: '`RECAPTCHA_V2_SITE_KEY`, `RECAPTCHA_V2_SECRET_KEY`',
        },
        {
          name: 'captcha_v3, recaptcha_v3',
          type: '',
          description:
            '`RECAPTCHA_V3_SITE_KEY`, `RECAPTCHA_V3_SECRET_KEY`. Needs an `action`; the form may set `minimum_score` (0.5).',
        },
        { name: 'captcha_alt, hcaptcha', type: '', description: '`HCAPTCHA_SITE_KEY`, `HCAPTCHA_SECRET_KEY`' },
      ],
    },
    text(
      'Without keys, and while the provider is unreachable, the form is refused and the log says why. In development a form without keys is accepted, and the page says so. `INGOT_RECAPTCHA_URL` (`https://www.recaptcha.net/recaptcha`) and `INGOT_HCAPTCHA_URL` set other addresses of the providers. Programs with a token are not challenged.',
    ),
  ],
})
