/** The templates of `ingot init`: sites to begin with. Their files are in fixtures/templates; accounts and JSON pages come from the generators. */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { NEW_SITE } from '../../core/source/new-site.ts'
import { agentsFile, GITIGNORE } from '../../core/source/new-site-basics.ts'
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
  /** @param templates path of the templates: see `readTemplate` */
  readonly files: (templates: string) => Files
}

const ADMINISTRATOR = '`npx ingot user create EMAIL DIR --role admin`'

/** The templates by name. */
export const TEMPLATES: Readonly<Record<string, SiteTemplate>> = {
  starter: {
    does: 'a club with accounts, photos, a form, a mail and two languages',
    next: null,
    files: (templates) => ({
      ...layered(templates, ['shared', 'starter'], (site) => accountFiles(templates, site)),
      'AGENTS.md': agentsFile(
        'walks/list',
        'It has walks that members add (an example: the guide `tables.md` says how to remove a table), a contact form that sends a mail, and accounts. `app/assets/site.css` has the colors, and\n`app/assets/base.css` the elements. Pages of `ingot generate` use the same classes. Texts are in English and German.',
      ),
    }),
  },
  blank: {
    does: 'one table, its list and a page: the small site of the guides',
    next: null,
    files: () => NEW_SITE,
  },
  api: {
    does: 'JSON for programs with a token, with tests, no styles',
    next: 'Create a token with `npx ingot token create DIR --name app --scope write`.',
    files: (templates) => ({
      ...layered(templates, ['api'], (site) => apiFiles(parseTableName('book'), site)),
      'AGENTS.md': agentsFile(
        'api/books',
        'It answers programs that send a token: `/api/books.json` and `/api/books/ID.json` read, the form `app/forms/book.liquid` writes through\nthe REST API.',
      ),
    }),
  },
  blog: {
    does: 'posts with photos, a feed, and a desk for administrators',
    next: `Create an administrator with ${ADMINISTRATOR}, and write at /admin.`,
    files: (templates) => ({
      ...layered(templates, ['shared', 'blog'], (site) => accountFiles(templates, site)),
      'AGENTS.md': agentsFile(
        'posts/list',
        'It is a blog: administrators write posts in Markdown at `/admin`. `app/assets/site.css` has the colors and the parts of its pages, and\n`app/assets/base.css` the elements. Pages of `ingot generate` use the same classes.',
      ),
    }),
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

/**
 * Returns the files of some folders, of which later ones replace earlier ones, and of a generator that may read them.
 * @param templates path of the templates: see `readTemplate`
 */
function layered(templates: string, names: readonly string[], generated: (site: GeneratorOptions) => Files): Files {
  const written: Files = Object.assign({}, ...names.map((name) => readTemplate(templates, name)))
  const read = (path: string): string | null => written[path] ?? null
  return { '.gitignore': GITIGNORE, 'app/config.yml': CONFIG, ...generated({ policy: null, read }), ...written }
}

const CONFIG = NEW_SITE['app/config.yml'] ?? ''
