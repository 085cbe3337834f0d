/** The guides, in the order of the start page. */
import type { Entry } from '../entry.ts'
import accounts from './accounts.md'
import api from './api.md'
import caching from './caching.md'
import checks from './checks.md'
import comingFrom from './coming-from.md'
import deploying from './deploying.md'
import files from './files.md'
import forms from './forms.md'
import graphql from './graphql.md'
import jobs from './jobs.md'
import library from './library.md'
import mails from './mails.md'
import monitoring from './monitoring.md'
import pages from './pages.md'
import sockets from './sockets.md'
import tables from './tables.md'
import tests from './tests.md'
import translations from './translations.md'
import { parsePages } from '../parse-page.ts'

export const GUIDES: readonly Entry[] = parsePages('guides', {
  pages,
  tables,
  graphql,
  forms,
  accounts,
  files,
  jobs,
  mails,
  sockets,
  caching,
  translations,
  api,
  tests,
  checks,
  deploying,
  monitoring,
  'coming-from': comingFrom,
  library,
})
