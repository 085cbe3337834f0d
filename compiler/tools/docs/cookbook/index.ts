/** The recipes, in the order of the start page. */
import type { Entry } from '../entry.ts'
import { GUIDES } from '../guides/index.ts'
import { parsePages } from '../parse-page.ts'
import auditLog from './audit-log.md'
import calendarFile from './calendar-file.md'
import calls from './calls.md'
import comments from './comments.md'
import csvExport from './csv-export.md'
import csvImport from './csv-import.md'
import downloads from './downloads.md'
import featureFlags from './feature-flags.md'
import fullText from './full-text.md'
import honeypot from './honeypot.md'
import keyset from './keyset.md'
import languages from './languages.md'
import nestedForms from './nested-forms.md'
import places from './places.md'
import rateLimit from './rate-limit.md'
import redirects from './redirects.md'
import rss from './rss.md'
import scheduled from './scheduled.md'
import search from './search.md'
import sitemap from './sitemap.md'
import slugs from './slugs.md'
import softDelete from './soft-delete.md'
import steps from './steps.md'
import userTokens from './user-tokens.md'
import waitingList from './waiting-list.md'
import webhooks from './webhooks.md'
import { withUses } from './uses.ts'

const RECIPES = parsePages('cookbook', {
  places,
  'waiting-list': waitingList,
  search,
  keyset,
  'full-text': fullText,
  'csv-export': csvExport,
  'csv-import': csvImport,
  'nested-forms': nestedForms,
  steps,
  comments,
  honeypot,
  'rate-limit': rateLimit,
  slugs,
  redirects,
  languages,
  rss,
  'calendar-file': calendarFile,
  sitemap,
  'user-tokens': userTokens,
  webhooks,
  calls,
  scheduled,
  'soft-delete': softDelete,
  'audit-log': auditLog,
  'feature-flags': featureFlags,
  downloads,
})

/** The recipes, each with links to the files that it also uses. */
export const COOKBOOK: readonly Entry[] = withUses(RECIPES, GUIDES)
