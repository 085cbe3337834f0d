/** The reference's page about the topics of the platform's documentation, and whether Ingot has them. */
import type { Entry } from './entry.ts'
import { paragraph, productionPage, table } from './page.ts'

/** Whether Ingot has a topic. */
type State = 'yes' | 'partly' | 'not needed'

interface Topic {
  /** The folder or page of the platform's documentation. */
  readonly name: string
  readonly state: State
  /** Where it is, what is missing, or why it is not needed. */
  readonly note: string
}

function yes(name: string, note: string): Topic {
  return { name, state: 'yes', note }
}

function partly(name: string, note: string): Topic {
  return { name, state: 'partly', note }
}

function notNeeded(name: string, note: string): Topic {
  return { name, state: 'not needed', note }
}

const SITES_OF_MODULES = 'It is a site or a module, which is built and served like any other.'
const OWN_SERVER = 'It is about the vendor’s hosting. You run the server: [Deploying](guides/deploying.html).'

/** @internal Exported for tests. */
export const TOPICS: readonly { readonly title: string; readonly topics: readonly Topic[] }[] = [
  {
    title: 'Language',
    topics: [
      yes('Introduction, variables, types, flow control, loops, whitespace', '[Tags](index.html#tags)'),
      yes('Filters', '[Filters](index.html#filters)'),
      yes('Tags of the platform', '[Tags](index.html#tags)'),
      yes('Objects and the context', '[Objects](index.html#objects)'),
      yes('Includes, partials, functions and doc blocks', '[Pages](guides/pages.html)'),
      yes('Sanitization and escaping', '`escape_output_instead_of_sanitize` in `app/config.yml`'),
      yes('Themes', '`theme_render_rc` and `theme_search_paths`'),
      yes('Error handling', '`try`, `catch` and `liquid_raise_mode`'),
    ],
  },
  {
    title: 'Pages and assets',
    topics: [
      yes('Pages, slugs and formats', '[Pages](guides/pages.html)'),
      yes('Layouts and content blocks', '[Pages](guides/pages.html)'),
      yes('Metadata, redirects, response headers and error pages', '[Pages](guides/pages.html)'),
      yes('Search by content', '`pages` and `admin_pages` with a filter on `content`'),
      yes('Authorization policies', '[Accounts](guides/accounts.html)'),
      yes('Assets, stylesheets and scripts', '[Files](guides/files.html)'),
      yes('Translations, languages and date formats', '[Translations](guides/translations.html)'),
      yes('Caching', '[Caching](guides/caching.html)'),
      yes('Reserved names, folders, URLs and defaults', '`ingot check` reports each that matters.'),
    ],
  },
  {
    title: 'Data',
    topics: [
      yes('Records, tables and properties', '[Tables](guides/tables.html)'),
      yes('Related records, arrays and uploads', '[Tables](guides/tables.html)'),
      yes('Search, filters and sorting', '[Queries](guides/graphql.html)'),
      yes('Read replica and timeouts', '[Queries](guides/graphql.html)'),
      yes('JSON documents and mappings', '`documents_*` fields: [GraphQL](production/graphql.html)'),
      yes('Embeddings', '`embeddings_rc` and its mutations: [GraphQL](production/graphql.html)'),
      yes('Activity feeds', '`feeds` and the mutations `activity_*`: [GraphQL](production/graphql.html)'),
      yes('Import, export, cleaning and backups', '[Deploying](guides/deploying.html)'),
      partly('Geolocation', 'GeoJSON is stored and returned. Searches by distance and addresses are not there.'),
      partly(
        'Custom images and attachments',
        'Deprecated there. Upload properties replace them: [Files](guides/files.html)',
      ),
      yes('Records and users of other sites', '`remote_records` and `remote_users`: [Queries](guides/graphql.html)'),
    ],
  },
  {
    title: 'Forms and users',
    topics: [
      yes('Forms, rendering, validation and payloads', '[Forms](guides/forms.html)'),
      yes('Flash messages and callbacks', '[Forms](guides/forms.html)'),
      yes('Spam protection: hCaptcha, reCAPTCHA v2 and v3', '[Forms](guides/forms.html)'),
      yes('Sign-up, sign-in, sign-out and sessions', '[Accounts](guides/accounts.html)'),
      yes('Profiles, properties of users and shared attributes', '[Accounts](guides/accounts.html)'),
      yes('Passwords, temporary tokens and two-factor authentication', '[Accounts](guides/accounts.html)'),
      yes('JSON web tokens', '[Accounts](guides/accounts.html)'),
      yes('Identity providers', 'OpenID Connect with any provider: [Accounts](guides/accounts.html)'),
      yes('Creating PDF files', 'Pages and uploads: [Files](guides/files.html)'),
      yes('User uploads, and direct uploads to a bucket', '[Files](guides/files.html)'),
    ],
  },
  {
    title: 'Messages and jobs',
    topics: [
      yes('E-mails, attachments and mail layouts', '[Mails](guides/mails.html)'),
      yes('Text messages', '[Mails](guides/mails.html)'),
      yes('API calls, parsed responses and binary files', '[Mails](guides/mails.html)'),
      yes('Background jobs', '[Jobs](guides/jobs.html)'),
      yes('WebSockets', '[Live messages](guides/sockets.html)'),
      yes(
        'Integrations by API calls',
        'SendGrid, Mailchimp, Slack, Twilio and others are API calls: [Mails](guides/mails.html)',
      ),
      yes('Payments', 'They are API calls and modules: [Mails](guides/mails.html)'),
    ],
  },
  {
    title: 'Development',
    topics: [
      yes('Directory structure and configuration', '`app/config.yml`: [its settings](settings/config.html)'),
      yes('Modules', '`ingot modules`: [Commands](tools/commands.html)'),
      yes('The client: deploy, sync, data, logs, GUI', '[Deploying](guides/deploying.html)'),
      yes('Changes of the deployed site over GraphQL', '[Deploying](guides/deploying.html)'),
      yes('Migrations', '[Jobs](guides/jobs.html)'),
      yes('Tests and continuous integration', '[Tests](guides/tests.html)'),
      yes('Checks', '[Checks](guides/checks.html) and [Diagnostics](index.html#diagnostics)'),
      yes('Logs', '[Monitoring](guides/monitoring.html)'),
      yes('Custom checks in JavaScript', '`require` and packages: [Checks](guides/checks.html)'),
      yes('First app and contact-us tutorial', 'The [tutorial](index.html#tutorial) builds an app from nothing.'),
      yes('Marketplace template, blog, community and other kits', SITES_OF_MODULES),
    ],
  },
  {
    title: 'The service itself',
    topics: [
      notNeeded('Partner portal: instances, domains, billing, permissions', OWN_SERVER),
      notNeeded('Partner portal API', OWN_SERVER),
      notNeeded('Support, security and recovery of the service', OWN_SERVER),
      notNeeded('Release pools', '[Tests](guides/tests.html) run without a server.'),
      yes('Limits', '[Settings](production/settings.html)'),
    ],
  },
]

export function topicsEntry(): Entry {
  const all = TOPICS.flatMap(({ topics }) => topics)
  const count = (state: string): number => all.filter((topic) => topic.state === state).length
  const page = productionPage(
    'topics',
    'Topics of platformOS',
    'What its documentation describes, and where Ingot has it.',
    [
      paragraph(
        `Of ${all.length} topics, Ingot has ${count('yes')}, and ${count('partly')} in part. ${count('not needed')} are about the hosting of the service. [Coming from platformOS](guides/coming-from.html) begins with an existing site.`,
      ),
      ...TOPICS.map(({ title, topics }) =>
        table(
          title,
          topics.map(({ name, state, note }) => ({ name, type: state, description: note })),
          ['Topic', 'Here', 'Where, what is missing, or why'],
        ),
      ),
    ],
  )
  return { ...page, words: 'platformos documentation compare parity missing supported topics coverage' }
}
