/** The guide to the tests of a site. */
import { files, guide, list, part, shell, text } from './guide.ts'

export const tests = guide('tests', {
  name: 'Tests',
  summary: 'Test templates and whole visits, each in a transaction that is rolled back.',
  words: 'test tests testing unit integration coverage junit ci continuous',
  blocks: [
    part('Test a template', 'unit test assert contract partial'),
    text(
      "`ingot test` runs all partials whose names end in `_test` (in `app/lib/test`, or in a module), as the platform's module for tests does. Each is included with a `contract`: assertions count in `total` and write to `errors`.",
    ),
    files({
      'app/lib/test/opening_test.liquid': `{% liquid
  assign contract["total"] = contract.total | plus: 1
  function state = 'opening', hour: 9
  unless state == 'closed'
    assign errors = contract.errors
    assign errors["opening"] = ["is open before noon"]
  endunless
%}
`,
    }),
    text('A failed test shows the expected and the actual value, with the line of the assertion:'),
    shell(
      '✗ test/dishes/price_test  12 ms',
      '    app/lib/test/dishes/price_test.liquid:4',
      '      price',
      '      - expected  5',
      '      + got       4',
    ),
    part('Test visits', 'request integration browser click submit form'),
    text(
      'Request lists are in files named `…_test.yml`. One visitor, who keeps cookies, makes the requests. `run` calls a partial first and stores its result under the name in `as`. `click` follows a link of the last page. `submit` sends a form of it with its current values and other `fields`:',
    ),
    files({
      'app/lib/test/dish.liquid': `{% doc %}
  Creates a dish for a test, and returns it.
  @param {string} name
{% enddoc %}
{% liquid
  graphql made = 'dishes/create', name: name
  return made.dish
%}
`,
      'app/graphql/dishes/create.graphql': `mutation create($name: String!) {
  dish: record_create(record: { table: "dish", properties: [{ name: "name", value: $name }] }) {
    id
  }
}
`,
      'app/lib/test/dish_test.liquid': `{% liquid
  assign contract["total"] = contract.total | plus: 1
  function made = 'test/dish', name: 'Tea'
  graphql found = 'dishes/find', id: made.id
  assign dish = found.dishes.results | first
  unless dish.name == 'Tea'
    assign errors = contract.errors
    assign errors["dish"] = ["is not found"]
  endunless
%}
`,
      'app/lib/test/dishes_test.yml': `- run: test/dish
  with: { name: Tea }
  as: dish
- GET: /dishes/{dish.id}
  status: 200
  selector: { h1: Tea, li: 0 }
- GET: /dishes/0
  status: 404
  text: There is no such dish.
  without: Tea
`,
    }),
    part('Run them', 'ci coverage junit watch filter'),
    shell('npx ingot test', 'npx ingot test --filter dishes --watch', 'npx ingot test --coverage --junit report.xml'),
    list(
      "Each test runs in a separate transaction that is rolled back, on the site's own database with its tables and migrations as `ingot dev` leaves them. Transactions of templates are savepoints in it. Jobs run inside it as soon as the code that queued them is done. Mails are not sent. Requests see the changes.",
      '`--coverage` reports which lines of templates have run. `--reporter junit` and `--junit FILE` write reports for other programs.',
      'The command exits with 1 if a test failed, with 2 if it could not run. It never runs in production.',
      '`ingot check --max-warnings 0` next to it in a pipeline accepts no new warnings; `--baseline FILE` reports only those that are not in a file of known ones.',
    ),
  ],
})
