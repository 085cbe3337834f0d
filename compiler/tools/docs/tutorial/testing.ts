/** The eighth chapter: tests of the site. */
import { type Chapter, run, runAndSee, says, step, write } from './step.ts'

const LIQUID_TEST = `{% graphql made %}
  mutation {
    event: record_create(record: { table: "event", properties: [
      { name: "title", value: "A test" }
      { name: "starts_at", value: "2099-06-01T10:00:00Z" }
      { name: "places", value_int: 1 }
      { name: "numbers", value_int: 0 }
    ] }) { id }
    first: user_create(user: { email: "first@test.example", password: "a long password" }) { id }
    second: user_create(user: { email: "second@test.example", password: "a long password" }) { id }
  }
{% endgraphql %}
{% liquid
  assign event = made.event.id
  assign first = made.first.id
  assign second = made.second.id
  assign errors = contract.errors
  assign contract["total"] = contract.total | plus: 3

  function _ = 'registrations/join', event: event, user: first
  function _ = 'registrations/join', event: event, user: second
  function standing = 'registrations/standing', event: event, user: first
  if standing.state != 'place'
    assign errors["first"] = ["has no place"]
  endif
  function standing = 'registrations/standing', event: event, user: second
  if standing.state != 'waiting' or standing.position != 1
    assign errors["second"] = ["is not first on the waiting list"]
  endif

  function _ = 'registrations/leave', event: event, user: first
  function standing = 'registrations/standing', event: event, user: second
  if standing.state != 'place'
    assign errors["moved"] = ["does not move up"]
  endif
%}
`

const EVENT = `{% doc %}
  Creates an event for a test, and returns it.
{% enddoc %}
{% graphql made %}
  mutation {
    event: record_create(record: { table: "event", properties: [
      { name: "title", value: "A test" }
      { name: "starts_at", value: "2099-06-01T10:00:00Z" }
      { name: "places", value_int: 3 }
    ] }) { id }
  }
{% endgraphql %}
{% return made.event %}
`

const REQUESTS = `- run: test/event
  as: event
# Without an account there is no button to register.
- GET: /events/{event.id}?language=en
  selector: { h1: A test, form: 0 }
- GET: /sign-up
- submit: .sign-up-form
  fields:
    form[email]: paddler@test.example
    form[password]: a long password
    form[password_confirmation]: a long password
  follow: true
  status: 200
- GET: /events/{event.id}
- submit: .join form
  follow: true
  text: You have a place.
- submit: .join form
  follow: true
  text: 3 of 3 places are free
- GET: /admin
  status: 404
`

export const testing: Chapter = {
  file: 'testing',
  name: '8. Tests',
  summary: 'Test the waiting list and whole visits, each test in a transaction that is rolled back.',
  words: 'tutorial test tests liquid yaml request ci',
  steps: [
    step(
      'Test the waiting list',
      'unit test liquid assert',
      says(
        'A partial whose name ends in `_test` is a test. It creates rows, calls the functions, and notes what is wrong. Everything it writes is rolled back.',
      ),
      write('app/lib/test/registrations_test.liquid', LIQUID_TEST),
    ),
    step(
      'Test a visit',
      'request test yaml click submit',
      says(
        'A list of requests is a visit. `submit` sends a form of the last page with its values; `run` calls a partial before.',
      ),
      write('app/lib/test/event.liquid', EVENT),
      write('app/lib/test/visit_test.yml', REQUESTS),
      says('The generators have written tests, too; with other tables the number is another one. Run all of them:'),
      runAndSee('npx ingot test', '✓ test/registrations_test', '✓ test/visit_test.yml', '5 tests', 'all passed'),
      says(
        'Remove the line that calls `settle` from `app/lib/registrations/leave.liquid` to see a test fail, and undo it.',
      ),
      run('npx ingot check'),
    ),
  ],
}
