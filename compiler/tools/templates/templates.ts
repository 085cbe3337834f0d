/** The templates of `ingot init`: sites to begin with. Their files are in fixtures/templates; accounts and JSON pages come from the generators. */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { UsageError } from '../../core/usage-error.ts'
import { accountFiles } from '../generate/accounts.ts'
import { apiFiles } from '../generate/api.ts'
import type { Files, GeneratorOptions } from '../generate/model.ts'
import { parseTableName } from '../generate/names.ts'
import { readTemplate } from '../generate/read-template.ts'

interface SiteTemplate {
  /** One line for the question and the help. */
  readonly does: string
  /** What to run after `ingot dev`, with `DIR` for the folder; null for nothing. */
  readonly next: string | null
  /** The folders of its files. Later ones replace files of earlier ones. */
  readonly folders: readonly string[]
  /** Returns further files. @param site reads the files of the folders */
  readonly generated: (site: GeneratorOptions) => Files
  /** A query of the site, an example in `AGENTS.md`. */
  readonly query: string
  /** Some sentences of `AGENTS.md`, which tell what the site has. */
  readonly about: string
}

const ADMINISTRATOR = '`npx ingot user create EMAIL DIR --role admin`'

/** The templates by name. */
export const TEMPLATES: Readonly<Record<string, SiteTemplate>> = {
  starter: {
    does: 'a club with accounts, photos, a form, a mail and two languages',
    next: null,
    folders: ['shared', 'starter'],
    generated: accountFiles,
    query: 'walks/list',
    about:
      'It has walks that members add (an example: the guide `tables.md` says how to remove a table), a contact form that sends a mail, and accounts. `app/assets/site.css` has the colors, and\n`app/assets/base.css` the elements. Pages of `ingot generate` use the same classes. Texts are in English and German.',
  },
  blank: {
    does: 'one table, its list and a page: the small site of the guides',
    next: null,
    folders: ['blank'],
    generated: () => ({}),
    query: 'dishes/list',
    about:
      'The table `dish` is an example. To remove it, delete `app/schema/dish.yml`, `seed/dishes.json`, and what `npx ingot check` then reports. Do it\nbefore the first `npx ingot dev`, or first delete its rows: the guide `tables.md` has the command, in "Remove a table".',
  },
  api: {
    does: 'JSON for programs with a token, with tests, no styles',
    next: 'Create a token with `npx ingot token create DIR --name app --scope write`.',
    folders: ['api'],
    generated: (site) => apiFiles(parseTableName('book'), site),
    query: 'api/books',
    about:
      'It answers programs that send a token: `/api/books.json` and `/api/books/ID.json` read, the form `app/forms/book.liquid` writes through\nthe REST API.',
  },
  blog: {
    does: 'posts with photos, a feed, and a desk for administrators',
    next: `Create an administrator with ${ADMINISTRATOR}, and write at /admin.`,
    folders: ['shared', 'blog'],
    generated: accountFiles,
    query: 'posts/list',
    about:
      'It is a blog: administrators write posts in Markdown at `/admin`. `app/assets/site.css` has the colors and the parts of its pages, and\n`app/assets/base.css` the elements. Pages of `ingot generate` use the same classes.',
  },
}

/** The template for commands that cannot ask. */
export const PLAIN_TEMPLATE = 'blank'

/** Returns the template with this name. @throws UsageError with a suggestion */
export function findTemplate(name: string): SiteTemplate {
  const found = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(TEMPLATES)
  const near = findNearest(name, names)
  throw new UsageError(
    `There is no template '${name}': ${near === null ? `use ${names.join(', ')}.` : `did you mean ${near}?`}`,
  )
}

/** Returns the files of a new site: those of every site, those of the generator, and those of the template, which replace the others. */
export function templateFiles({ folders, generated, query, about }: SiteTemplate): Files {
  const own: Files = Object.assign({}, ...folders.map((folder) => readTemplate(folder)))
  const every = readTemplate('every', { QUERY: query, ABOUT: `${about}\n` })
  return { ...every, ...generated({ policy: null, read: (path) => own[path] ?? null }), ...own }
}

/** Returns the files of the template `blank`, on which the guides build. */
export function newSite(): Files {
  return templateFiles(findTemplate(PLAIN_TEMPLATE))
}
