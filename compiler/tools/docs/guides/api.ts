/** The guide to JSON pages, the REST API of forms, and GraphQL over HTTP. */
import { guide, list, page, part, shell, text } from './guide.ts'

export const api = guide('api', {
  name: 'JSON and REST',
  summary: 'Answer programs: pages that print JSON, the REST API of forms, and GraphQL over HTTP.',
  words: 'json api rest program openapi webhook endpoint http token curl xml csv headers cors',
  blocks: [
    part('A page that prints JSON', 'json endpoint xml csv format'),
    text('The file name says the format. This page answers `/api/dishes.json`:'),
    page(
      {
        'app/views/pages/api/dishes.json.liquid': `{% graphql menu = 'dishes/list' %}{{ menu.dishes.results | json }}
`,
      },
      '/api/dishes.json',
      '[{"id":"…","name":"Plum cake","price":5},…',
    ),
    text(
      'JSON that a program sends is in `context.params`, and its text in `context.post_params`. `response_headers` in the front matter adds headers, such as those of CORS:',
    ),
    page(
      {
        'app/views/pages/api/echo.json.liquid': `---
method: post
response_headers: '{ "Access-Control-Allow-Origin": "*" }'
---
{% assign answer = { "name": context.params.name } %}{{ answer | json }}
`,
      },
      'POST /api/echo.json',
      '{"name":null}',
    ),
    text(
      'Requests without the CSRF token of a session have no session and no user; check a token or a signature of their own in a policy: [Receive signed webhooks](cookbook/webhooks.html).',
    ),
    part('REST: the API of forms', 'rest create update delete openapi swagger'),
    text(
      "A browser's form uses the same paths as a program's JSON, with a session cookie and a CSRF token. A program sends a token:",
    ),
    shell(
      "curl -X POST localhost:3000/api/user/customizations -H 'Authorization: Token token=…' -H 'Content-Type: application/json' \\",
      '  -d \'{"form_name":"dish","parent_resource_id":"dish","form":{"model_schema_name":"dish","properties":{"name":"Soup"}}}\'',
    ),
    {
      kind: 'rows',
      title: 'Requests',
      columnTitles: ['Request', 'Success', 'Failure'],
      rows: [
        {
          name: 'POST /api/user/customizations',
          type: '201 with `id` and `errors`',
          says: '401 no valid token, 403 a policy refuses, 404 no such form, 406 wrong shape, 422 with the messages by field',
        },
        {
          name: 'PUT /api/user/customizations/:id',
          type: '204',
          says: 'The same; 404 also for a row of somebody else.',
        },
        { name: 'DELETE /api/user/customizations/:id', type: '204', says: 'The same, without 422.' },
        { name: 'POST /api/users', type: '201', says: 'As for rows.' },
        { name: 'PUT /api/users/:id', type: '204', says: 'As for rows.' },
        { name: 'POST /api/sessions', type: '201', says: '422 for a wrong password.' },
        { name: 'DELETE /api/sessions', type: '204', says: '401, 406.' },
      ],
    },
    text("`ingot openapi` prints the API of a site's own forms as OpenAPI 3.1 (`/api/openapi.json` in `ingot dev`)."),
    part('GraphQL over HTTP', 'graphql endpoint token program'),
    text(
      'Programs call `POST /api/graph` with a token (`ingot token create`, or `INGOT_API_TOKEN`): `Authorization: Token token=…`.',
    ),
    shell(
      "curl localhost:3000/api/graph -H 'Authorization: Token token=…' -H 'Content-Type: application/json' \\",
      '  -d \'{"query":"{ records(per_page: 3) { total_entries } }"}\'',
    ),
    list(
      'The answer is `{ "data", "errors" }` with the status 200, also if the query failed. A token may read, write, deploy, run templates that are sent, or everything: `--scope read|write|deploy|exec|admin`.',
      'GraphiQL is at `/_ingot/graphql` in `ingot dev`.',
    ),
  ],
})
