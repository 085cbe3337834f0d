/** Recipes about larger forms. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const nestedForms = recipe('nested-forms', {
  name: 'A form with several rows: nested forms',
  summary: 'Send a row and the rows that belong to it in one form, and store all of them or none.',
  words: 'nested form fields_for lines items children has many dynamic rows array parameters order parent child',
  blocks: [
    text(
      'Fields named `dishes[][name]` and `dishes[][amount]` arrive as a list of hashes. The page checks the party and its dishes, shows the same form again with the messages, or writes the party and its dishes in one transaction.',
    ),
    files({
      'app/schema/party.yml': `name: party
properties:
  - name: host
`,
      'app/schema/party_dish.yml': `name: party_dish
properties:
  - name: party_id
    belongs_to: party
  - name: name
  - name: amount
    type: integer
`,
      'app/graphql/parties/create.graphql': `mutation create($host: String!) {
  party: record_create(record: { table: "party", properties: [{ name: "host", value: $host }] }) {
    id
  }
}
`,
      'app/graphql/parties/add_dishes.graphql': `mutation add_dishes($records: [RecordsCreateInputType!]!) {
  dishes: records_create_rc(records: $records) {
    id
  }
}
`,
      'app/lib/parties/read.liquid': `{% doc %}
  Returns the party that a visitor sent, its dishes, and what is wrong.
  @param {object} params
{% enddoc %}
{% liquid
  function host = 'params/text', value: params.host
  assign wrong = []
  assign dishes = []
  if host == blank
    assign wrong << 'Who invites?'
  endif
  for sent in params.dishes
    function name = 'params/text', value: sent.name
    function amount = 'params/number', value: sent.amount
    if name == blank
      continue
    endif
    assign dishes << { "name": name, "amount": amount }
    if amount == nil or amount > 100
      assign wrong << "How many of {{ name }}?"
    endif
  endfor
  if dishes == empty or dishes.size > 20
    assign wrong << 'Choose one to twenty dishes.'
  endif
  return { "host": host, "dishes": dishes, "wrong": wrong }
%}
`,
      'app/lib/parties/store.liquid': `{% doc %}
  Stores a party and its dishes. Returns whether it is stored.
  @param {object} party - of parties/read
{% enddoc %}
{% liquid
  assign stored = true
  transaction timeout: 5
    graphql made = 'parties/create', host: party.host
    assign records = []
    for dish in party.dishes
      assign properties = { "party_id": made.party.id, "name": dish.name, "amount": dish.amount }
      assign records << { "table": "party_dish", "properties": properties }
    endfor
    graphql added = 'parties/add_dishes', records: records
    if made.errors or added.errors
      assign stored = false
      rollback
    endif
  endtransaction
  return stored
%}
`,
      'app/views/partials/parties/form.liquid': `{% doc %}
  @param {object} party - of parties/read
{% enddoc %}
{% for sentence in party.wrong %}<p>{{ sentence }}</p>{% endfor %}
<form action="/parties" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <label>Host <input name="host" value="{{ party.host }}"></label>
  {% for at in (0..2) %}
    <label>Dish <input name="dishes[][name]" value="{{ party.dishes[at].name }}"></label>
    <label>How many <input name="dishes[][amount]" value="{{ party.dishes[at].amount }}"></label>
  {% endfor %}
  <button>Invite</button>
</form>
`,
      'app/views/pages/parties/new.liquid': `---
slug: parties
---
{% assign party = { "host": null, "dishes": [], "wrong": [] } %}
{% render 'parties/form', party: party %}
`,
      'app/views/pages/parties/create.liquid': `---
slug: parties
method: post
authorization_policies: [signed_in]
---
{% liquid
  function party = 'parties/read', params: context.params
  assign stored = false
  if party.wrong == empty
    function stored = 'parties/store', party: party
  endif
%}
{% if stored %}
  <p>We will cook for {{ party.host }}.</p>
{% else %}
  {% response_status 422 %}
  {% render 'parties/form', party: party %}
{% endif %}
`,
    }),
    text('`params/text` and `params/number` are called because a visitor can send a list where the form has a text.'),
    ...trial(
      'Send a host, two dishes and an empty line: one party and two dishes are stored.',
      'Send a dish without an amount: the form comes back with its values, and nothing is stored.',
    ),
  ],
})

export const steps = recipe('steps', {
  name: 'A multi-step form',
  summary: 'Ask one thing after the other, keep the answers in the session, and store them at the end.',
  words: 'multi-step multistep wizard form steps session draft checkout next back confirm',
  blocks: [
    text(
      'The answers so far are a hash in the session. They alone decide which step is next, so nobody can skip one by its address, and reloading or coming back tomorrow goes on in the same place. `?again=guests` shows an earlier step. A double click may confirm twice: where that matters, accept each draft once, as [webhooks](cookbook/webhooks.html) do.',
    ),
    files({
      'app/schema/reservation.yml': `name: reservation
properties:
  - name: guests
    type: integer
  - name: name
`,
      'app/graphql/reservations/create.graphql': `mutation create($guests: Int!, $name: String!) {
  reservation: record_create(
    record: { table: "reservation", properties: [{ name: "guests", value_int: $guests }, { name: "name", value: $name }] }
  ) {
    id
  }
}
`,
      'app/lib/reservations/step.liquid': `{% doc %}
  Returns the next step: guests, name or confirm.
  @param {number} [guests]
  @param {string} [name]
{% enddoc %}
{% liquid
  if guests == nil or guests > 12
    return 'guests'
  elsif name == blank
    return 'name'
  endif
  return 'confirm'
%}
`,
      'app/views/pages/reserve/show.liquid': `---
slug: reserve
---
{% liquid
  assign draft = context.session.reservation
  function step = 'reservations/step', guests: draft.guests, name: draft.name
  if context.params.again == 'guests'
    assign step = 'guests'
  endif
%}
<form action="/reserve" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  {% case step %}
    {% when 'guests' %}
      <label>Guests, at most 12 <input type="number" name="guests" value="{{ draft.guests }}"></label>
      <button>Next</button>
    {% when 'name' %}
      <label>Your name <input name="name"></label>
      <button>Next</button>
    {% else %}
      <p>A table for {{ draft.guests }}, {{ draft.name }}?</p>
      <button name="confirm" value="yes">Reserve</button>
  {% endcase %}
</form>
{% if step != 'guests' %}<a href="/reserve?again=guests">Back</a>{% endif %}
`,
      'app/views/pages/reserve/save.liquid': `---
slug: reserve
method: post
---
{% liquid
  unless context.csrf_request_valid
    redirect_to '/reserve'
    break
  endunless
  assign guests = context.session.reservation.guests
  assign name = context.session.reservation.name
  if context.params.guests
    function guests = 'params/number', value: context.params.guests
  endif
  if context.params.name
    function name = 'params/text', value: context.params.name
  endif
  function step = 'reservations/step', guests: guests, name: name
  if context.params.confirm == 'yes' and step == 'confirm'
    session reservation = null
    graphql _ = 'reservations/create', guests: guests, name: name
    redirect_to '/reserve/done'
  else
    assign draft = { "guests": guests, "name": name }
    session reservation = draft
    redirect_to '/reserve'
  endif
%}
`,
      'app/views/pages/reserve/done.liquid': `---
slug: reserve/done
---
<p>See you soon.</p>
`,
    }),
    ...trial(
      'Answer both questions and confirm: one row is stored, and `/reserve` begins again.',
      'Send `confirm=yes` first: nothing is stored, and `/reserve` asks for the guests.',
    ),
  ],
})

export const comments = recipe('comments', {
  name: 'Comments',
  summary: 'Let users comment on a page, show what they write as text, and let them remove their own comments.',
  words: 'comments comment discussion reply thread user generated content escape xss author delete own moderation',
  blocks: [
    text(
      'Printed values are escaped, so HTML, scripts and Liquid in a comment are only text. `white-space: pre-line` shows line breaks without any HTML. `resource_owner: creator` lets only the author remove a comment, also by the REST API.',
    ),
    files({
      'app/schema/comment.yml': `name: comment
properties:
  - name: post_id
    belongs_to: post
  - name: words
`,
      'app/forms/comment.liquid': `---
name: comment
resource: comment
authorization_policies: [signed_in]
fields:
  properties:
    post_id:
      validation: { presence: true }
    words:
      validation: { presence: true, length: { maximum: 1000 } }
redirect_to: "/posts/{{ form.properties.post_id | url_encode }}/comments"
---
{% form %}
  <input type="hidden" name="{{ form.fields.properties.post_id.name }}" value="{{ context.params.id }}">
  <label>Your comment <textarea name="{{ form.fields.properties.words.name }}">{{ form.fields.properties.words.value }}</textarea></label>
  {{ form.errors['properties.words'] }}
  <button>Send</button>
{% endform %}
`,
      'app/forms/comments/remove.liquid': `---
name: comments/remove
resource: comment
resource_owner: creator
authorization_policies: [signed_in]
fields:
  properties:
    post_id:
      property_options: { readonly: true }
redirect_to: "/posts/{{ form.properties.post_id | url_encode }}/comments"
---
{% form method: 'delete' %}<button>Remove</button>{% endform %}
`,
      'app/graphql/comments/list.graphql': `query list($post: String!) {
  comments: records(
    per_page: 100
    filter: { table: { value: "comment" }, properties: [{ name: "post_id", value: $post }] }
    sort: [{ id: { order: ASC } }]
  ) {
    results {
      id
      user_id
      created_at
      words: property(name: "words")
      author: related_user {
        first_name
      }
    }
  }
}
`,
      'app/views/pages/posts/comments.liquid': `---
slug: posts/:id/comments
---
{% graphql found = 'comments/list', post: context.params.id %}
{% for comment in found.comments.results %}
  <article>
    <p>{{ comment.author.first_name | default: 'Somebody' }}, {{ comment.created_at | date: '%-d %B %Y' }}</p>
    <p style="white-space: pre-line">{{ comment.words }}</p>
    {% if comment.user_id == context.current_user.id %}{% include_form 'comments/remove', id: comment.id %}{% endif %}
  </article>
{% endfor %}
{% include_form 'comment' %}
`,
    }),
    ...trial(
      'Comment `<script>alert(1)</script> {{ context.constants }}`: the page shows exactly that.',
      'Another user sees no button, and a request that removes the comment of somebody else is answered with 404.',
    ),
  ],
})
