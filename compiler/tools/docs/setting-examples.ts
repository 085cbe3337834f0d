/** A small site for each page about settings, path → text. The tests check that the compiler reports nothing for them. */

const DISH = 'name: dish\nproperties:\n  - name: title\n'
const LAYOUT = '<!doctype html>\n<main>{{ content_for_layout }}</main>\n'

export const SETTING_EXAMPLES = {
  page: {
    'app/views/pages/dishes/show.liquid': `---
slug: dishes/:id
layout: kitchen
authorization_policies:
  - signed_in
metadata:
  title: Dish of the day
static_cache:
  expire: 60
response_headers:
  X-Robots-Tag: noindex
---
<h1>{{ context.page.metadata.title }}: {{ context.params.id }}</h1>
`,
    'app/views/layouts/kitchen.liquid': LAYOUT,
    'app/authorization_policies/signed_in.liquid': '{% if context.current_user %}true{% endif %}\n',
  },
  layout: {
    'app/views/layouts/kitchen.liquid': `---
metadata:
  name: Around every page of the kitchen
---
<!doctype html>
<title>{{ context.page.metadata.title }}</title>
{{ content_for_layout }}
`,
    'app/views/pages/menu.liquid': '---\nlayout: kitchen\nmetadata:\n  title: Menu\n---\nTea and cake\n',
  },
  partial: {
    'app/views/partials/notes.liquid': `---
converter: markdown
metadata:
  params:
    dish: the dish that the notes are about
---
## {{ dish }}

Served *warm*.
`,
    'app/views/pages/index.liquid': "---\nconverter: markdown\n---\n{% render 'notes', dish: 'Soup' %}\n",
  },
  authorization_policy: {
    'app/authorization_policies/cook.liquid': `---
redirect_to: /sign-in
flash_alert: Only cooks may see the kitchen
---
{% assign roles = context.current_user.properties.roles | default: '' %}{% if roles contains 'cook' %}true{% endif %}
`,
    'app/views/pages/kitchen.liquid': '---\nauthorization_policies:\n  - cook\n---\nKnives are in the drawer\n',
    'app/views/pages/sign-in.liquid': 'Who are you?\n',
    'app/user.yml': 'properties:\n  - name: roles\n    type: array\n',
  },
  form: {
    'app/forms/dish.liquid': `---
name: dish
resource: dish
resource_owner: creator
fields:
  properties:
    title:
      validation: { presence: true }
flash_notice: "{{ form.properties.title }} is on the menu"
redirect_to: /dishes
email_notifications:
  - new_dish
async_callback_actions:
  content: "{% log form.properties.title, type: 'dish' %}"
  priority: low
---
{% form %}
  <input name="{{ form.fields.properties.title.name }}" value="{{ form.fields.properties.title.value }}">
  <button>Add</button>
{% endform %}
`,
    'app/schema/dish.yml': DISH,
    'app/emails/new_dish.liquid':
      '---\nto: cook@example.com\nfrom: menu@example.com\nsubject: A new dish\n---\n{{ form.properties.title }}\n',
    'app/views/pages/dishes.liquid': "{% include_form 'dish' %}\n",
  },
  fields: {
    'app/forms/sign_up.liquid': `---
name: sign_up
resource: User
fields:
  email:
    validation: { email: true }
  password:
    validation:
      confirmation: true
  password_confirmation:
    property_options: { virtual: true }
  properties:
    nickname:
      validation:
        length: { maximum: 30 }
      property_options: { default: cook }
---
{% form %}
  {% for field in form.errors %}<p>{{ field[0] }} {{ field[1] }}</p>{% endfor %}
  <input name="{{ form.fields.email.name }}" type="email">
  <input name="{{ form.fields.password.name }}" type="password">
  <input name="{{ form.fields.password_confirmation.name }}" type="password">
  <input name="{{ form.fields.properties.nickname.name }}">
  <button>Sign up</button>
{% endform %}
`,
    'app/user.yml': 'properties:\n  - name: nickname\n',
    'app/views/pages/sign-up.liquid': "{% include_form 'sign_up' %}\n",
  },
  email: {
    'app/emails/welcome.liquid': `---
to: "{{ data.email }}"
from: kitchen@example.com
subject: Welcome, {{ data.name }}
layout: mailer
delay: 10
trigger_condition: "{% if context.environment == 'production' %}true{% endif %}"
---
<p>The menu is at your table.</p>
`,
    'app/views/layouts/mailer.liquid': LAYOUT,
  },
  sms: {
    'app/smses/ready.liquid': '---\nto: "{{ data.phone }}"\n---\nYour table is ready, {{ data.name }}\n',
  },
  api_call: {
    'app/api_calls/order.liquid': `---
to: https://example.com/orders
request_type: POST
request_headers: '{ "Content-Type": "application/json" }'
callback: "{% log response.status, type: 'order' %}"
---
{ "dish": {{ data.dish | json }} }
`,
  },
  migration: {
    'app/migrations/20300131120000_first_dish.liquid': "{% graphql _ = 'dishes/create', title: 'Soup' %}\n",
    'app/graphql/dishes/create.graphql': `mutation create($title: String!) {
  record_create(record: { table: "dish", properties: [{ name: "title", value: $title }] }) {
    id
  }
}
`,
    'app/schema/dish.yml': DISH,
  },
  table: {
    'app/schema/dish.yml': `name: dish
properties:
  - name: title
  - name: price
    type: float
    default_value: 0
  - name: vegan
    type: boolean
`,
  },
  user_schema: {
    'app/user.yml': 'properties:\n  - name: nickname\n  - name: roles\n    type: array\n',
  },
  user_profile_schema: {
    'app/user_profile_types/cook.yml': 'name: cook\nproperties:\n  - name: experience\n    type: integer\n',
  },
  properties: {
    'app/schema/dish.yml': `name: dish
properties:
  - name: title
  - name: served_at
    type: datetime
  - name: menu_id
    belongs_to: menu
  - name: picture
    type: upload
    options:
      acl: public
      content_length: { lte: 5000 }
      versions:
        - name: small
          output: { format: webp }
          resize: { width: 200 }
`,
    'app/schema/menu.yml': 'name: menu\nproperties:\n  - name: title\n',
  },
  config: {
    'app/config.yml': `default_layout: kitchen
redirect_trailing_slash: true
cookies_same_site: Strict
theme_search_paths:
  - theme/winter
  - ''
maintenance:
  enabled: false
  partial: closed
studio:
  path: /internal
  policy: staff
`,
    'app/authorization_policies/staff.liquid':
      '{% if context.current_user.email == "head@example.com" %}true{% endif %}\n',
    'app/views/layouts/kitchen.liquid': LAYOUT,
    'app/views/partials/closed.liquid': 'Back at noon\n',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>
