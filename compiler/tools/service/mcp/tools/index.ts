/** The list of tools for agents. */
import type { Tool } from '../tool.ts'
import { checkSite } from './check-site.ts'
import { describeSite, listRoutes } from './describe.ts'
import { explainDiagnostic, lookUp } from './look-up.ts'
import { explainQuery, readLogs, readRequests, render, runTests } from './run-site.ts'
import { validateChange } from './validate-change.ts'

export const TOOLS: readonly Tool[] = [
  validateChange,
  checkSite,
  explainDiagnostic,
  lookUp,
  describeSite,
  listRoutes,
  render,
  explainQuery,
  runTests,
  readLogs,
  readRequests,
]
