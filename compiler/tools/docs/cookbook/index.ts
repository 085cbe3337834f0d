/** The recipes, in the order of the start page. */
import type { Entry } from '../entry.ts'
import { GUIDES } from '../guides/index.ts'
import { languages, redirects, slugs } from './addresses.ts'
import { places, waitingList } from './bookings.ts'
import { csvExport, csvImport } from './csv.ts'
import { calendarFile, rss, sitemap } from './feeds.ts'
import { comments, nestedForms, steps } from './forms.ts'
import { fullText, keyset, search } from './lists.ts'
import { calls, userTokens, webhooks } from './programs.ts'
import { auditLog, softDelete } from './rows.ts'
import { downloads, flags, scheduled } from './running.ts'
import { honeypot, rateLimit } from './spam.ts'
import { withUses } from './uses.ts'

const RECIPES: readonly Entry[] = [
  places,
  waitingList,
  search,
  keyset,
  fullText,
  csvExport,
  csvImport,
  nestedForms,
  steps,
  comments,
  honeypot,
  rateLimit,
  slugs,
  redirects,
  languages,
  rss,
  calendarFile,
  sitemap,
  userTokens,
  webhooks,
  calls,
  scheduled,
  softDelete,
  auditLog,
  flags,
  downloads,
]

/** The recipes, each with links to the files that it also uses. */
export const COOKBOOK: readonly Entry[] = withUses(RECIPES, GUIDES)
