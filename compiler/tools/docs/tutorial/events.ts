/** The third chapter: events with a photo, a date and a venue, and the calendar that shows them. */
import {
  change,
  type Chapter,
  choose,
  date,
  enter,
  follow,
  look,
  open,
  photo,
  press,
  run,
  says,
  step,
  visit,
  write,
} from './step.ts'

const RULES = 'validation: { numericality: { only_integer: true, allow_blank: true } }'

const UPCOMING = `# The events from now on. \`now\` is a time.
query upcoming($now: String!) {
  events: records(
    per_page: 60
    filter: { table: { value: "event" }, properties: [{ name: "starts_at", range: { gte: $now } }] }
    sort: [{ properties: [{ name: "starts_at", order: ASC }] }]
  ) {
    results {
      id
      title: property(name: "title")
      starts_at: property(name: "starts_at")
      places: property_int(name: "places")
      photo: property_upload(name: "photo") { url versions }
      venue: related_record(table: "venue", join_on_property: "venue_id") { name: property(name: "name") }
    }
  }
}
`

const PHOTO = `{% doc %}
  The photo of an event, or a colored area.
  @param {object} event - a record of the query events/upcoming or events/find
{% enddoc %}
{% if event.photo %}
  <img class="photo" src="{{ event.photo.versions.card | default: event.photo.url }}" width="720" height="480" alt="">
{% else %}
  <div class="photo"></div>
{% endif %}
`

const CARD = `{% doc %}
  @param {object} event - a record of the query events/upcoming
{% enddoc %}
<li class="event-card">
  {% render 'events/photo', event: event %}
  <div class="text">
    <p class="soft"><time datetime="{{ event.starts_at }}">{{ event.starts_at | l: 'calendar_day' }}</time></p>
    <h2><a href="/events/{{ event.id }}">{{ event.title }}</a></h2>
    <p class="soft">{{ event.venue.name }}</p>
    {% render 'events/places', event: event %}
  </div>
</li>
`

const PLACES = `{% doc %}
  @param {object} event - a record of the query events/upcoming or events/find
{% enddoc %}
<p class="places">{{ 'calendar.places' | t: count: event.places }}</p>
`

const HOME = `{% liquid
  assign now = 'now' | to_time | date: '%Y-%m-%dT%H:%M:%SZ'
  graphql found = 'events/upcoming', now: now
%}
{% content_for 'title' %}{{ 'site.name' | t }}{% endcontent_for %}
<section class="hero">
  <h1>{{ 'home.title' | t }}</h1>
  <p>{{ 'home.lead' | t }}</p>
</section>
<ul class="events-grid">
  {% for event in found.events.results %}
    {% render 'events/card', event: event %}
  {% else %}
    <li>{{ 'calendar.none' | t }}</li>
  {% endfor %}
</ul>
`

const TEXTS = `en:
  time:
    formats:
      calendar_day: '%A, %-d %B, %H:%M'
  calendar:
    none: No events yet.
    places:
      one: One place
      other: '%{count} places'
`

const SHOW = `---
slug: events/:id
---
{% liquid
  graphql found = 'events/find', id: context.params.id
  assign event = found.events.results | first
  if event == nil
    response_status 404
  endif
  function is_admin = 'accounts/is_admin'
%}
{% if event %}
  {% content_for 'title' %}{{ event.title }}{% endcontent_for %}
  <article class="event">
    <h1>{{ event.title }}</h1>
    <p><time datetime="{{ event.starts_at }}">{{ event.starts_at | l: 'events_minute' }}</time>
      <span class="soft">{{ event.venue.name }}, {{ event.venue.address }}</span></p>
    {% render 'events/photo', event: event %}
    <p class="lines">{{ event.about }}</p>
    {% render 'events/places', event: event %}
  </article>
  {% if is_admin %}
    <p><a class="button events-edit" href="/events/{{ event.id }}/edit">{{ 'events.edit' | t }}</a></p>
    {% include_form 'events/remove', id: event.id %}
  {% endif %}
{% else %}
  <h1>{{ 'events.unknown' | t }}</h1>
{% endif %}
`

const FIND = `query event($id: ID!) {
  events: records(per_page: 1, filter: { table: { value: "event" }, id: { value: $id } }) {
    results {
      id
      title: property(name: "title")
      starts_at: property(name: "starts_at")
      places: property_int(name: "places")
      about: property(name: "about")
      photo: property_upload(name: "photo") { url versions }
      venue: related_record(table: "venue", join_on_property: "venue_id") {
        name: property(name: "name")
        address: property(name: "address")
      }
    }
  }
}
`

export const events: Chapter = {
  file: 'events',
  name: '3. Events',
  summary: 'Create tables with their pages and forms, upload photos, and show a calendar.',
  words: 'tutorial crud table generate upload photo date relation list card query',
  steps: [
    step(
      'Venues',
      'crud generate table policy',
      says(
        'Events happen somewhere. A generator writes a table with its queries, pages, form, texts and a link in the navigation. With `--policy is_admin` only administrators change rows; it says that it writes no test for them, and you write tests in chapter 8.',
      ),
      run('npx ingot generate crud venue name address --policy is_admin'),
      visit(
        'Ada',
        [open('/venues/new'), enter('Name', 'Boathouse'), enter('Address', '1 Mill Lane'), press('Save')],
        'Boathouse',
        '1 Mill Lane',
        'Saved.',
      ),
      says('Everyone sees the list, and only Ada the button to add a venue.'),
      look('Ben', '/venues', ['Boathouse'], ['Add a venue']),
    ),
    step(
      'Events',
      'upload references datetime photo validation',
      says(
        'Fields have types. `venue:references` is a relation with the table of venues, and the form offers its rows. `photo:upload` is a file.',
      ),
      run(
        'npx ingot generate crud event title starts_at:datetime venue:references places:integer about:text photo:upload --policy is_admin',
      ),
      says(
        'The form of events requires a title only. An event without a time or a limit is of no use, so change the rules of these two fields:',
      ),
      change(
        'app/forms/events/edit.liquid',
        `    starts_at:
`,
        `    starts_at:
      validation: { presence: true }
`,
      ),
      change(
        'app/forms/events/edit.liquid',
        `    places:
      ${RULES}
`,
        `    places:
      validation: { numericality: { only_integer: true, greater_than: 0, less_than: 1000 } }
`,
      ),
      says('Press “Save” in the empty form first to see the messages. Then add an event.'),
      visit('Ada', [open('/events/new'), press('Save')], "can't be blank", 'is not a number'),
      visit(
        'Ada',
        [
          open('/events/new'),
          enter('Title', 'Row & barbecue'),
          date('Starts at', 5, '18:30'),
          choose('Venue', 'Boathouse'),
          enter('Places', '8'),
          enter('About', 'Two calm hours. Boats are there.'),
          photo('Photo'),
          press('Save'),
        ],
        'Row & barbecue',
        'Boathouse',
        'Two calm hours.',
      ),
    ),
    step(
      'Smaller photos',
      'image version resize webp',
      says(
        'A photo of a camera has many megabytes. Declare a version: after each upload a job makes it. Change the end of the table file. Then choose the photo again, because versions are made when a file arrives.',
      ),
      change(
        'app/schema/event.yml',
        `        lte: 8192
`,
        `        lte: 8192
      versions:
        - name: card
          output: { format: webp, quality: 80 }
          resize: { width: 720, height: 480, fit: cover }
`,
      ),
      visit(
        'Ada',
        [open('/events'), follow('Row & barbecue'), follow('Change the event'), photo('Photo'), press('Save')],
        'Saved.',
      ),
    ),
    step(
      'The calendar',
      'home page list cards upcoming query sort filter date',
      says(
        'The home page shows the coming events as cards. That is a query, partials for a card, its photo and its places, texts, and the page. A query is checked against the tables, and is one SQL statement with its relations.',
      ),
      write('app/graphql/events/upcoming.graphql', UPCOMING),
      write('app/views/partials/events/photo.liquid', PHOTO),
      write('app/views/partials/events/places.liquid', PLACES),
      write('app/views/partials/events/card.liquid', CARD),
      write('app/translations/calendar.en.yml', TEXTS),
      write('app/views/pages/index.liquid', HOME),
      look('Ben', '/', ['Row & barbecue', 'Boathouse', '8 places']),
    ),
    step(
      'The page of an event',
      'show page',
      says(
        'Show the photo large and the buttons to administrators only. The generated partial for files is not used any more, so remove it.',
      ),
      write('app/graphql/events/find.graphql', FIND),
      write('app/views/pages/events/show.liquid', SHOW),
      run('rm app/views/partials/events/file.liquid'),
      visit('Ben', [open('/'), follow('Row & barbecue')], 'Row & barbecue', '1 Mill Lane', '8 places'),
    ),
  ],
}
