/** `admin_problems`: what `ingot check` reports about a site in development now. Null where no compiler runs, as in production. */
import type { SiteField } from '../model.ts'
import { problem } from '../sdl/problem.ts'
import { problemPage } from '../site/problems.ts'

export const admin_problems: SiteField = {
  kind: 'site',
  name: 'admin_problems',
  sdl: '"Ingot\'s own: what `ingot check` reports about a site in development now; null where no compiler runs."\n  admin_problems(filter: ProblemsFilterInput, page: Int = 1, per_page: Int = 20): ProblemCollection',
  types: problem,
  value: problemPage,
}
