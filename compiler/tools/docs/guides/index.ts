/** The guides, in the order of the start page. */
import type { Entry } from '../entry.ts'
import { accounts } from './accounts.ts'
import { api } from './api.ts'
import { caching } from './caching.ts'
import { comingFrom } from './coming-from.ts'
import { deploying } from './deploying.ts'
import { files } from './files.ts'
import { forms } from './forms.ts'
import { graphql } from './graphql.ts'
import { jobs } from './jobs.ts'
import { library } from './library.ts'
import { mails } from './mails.ts'
import { monitoring } from './monitoring.ts'
import { pages } from './pages.ts'
import { tables } from './tables.ts'
import { tests } from './tests.ts'
import { translations } from './translations.ts'

export const GUIDES: readonly Entry[] = [
  pages,
  tables,
  graphql,
  forms,
  accounts,
  files,
  jobs,
  mails,
  caching,
  translations,
  api,
  tests,
  deploying,
  monitoring,
  comingFrom,
  library,
]
