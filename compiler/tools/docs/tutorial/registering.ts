/** The fourth chapter: members register, and the limit of places holds. */
import { change, type Chapter, follow, look, open, press, says, step, visit, write } from './step.ts'

const DRAW = `# Draws the next number of an event. The change locks the row of the event until the transaction ends.
mutation draw($event: ID!) {
  event: record_update(id: $event, record: { table: "event", properties: [{ name: "numbers", increment: 1 }] }) {
    id
    places: property_int(name: "places")
    numbers: property_int(name: "numbers")
  }
}
`

const ADD = `mutation add($event: String!, $user: ID!, $number: Int!) {
  registration: record_create(
    record: {
      table: "registration"
      user_id: $user
      properties: [
        { name: "event_id", value: $event }
        { name: "number", value_int: $number }
        { name: "state", value: "waiting" }
      ]
    }
  ) {
    id
  }
}
`

const MINE = `query mine($event: String!, $user: ID!) {
  registrations: records(
    per_page: 1
    filter: { table: { value: "registration" }, user_id: { value: $user }, properties: [{ name: "event_id", value: $event }] }
  ) {
    results {
      id
    }
  }
}
`

const TAKEN = `query taken($event: String!) {
  registrations: records(
    per_page: 1
    filter: {
      table: { value: "registration" }
      properties: [{ name: "event_id", value: $event }, { name: "state", value: "place" }]
    }
  ) {
    total_entries
  }
}
`

const WAITING = `# Those who wait longest.
query waiting($event: String!, $limit: Int!) {
  registrations: records(
    per_page: $limit
    filter: {
      table: { value: "registration" }
      properties: [{ name: "event_id", value: $event }, { name: "state", value: "waiting" }]
    }
    sort: [{ properties: [{ name: "number", order: ASC }] }]
  ) {
    results {
      id
    }
  }
}
`

const GIVE = `mutation give($event: ID!, $taken: Int!, $ids: [ID!]!) {
  registrations: records_update_all(
    table: "registration"
    filter: { id: { value_in: $ids } }
    record: { properties: [{ name: "state", value: "place" }] }
  ) {
    count
  }
  event: record_update(id: $event, record: { table: "event", properties: [{ name: "taken", value_int: $taken }] }) {
    id
  }
}
`

const SETTLE = `{% doc %}
  Gives the free places of an event to those who wait longest. Call it in a transaction, after events/draw.
  @param {object} event - from the query events/draw
{% enddoc %}
{% liquid
  graphql found = 'registrations/taken', event: event.id
  assign taken = found.registrations.total_entries
  assign free = event.places | minus: taken
  assign ids = []
  if free > 0
    graphql next = 'registrations/waiting', event: event.id, limit: free
    for registration in next.registrations.results
      assign ids << registration.id
    endfor
  endif
  assign taken = taken | plus: ids.size
  graphql _ = 'registrations/give', event: event.id, taken: taken, ids: ids
%}
`

const JOIN = `{% doc %}
  Registers a user for an event: with a place, or on the waiting list.
  @param {string} event - its id
  @param {string} user - the id of the user
{% enddoc %}
{% liquid
  transaction
    graphql drawn = 'events/draw', event: event
    graphql found = 'registrations/mine', event: event, user: user
    if found.registrations.results == empty
      graphql _ = 'registrations/add', event: event, user: user, number: drawn.event.numbers
      function _ = 'registrations/settle', event: drawn.event
    endif
  endtransaction
%}
`

const REGISTER = `---
slug: events/:id/register
method: post
authorization_policies:
  - signed_in
---
{% liquid
  graphql found = 'events/find', id: context.params.id
  assign event = found.events.results | first
  if event == nil
    response_status 404
    break
  endif
  assign is_over = event.starts_at | is_date_in_past
  unless is_over
    function _ = 'registrations/join', event: event.id, user: context.current_user.id
  endunless
  redirect_to "/events/{{ event.id }}"
%}
`

const STANDING = `{% doc %}
  Returns the state of a registration, \`place\` or \`waiting\`, and the position on the waiting list. Nil if there is none.
  @param {string} event - its id
  @param {string} user - the id of the user
{% enddoc %}
{% liquid
  graphql found = 'registrations/mine', event: event, user: user
  assign mine = found.registrations.results | first
  if mine == nil
    return null
  endif
  graphql ahead = 'registrations/ahead', event: event, number: mine.number
  assign position = ahead.registrations.total_entries | plus: 1
  return { "state": mine.state, "position": position }
%}
`

const AHEAD = `query ahead($event: String!, $number: String!) {
  registrations: records(
    per_page: 1
    filter: {
      table: { value: "registration" }
      properties: [
        { name: "event_id", value: $event }
        { name: "state", value: "waiting" }
        { name: "number", range: { lt: $number } }
      ]
    }
  ) {
    total_entries
  }
}
`

const BOX = `{% doc %}
  What a visitor can do about an event: register, or log in.
  @param {object} event - a record of the query events/find
{% enddoc %}
<section class="join" aria-label="{{ 'registrations.title' | t }}">
  {% if context.current_user %}
    {% function standing = 'registrations/standing', event: event.id, user: context.current_user.id %}
    {% if standing == nil %}
      <form action="/events/{{ event.id }}/register" method="post">
        <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
        <button>{{ 'registrations.register' | t }}</button>
      </form>
    {% elsif standing.state == 'place' %}
      <p>{{ 'registrations.place' | t }}</p>
    {% else %}
      <p>{{ 'registrations.waiting' | t: position: standing.position }}</p>
    {% endif %}
  {% else %}
    <a class="button" href="/log-in?return_to=/events/{{ event.id }}">{{ 'registrations.log_in' | t }}</a>
  {% endif %}
</section>
`

const TEXTS = `en:
  registrations:
    title: Your registration
    log_in: Log in to register
    register: Register
    place: You have a place.
    waiting: You are number %{position} on the waiting list.
`

const PLACES = `{% doc %}
  @param {object} event - a record of the query events/upcoming or events/find
{% enddoc %}
{% assign free = event.places | minus: event.taken %}
<p class="places">
  {% if free > 0 %}{{ 'calendar.free' | t: count: free, places: event.places }}{% else %}{{ 'calendar.full' | t }}{% endif %}
</p>
`

const LEAVE = `{% doc %}
  Cancels the registration of a user. The place goes to the one who waits longest.
  @param {string} event - its id
  @param {string} user - the id of the user
{% enddoc %}
{% liquid
  transaction
    graphql drawn = 'events/draw', event: event
    graphql _ = 'registrations/remove', event: event, user: user
    function _ = 'registrations/settle', event: drawn.event
  endtransaction
%}
`

const REMOVE = `mutation remove($event: String!, $user: ID!) {
  registrations: records_delete_all(
    table: "registration"
    filter: { user_id: { value: $user }, properties: [{ name: "event_id", value: $event }] }
  ) {
    count
  }
}
`

const CANCEL = `---
slug: events/:id/cancel
method: post
authorization_policies:
  - signed_in
---
{% liquid
  graphql found = 'events/find', id: context.params.id
  assign event = found.events.results | first
  if event == nil
    response_status 404
    break
  endif
  function _ = 'registrations/leave', event: event.id, user: context.current_user.id
  redirect_to "/events/{{ event.id }}"
%}
`

const SELECTED = `      places: property_int(name: "places")
`
const SELECTED_BOTH = `      places: property_int(name: "places")
      taken: property_int(name: "taken")
`

export const registering: Chapter = {
  file: 'registering',
  name: '4. Registrations',
  summary: 'Let members register for an event, so that two visitors at once never get the same place.',
  words: 'tutorial register book seats limit lock concurrency race transaction booking',
  steps: [
    step(
      'The table of registrations',
      'schema table relation',
      says(
        'A registration belongs to an event and to a user, has a number, and is a `place` or `waiting`. Events get two properties: how many numbers were drawn, and how many places are taken.',
      ),
      write(
        'app/schema/registration.yml',
        `name: registration
properties:
  - name: event_id
    belongs_to: event
  - name: number
    type: integer
  - name: state
`,
      ),
      change(
        'app/schema/event.yml',
        `  - name: places
    type: integer
`,
        `  - name: places
    type: integer
  - name: numbers
    type: integer
    default_value: 0
  - name: taken
    type: integer
    default_value: 0
`,
      ),
    ),
    step(
      'Draw a number',
      'lock transaction concurrency race atomic',
      says(
        'What if twenty members register at the same moment for three places? It works like in a bakery: everyone draws a number, and the next free place goes to the lowest number.',
      ),
      says(
        'Drawing a number changes the row of the event, and a change locks the row until the transaction ends. Who comes at the same moment waits for that, and then reads the new state.',
      ),
      write('app/graphql/events/draw.graphql', DRAW),
      write('app/graphql/registrations/mine.graphql', MINE),
      write('app/graphql/registrations/add.graphql', ADD),
      says(
        'Everyone first waits. Then one function gives the free places to those who wait longest: it counts, selects, and changes all of them at once.',
      ),
      write('app/graphql/registrations/taken.graphql', TAKEN),
      write('app/graphql/registrations/waiting.graphql', WAITING),
      write('app/graphql/registrations/give.graphql', GIVE),
      write('app/lib/registrations/settle.liquid', SETTLE),
      write('app/lib/registrations/join.liquid', JOIN),
      says(
        'A page that answers POST calls it. The policy `signed_in` sends visitors without an account to the log-in.',
      ),
      write('app/views/pages/events/register.liquid', REGISTER),
    ),
    step(
      'The button',
      'form button authenticity token csrf',
      says(
        'The page of an event shows a button, or the state of the registration. The hidden token proves that the form is from this site.',
      ),
      change(
        'app/graphql/registrations/mine.graphql',
        `      id
`,
        `      id
      state: property(name: "state")
      number: property_int(name: "number")
`,
      ),
      write('app/graphql/registrations/ahead.graphql', AHEAD),
      write('app/lib/registrations/standing.liquid', STANDING),
      write('app/views/partials/registrations/box.liquid', BOX),
      write('app/translations/registrations.en.yml', TEXTS),
      change(
        'app/views/pages/events/show.liquid',
        `    {% render 'events/places', event: event %}
`,
        `    {% render 'events/places', event: event %}
    {% render 'registrations/box', event: event %}
`,
      ),
      says(
        'The places that are left are more useful than the limit. Select `taken` in both queries, and print the difference.',
      ),
      change('app/graphql/events/find.graphql', SELECTED, SELECTED_BOTH),
      change('app/graphql/events/upcoming.graphql', SELECTED, SELECTED_BOTH),
      write('app/views/partials/events/places.liquid', PLACES),
      change(
        'app/translations/calendar.en.yml',
        `    places:
      one: One place
      other: '%{count} places'
`,
        `    full: All places are taken
    free:
      one: One of %{places} places is free
      other: '%{count} of %{places} places are free'
`,
      ),
      visit(
        'Ben',
        [open('/'), follow('Row & barbecue'), press('Register')],
        'You have a place.',
        '7 of 8 places are free',
      ),
      look('You', '/', ['Row & barbecue', '7 of 8 places are free']),
    ),
    step(
      'Cancel',
      'cancel delete button',
      says('Canceling is the same in reverse: draw a number for the lock, delete, and give the place to the next.'),
      write('app/graphql/registrations/remove.graphql', REMOVE),
      write('app/lib/registrations/leave.liquid', LEAVE),
      write('app/views/pages/events/cancel.liquid', CANCEL),
      change(
        'app/views/partials/registrations/box.liquid',
        `      <p>{{ 'registrations.waiting' | t: position: standing.position }}</p>
    {% endif %}
`,
        `      <p>{{ 'registrations.waiting' | t: position: standing.position }}</p>
    {% endif %}
    {% if standing %}
      <form action="/events/{{ event.id }}/cancel" method="post">
        <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
        <button class="button-quiet">{{ 'registrations.cancel' | t }}</button>
      </form>
    {% endif %}
`,
      ),
      change(
        'app/translations/registrations.en.yml',
        `    register: Register
`,
        `    register: Register
    cancel: Cancel your registration
`,
      ),
      visit('Ben', [open('/'), follow('Row & barbecue'), press('Cancel your registration')], '8 of 8 places are free'),
    ),
  ],
}
