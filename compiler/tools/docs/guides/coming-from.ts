/** The guide for those who know platformOS, liquidjs or Jekyll. */
import { guide, list, part, shell, text } from './guide.ts'

export const comingFrom = guide('coming-from', {
  name: 'Coming from platformOS, liquidjs or Jekyll',
  summary: 'Run an existing site or templates with Ingot: what stays, what differs, and what is missing.',
  words: 'migrate migration platformos pos-cli liquidjs jekyll shopify ruby liquid move switch from existing import',
  blocks: [
    part('From platformOS', 'platformos pos-cli instance migrate'),
    shell('npx ingot check my-site', 'npx ingot dev my-site'),
    text(
      'A site is the same folder: `app` (or `marketplace_builder`) and `modules`. `ingot check` reports what differs. Known names that Ingot does not serve are warnings, so that the rest can be tried.',
    ),
    list(
      "Deploy with the platform's client or `ingot deploy` to `ingot serve --instance DIR`: [Deploying](guides/deploying.html#a-server-that-is-deployed-to).",
      '`ingot data export URL` and `ingot data import URL FILE` move rows and users in the format of the platform; `ingot data import FILE` reads them into a local site. bcrypt passwords are accepted and renewed at the next log-in.',
      'Older templates read the request by bare names: `{{ params.id }}`, `{% if current_user %}`. In pages, layouts, forms, notifications, policies and migrations, and in files they `include`, an unset name is read from `context`, and `platform_context` is the whole `context`. `liquid_add_old_variables: true` in `app/config.yml` applies that to every file, `false` to none.',
      'GraphQL fields that are not supported: [GraphQL](production/graphql.html).',
    ),
    part('What is missing', 'unsupported missing not supported pdf websocket'),
    list(
      'Pages as PDF, and WebSockets.',
      'Parts of the GraphQL schema that need other systems: sockets, calls between sites, and mutations that change the compiled site while it runs (pages, partials, forms, assets). A document that uses such a field can be built: `ingot check` warns, and running it fails.',
      'Files of the type `pdf` are not created (`value_upload`). Links to external accounts (`authentications`) are stored and shown, but users cannot sign in with them.',
    ),
    part('From liquidjs', 'liquidjs shopify liquid node express migrate'),
    text(
      '[From liquidjs](index.html#liquidjs) compares all options, filters and tags. [Ingot as a library](guides/library.html) replaces an engine in ten lines, also in Express and Fastify. To see what a folder of templates lacks before you change anything:',
    ),
    shell('npx ingot check --dialect liquid --data data.json --needs views'),
    text(
      'The dialect `liquid` prints as the Ruby reference does, in the modes lax, strict and strict2. Output is not escaped there unless the template does it; the dialect of sites escapes.',
    ),
    part('From Jekyll', 'jekyll static site front matter collections'),
    list(
      '`_layouts` is `app/views/layouts`, `{{ content }}` is `{{ content_for_layout }}`. A layout has no layout of its own.',
      '`_includes` is `app/views/partials`: `{% include card.html title="x" %}` is `{% render "card", title: "x" %}`, and `include.title` is `title`.',
      '`page.title` is `context.page.metadata.title`, with `metadata: { title: … }` in the front matter. `permalink` is `slug`.',
      'Markdown pages have `converter: markdown` in the front matter.',
      'Collections and `_data` are tables: [Tables](guides/tables.html). `site.posts` is a query.',
      'There is no static output: a server renders the pages, and `static_cache` keeps them ([Caching](guides/caching.html)).',
    ),
    text('The compiler knows names of Jekyll, Shopify themes and liquidjs, and suggests the name to use.'),
  ],
})
