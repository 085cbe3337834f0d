/** The fifth chapter: mails, and a waiting list that moves up. */
import {
  change,
  type Chapter,
  choose,
  date,
  enter,
  follow,
  look,
  mail,
  open,
  press,
  says,
  step,
  visit,
  write,
} from './step.ts'

const FIND = `query registration($id: ID!) {
  registrations: records(per_page: 1, filter: { table: { value: "registration" }, id: { value: $id } }) {
    results {
      state: property(name: "state")
      user: related_user { email }
      event: related_record(table: "event", join_on_property: "event_id") {
        id
        title: property(name: "title")
        starts_at: property(name: "starts_at")
      }
    }
  }
}
`

const TELL = `{% doc %}
  A job: mails a member about a registration.
  @param {string} id - of the registration
  @param {string} about - \`joined\` or \`moved\`
{% enddoc %}
{% liquid
  graphql found = 'registrations/find', id: id
  assign registration = found.registrations.results | first
  if registration
    assign text = about
    if about == 'joined'
      assign text = registration.state
    endif
    assign event = registration.event
    assign content = { "to": registration.user.email, "text": text, "title": event.title, "event": event.id, "starts_at": event.starts_at }
    graphql _ = 'accounts/mail', template: 'registration', data: content
  endif
%}
`

const MAIL = `---
to: "{{ data.to }}"
from: hello@club.example
subject: "{{ 'registrations.mails.' | append: data.text | t: title: data.title }}"
---
{% function origin = 'accounts/origin' %}
<h1>{{ 'registrations.mails.' | append: data.text | t: title: data.title }}</h1>
<p>{{ data.starts_at | l: 'events_minute' }}</p>
<p><a href="{{ origin }}/events/{{ data.event }}">{{ 'registrations.mails.look' | t }}</a></p>
`

const MORE_PLACES = `{% doc %}
  Gives places that were added to an event to those who wait. The form of events calls it.
  @param {string} event - its id
{% enddoc %}
{% liquid
  transaction
    graphql drawn = 'events/draw', event: event
    function _ = 'registrations/settle', event: drawn.event
  endtransaction
%}
`

const REGISTER = [open('/'), follow('Regatta'), press('Register')]

export const waiting: Chapter = {
  file: 'waiting',
  name: '5. The waiting list and mails',
  summary: 'Confirm registrations by mail, and tell members when they move up from the waiting list.',
  words: 'tutorial waiting list mail email notification job background confirmation move up cancel',
  steps: [
    step(
      'Confirm by mail',
      'mail job background confirmation',
      says(
        'A mail is sent by a job: the visitor does not wait for it, and a transaction that is rolled back queues none. The job reads the registration again, so it tells how things are when it runs.',
      ),
      write('app/graphql/registrations/find.graphql', FIND),
      write('app/lib/registrations/tell.liquid', TELL),
      says(
        'The job hands over the title, and the mail translates: `t` escapes values for the place where it is, HTML in the body and plain text in the subject. A finished text in `data` would be escaped twice.',
      ),
      write('app/emails/registration.liquid', MAIL),
      change(
        'app/translations/registrations.en.yml',
        `    title: Your registration
`,
        `    title: Your registration
    mails:
      look: Look at the event
      moved: 'You moved up and have a place: %{title}'
      place: 'You have a place: %{title}'
      waiting: 'You are on the waiting list: %{title}'
`,
      ),
      says('Queue it for everyone who registers.'),
      change(
        'app/lib/registrations/join.liquid',
        `      graphql _ = 'registrations/add', event: event, user: user, number: drawn.event.numbers
`,
        `      graphql added = 'registrations/add', event: event, user: user, number: drawn.event.numbers
      background _ = 'registrations/tell', id: added.registration.id, about: 'joined', max_attempts: 5
`,
      ),
      says(
        'And for everyone who gets a place later. The one who registers right now has the number that was drawn last.',
      ),
      change(
        'app/graphql/registrations/waiting.graphql',
        `      id
`,
        `      id
      number: property_int(name: "number")
`,
      ),
      change(
        'app/lib/registrations/settle.liquid',
        `      assign ids << registration.id
`,
        `      assign ids << registration.id
      if registration.number < event.numbers
        background _ = 'registrations/tell', id: registration.id, about: 'moved', max_attempts: 5
      endif
`,
      ),
      visit(
        'Ada',
        [
          open('/events/new'),
          enter('Title', 'Regatta'),
          date('Starts at', 20, '10:00'),
          choose('Venue', 'Boathouse'),
          enter('Places', '1'),
          enter('About', 'One boat, one place.'),
          press('Save'),
        ],
        'Regatta',
      ),
      visit('Ben', REGISTER, 'You have a place.', 'All places are taken'),
      mail('ben@club.example', 'You have a place: Regatta'),
    ),
    step(
      'Move up',
      'waiting list cancel move up',
      says('Now Ada registers, and waits. When Ben cancels, she has his place and a mail.'),
      visit('Ada', REGISTER, 'You are number 1 on the waiting list.'),
      mail('ada@club.example', 'You are on the waiting list: Regatta'),
      visit('Ben', [open('/'), follow('Regatta'), press('Cancel your registration')], 'All places are taken'),
      mail('ada@club.example', 'You moved up and have a place: Regatta'),
      visit('Ada', [open('/'), follow('Regatta')], 'You have a place.'),
    ),
    step(
      'More places',
      'callback form change limit',
      says(
        'When an administrator raises the limit, members move up, too. The form of events runs a callback after it has saved.',
      ),
      write('app/lib/registrations/more_places.liquid', MORE_PLACES),
      change(
        'app/forms/events/edit.liquid',
        `redirect_to: "/events/{{ form.id }}"
`,
        `callback_actions: "{% function _ = 'registrations/more_places', event: form.id %}"
redirect_to: "/events/{{ form.id }}"
`,
      ),
      visit('Ben', REGISTER, 'You are number 1 on the waiting list.'),
      visit(
        'Ada',
        [open('/'), follow('Regatta'), follow('Change the event'), enter('Places', '2'), press('Save')],
        'All places are taken',
      ),
      visit('Ben', [open('/'), follow('Regatta')], 'You have a place.'),
      look('You', '/', ['All places are taken']),
    ),
  ],
}
