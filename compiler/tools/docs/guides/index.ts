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
import { parseGuide } from './parse-guide.ts'

export const GUIDES: readonly Entry[] = [
  parseGuide('pages', pages),
  parseGuide('tables', tables),
  parseGuide('graphql', graphql),
  parseGuide('forms', forms),
  parseGuide('accounts', accounts),
  parseGuide('files', files),
  parseGuide('jobs', jobs),
  parseGuide('mails', mails),
  parseGuide('sockets', sockets),
  parseGuide('caching', caching),
  parseGuide('translations', translations),
  parseGuide('api', api),
  parseGuide('tests', tests),
  parseGuide('checks', checks),
  parseGuide('deploying', deploying),
  parseGuide('monitoring', monitoring),
  parseGuide('coming-from', comingFrom),
  parseGuide('library', library),
]
